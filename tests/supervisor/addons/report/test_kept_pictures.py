"""Which of the pictures that were asked for are in a flight recording."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_typed.mock import Drop, Ends, Fault, MockBrowser, sample
from cdp_typed.protocol import page
from supervisor import CDPSupervisor
from tests.supervisor.addons.report.test_page_pictures import pictures_in, wait_for_pictures
from tests.support.stages.stages import Stage, open_page

pytestmark = pytest.mark.parametrize("stage", ["mock"], indirect=True)


@pytest.fixture
def mock(stage: Stage) -> MockBrowser:
    """One whose pictures have 4 bytes in base64."""
    assert stage.mock is not None
    stage.mock.on(page.GetLayoutMetrics, sample(page.GetLayoutMetricsResult))
    stage.mock.on(page.CaptureScreenshot, {"data": "AA=="})
    return stage.mock


@pytest.fixture
def supervisor(stage: Stage, mock: MockBrowser, path: Path) -> Iterator[CDPSupervisor]:
    with stage.supervisor(record_to=str(path), record_screenshots=True) as supervisor:
        yield supervisor


@pytest.mark.parametrize(
    ("command", "fault"),
    [(page.GetLayoutMetrics, Drop()), (page.CaptureScreenshot, Drop()), (page.CaptureScreenshot, Ends("reset"))],
)
def test_a_picture_that_is_late_or_ended_by_a_lost_connection_is_taken_again(
    stage: Stage,
    mock: MockBrowser,
    supervisor: CDPSupervisor,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: type[page.GetLayoutMetrics | page.CaptureScreenshot],
    fault: Fault,
) -> None:
    monkeypatch.setattr("supervisor.driver.page_pictures.TIMEOUT_S", 0.2)
    mock.fault(command, fault, nth=1)

    open_page(supervisor, f"{stage.own}/plain")

    assert [picture["reason"] for picture in wait_for_pictures(path, 1)] == ["document"]


def test_what_is_asked_for_during_a_picture_is_one_more_after_it(
    stage: Stage, mock: MockBrowser, supervisor: CDPSupervisor, path: Path
) -> None:
    def asked_for_during_it(_: object) -> dict[str, str]:
        for _ in range(2 if len(mock.received(page.CaptureScreenshot)) == 1 else 0):
            supervisor.aio.record("tool_ended", {"id": 0, "is_error": False, "text": ""})
        return {"data": "AA=="}

    mock.on(page.CaptureScreenshot, asked_for_during_it)

    open_page(supervisor, f"{stage.own}/plain")

    assert [picture["reason"] for picture in wait_for_pictures(path, 2)] == ["document", "tool"]
    open_page(supervisor, f"{stage.own}/local")
    assert [picture["reason"] for picture in wait_for_pictures(path, 3)][2:] == ["document"]


@pytest.mark.parametrize(("limit", "most", "taken"), [("MOST", 3, 3), ("MOST_BYTES", 14, 5)])
def test_pictures_are_bounded(
    stage: Stage,
    mock: MockBrowser,
    supervisor: CDPSupervisor,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    most: int,
    taken: int,
) -> None:
    monkeypatch.setattr(f"supervisor.driver.page_pictures.{limit}", most)
    for number in range(1, 6):
        open_page(supervisor, f"{stage.own}/plain")
        while len(mock.received(page.CaptureScreenshot)) < min(number, taken):
            supervisor.evaluate("1")
        supervisor.evaluate("1")  # its reply comes after the picture

    assert len(mock.received(page.CaptureScreenshot)) == taken
    assert len(pictures_in(path)) == 3
