"""Dialogs, with events in the order that was measured on Chromium 156."""

from __future__ import annotations

import pytest

from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

HANGING: list[tuple[str, Params]] = [
    ("Runtime.evaluate", {"expression": "1", "timeout": 500}),
    ("Runtime.enable", {}),
    ("Runtime.terminateExecution", {}),
    ("Page.enable", {}),
    ("Page.getFrameTree", {}),
    ("Page.captureScreenshot", {}),
    ("Page.addScriptToEvaluateOnNewDocument", {"source": "1"}),
    ("Page.getLayoutMetrics", {}),
    ("DOM.getDocument", {}),
    ("Accessibility.getFullAXTree", {}),
    ("Network.enable", {}),
    ("Debugger.enable", {}),
    ("Log.enable", {}),
    ("Performance.getMetrics", {}),
    ("Memory.getDOMCounters", {}),
    ("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}),
]
ANSWERED: list[tuple[str, Params]] = [
    ("Target.getTargets", {}),
    ("Target.getTargetInfo", {}),
    ("Browser.getVersion", {}),
    ("Page.getNavigationHistory", {}),
    ("Page.stopLoading", {}),
    ("Page.bringToFront", {}),
    ("Fetch.enable", {}),
    ("Inspector.enable", {}),
    ("Network.getCookies", {}),
    ("Storage.getCookies", {}),
    ("Input.dispatchKeyEvent", {"type": "keyDown"}),
]


@pytest.mark.parametrize(("method", "params"), HANGING, ids=[method for method, _ in HANGING])
def test_what_needs_the_renderer_is_answered_only_after_the_dialog(
    client: Client, page: str, method: str, params: Params
) -> None:
    client.evaluate(page, "alert(1)")

    assert client.lines(method, params, page) == []
    answer = [line for line in client.answer_dialog(page) if method in line]
    assert answer[0].startswith((f"page reply to {method}", f"page refusal of {method}: cdp_typed.mock does not model"))


@pytest.mark.parametrize(("method", "params"), ANSWERED, ids=[method for method, _ in ANSWERED])
def test_what_the_browser_answers_alone_is_answered_at_once(
    client: Client, page: str, method: str, params: Params
) -> None:
    client.evaluate(page, "alert(1)")

    (answer,) = client.lines(method, params, page)

    assert answer.startswith((f"page reply to {method}", f"page refusal of {method}: cdp_typed.mock does not model"))


def test_a_page_that_asks_again_holds_the_navigation_back(client: Client, page: str) -> None:
    """The reply has a loader, the old call fails, and the dying page stays blocked."""
    client.evaluate(page, "alert(1); alert(2)")
    client.evaluate(page, "document.title")

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/"}, page) == [
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page Page.javascriptDialogClosed top False ",
        "page Page.javascriptDialogOpening top alert 2",
        "page reply to Page.navigate",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
    ]
    assert "page Page.frameNavigated top Navigation" in client.answer_dialog(page)
