"""Which of the pictures that were asked for are in a flight recording."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cdp_typed.mock import Drop, Ends, Fault, MockBrowser, sample
from cdp_typed.protocol import page
from supervisor import CDPSupervisor
from tests.supervisor.addons.report.test_page_pictures import pictures_in, wait_for_pictures
from tests.support.stages.stages import Stage, open_page

pytestmark = pytest.mark.parametrize("stage", ["mock"], indirect=True)


class Recorded(NamedTuple):
    """A supervisor that records pictures of a mock, each of which has 4 bytes in base64."""

    stage: Stage
    mock: MockBrowser
    supervisor: CDPSupervisor
    path: Path

    def open(self, name: str = "plain") -> None:
        open_page(self.supervisor, f"{self.stage.own}/{name}")

    def reasons(self, count: int) -> list[str]:
        """Those of the pictures, when there are so many."""
        return [picture["reason"] for picture in wait_for_pictures(self.path, count)]


@pytest.fixture
def recorded(stage: Stage, path: Path) -> Iterator[Recorded]:
    assert stage.mock is not None
    stage.mock.on(page.GetLayoutMetrics, sample(page.GetLayoutMetricsResult))
    stage.mock.on(page.CaptureScreenshot, {"data": "AA=="})
    with stage.supervisor(record_to=str(path), record_screenshots=True) as supervisor:
        yield Recorded(stage, stage.mock, supervisor, path)


@pytest.mark.parametrize(
    ("command", "fault"),
    [(page.GetLayoutMetrics, Drop()), (page.CaptureScreenshot, Drop()), (page.CaptureScreenshot, Ends("reset"))],
)
def test_a_picture_that_is_late_or_ended_by_a_lost_connection_is_taken_again(
    recorded: Recorded,
    monkeypatch: pytest.MonkeyPatch,
    command: type[page.GetLayoutMetrics | page.CaptureScreenshot],
    fault: Fault,
) -> None:
    monkeypatch.setattr("supervisor.driver.page_pictures.TIMEOUT_S", 1.0)
    recorded.mock.fault(command, fault, nth=1)

    recorded.open()

    assert recorded.reasons(1) == ["document"]


def test_what_is_asked_for_during_a_picture_is_one_more_after_it(recorded: Recorded) -> None:
    def asked_for_during_it(_: object) -> dict[str, str]:
        for _ in range(2 if len(recorded.mock.received(page.CaptureScreenshot)) == 1 else 0):
            recorded.supervisor.aio.record("tool_ended", {"id": 0, "is_error": False, "text": ""})
        return {"data": "AA=="}

    recorded.mock.on(page.CaptureScreenshot, asked_for_during_it)

    recorded.open()
    assert recorded.reasons(2) == ["document", "tool"]
    recorded.open("local")
    assert recorded.reasons(3) == ["document", "tool", "document"]


@pytest.mark.parametrize(("limit", "most", "taken"), [("MOST", 3, 3), ("MOST_BYTES", 14, 5)])
def test_pictures_are_bounded(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, taken: int
) -> None:
    monkeypatch.setattr(f"supervisor.driver.page_pictures.{limit}", most)
    for number in range(1, 6):
        recorded.open()
        while len(recorded.mock.received(page.CaptureScreenshot)) < min(number, taken):
            recorded.supervisor.evaluate("1")
        recorded.supervisor.evaluate("1")  # its reply comes after the picture

    assert len(recorded.mock.received(page.CaptureScreenshot)) == taken
    assert len(pictures_in(recorded.path)) == 3
