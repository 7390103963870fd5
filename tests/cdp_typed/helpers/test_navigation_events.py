"""What a page tells of a navigation in an order that a browser chooses, and seldom."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cdp_typed import JavaScriptError, NavigationFailed
from cdp_typed.helpers.shared.javascript_values import raise_thrown
from cdp_typed.helpers.shared.navigation_events import DocumentWatch
from cdp_typed.protocol import network, page, runtime
from cdp_typed.wire.decoding import decode

FRAME, FIRST, SECOND = page.FrameId("F"), network.LoaderId("1"), network.LoaderId("2")


def _frame(loader_id: str, **more: Any) -> page.Frame:
    fields = {"id": "F", "loaderId": loader_id, "url": f"http://h/{loader_id}", **more}
    return decode(page.Frame, msgspec.json.encode(fields), method="", drift=lambda _: None)


def _navigated(loader_id: str, kind: Any = "Navigation", **more: Any) -> page.FrameNavigated:
    return page.FrameNavigated(frame=_frame(loader_id, **more), type=kind)


def _stage(loader_id: network.LoaderId, name: str) -> page.LifecycleEvent:
    return page.LifecycleEvent(frame_id=FRAME, loader_id=loader_id, name=name, timestamp=network.MonotonicTime(0))


@pytest.fixture
def watch() -> DocumentWatch:
    watch = DocumentWatch("http://h/1", "load", 1)
    watch.expect(FRAME, FIRST)
    return watch


def test_an_earlier_document_and_its_stages_are_passed_over(watch: DocumentWatch) -> None:
    for event in (_navigated("0"), _stage(network.LoaderId("0"), "load"), _navigated("1")):
        watch.feed(event)
    assert watch.arrival is None

    watch.feed(_stage(FIRST, "load"))
    assert watch.arrival is not None
    assert watch.arrival.loader_id == FIRST


def test_a_frame_that_was_asked_for_late_may_have_gone_on(watch: DocumentWatch) -> None:
    watch.feed(_stage(FIRST, "commit"))
    assert watch.lacks_frame

    watch.announce(_frame("2"))
    assert (watch.lacks_frame, watch.arrival) == (False, None)
    watch.feed(_stage(SECOND, "load"))
    assert watch.arrival is not None
    assert watch.arrival.url == "http://h/2"


def test_a_document_from_the_cache_has_come_whole() -> None:
    watch = DocumentWatch("http://h/1", "load", 1)
    watch.expect(FRAME, None)
    watch.feed(_navigated("1", "BackForwardCacheRestore"))

    assert watch.arrival is not None
    assert watch.arrival.kind == "restored"


def test_the_pages_own_history_is_not_the_fragment_that_was_asked_for() -> None:
    watch = DocumentWatch("http://h/#there", "load", 1)
    watch.expect(FRAME, None)
    watch.feed(page.NavigatedWithinDocument(frame_id=FRAME, url="http://h/pushed", navigation_type="historyApi"))
    assert watch.arrival is None

    watch.feed(page.NavigatedWithinDocument(frame_id=FRAME, url="http://h/#there", navigation_type="fragment"))
    assert watch.arrival is not None


def test_an_error_page_whose_reason_was_not_told_is_an_error(watch: DocumentWatch) -> None:
    with pytest.raises(NavigationFailed, match=r"^http://h/1: net::ERR_FAILED$"):
        watch.feed(_navigated("1", unreachableUrl="http://h/1"))


def test_a_failure_without_an_exception_has_its_text() -> None:
    details = runtime.ExceptionDetails(exception_id=1, text="Uncaught", line_number=0, column_number=0)

    with pytest.raises(JavaScriptError, match=r"^Uncaught \(line 1, column 1\)$"):
        raise_thrown(details)
