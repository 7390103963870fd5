"""What the mock answers of an empty page's layout and text in tests that need some: it has no DOM of its own."""

from __future__ import annotations

from cdp_typed.mock import sample
from cdp_typed.protocol import accessibility, dom_snapshot, page
from tests.support.stages.stages import Stage


def give_layout(stage: Stage) -> None:
    """Let the mock of a stage answer as a page on which there is nothing; without effect on a real browser."""
    if stage.mock is None:
        return
    stage.mock.on(accessibility.GetFullAXTree, accessibility.GetFullAXTreeResult(nodes=()))
    stage.mock.on(dom_snapshot.CaptureSnapshot, dom_snapshot.CaptureSnapshotResult(documents=(), strings=()))
    stage.mock.on("Input.dispatchKeyEvent", None)
    stage.mock.on(page.CaptureScreenshot, {"data": "AA=="})
    stage.mock.on(page.GetLayoutMetrics, sample(page.GetLayoutMetricsResult))
