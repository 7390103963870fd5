"""The comparison: the differences that it ignores, and those that it reports."""

from __future__ import annotations

import pytest

from cdp_typed.transport import Transport
from tests.honesty.comparison.difference import Difference
from tests.honesty.comparison.known_differences import DIFFERENCES
from tests.honesty.comparison.normalise import compare, normalised
from tests.honesty.player import Entry, Params, Stage, Trace

OPENING = "Page.javascriptDialogOpening"


async def nowhere_to_connect() -> Transport:
    raise NotImplementedError


MOCK = Stage(nowhere_to_connect, "http://localhost:1", "http://127.0.0.1:1", "http://127.0.0.2:1")
OTHER = Stage(nowhere_to_connect, "http://localhost:2", "http://127.0.0.1:2", "http://127.0.0.2:2")


def told(page: str, session: str, frame: str, origin: str) -> Trace:
    """Return the trace of a page with an iframe whose dialog is open, with a browser's ids and URLs."""
    info = {"targetId": page, "type": "page", "url": f"{origin}/", "title": "T"}
    attached = {"sessionId": session, "targetInfo": info, "waitingForDebugger": False}
    return [
        Entry("A", sent=True, message={"id": 1, "method": "Target.attachToTarget", "params": {"targetId": page}}),
        received("Target.attachedToTarget", attached),
        Entry("A", sent=False, message={"id": 1, "result": {"sessionId": session}}),
        received("Page.frameAttached", {"frameId": frame, "parentFrameId": page}, session),
        received(OPENING, {"frameId": frame, "url": f"{origin}/f", "type": "alert"}, session),
    ]


def received(method: str, params: Params, session: str | None = None) -> Entry:
    on = {} if session is None else {"sessionId": session}
    return Entry("A", sent=False, message={"method": method, "params": params, **on})


def mock() -> Trace:
    return told("A" * 32, "B" * 32, "C" * 32, MOCK.own)


def difference(trace: Trace) -> str:
    other = told("1" * 32, "2" * 32, "3" * 32, OTHER.own)
    return compare(normalised("any", trace, MOCK), normalised("any", other, OTHER))


GONE = {"targetInfo": {"targetId": "D" * 32, "type": "page", "url": "about:blank", "title": ""}}
SAME = {
    "other ids and addresses": mock(),
    "the moment of another lane": [*mock()[:3], mock()[4], mock()[3]],
    "a target that is no part of the play": [*mock(), received("Target.targetCreated", GONE)],
}


@pytest.mark.parametrize("trace", SAME.values(), ids=SAME)
def test_what_differs_from_run_to_run_is_no_difference(trace: Trace) -> None:
    assert difference(trace) == ""


def test_another_value_is_shown_beside_the_right_one() -> None:
    trace = mock()
    trace[4].message["params"]["type"] = "confirm"

    assert difference(trace).splitlines() == [
        "A page: the browser",
        '  Chromium only: Page.javascriptDialogOpening {"frameId": "page/1", "type": "alert", "url": "own:/f"}',
        '  mock only:     Page.javascriptDialogOpening {"frameId": "page/1", "type": "confirm", "url": "own:/f"}',
    ]


def test_another_end_of_a_long_text_is_a_difference() -> None:
    traces = [mock() for _ in range(2)]
    for trace, end in zip(traces, "ab", strict=True):
        trace[4].message["params"]["message"] = "x" * 200_000 + end
    left, right = (normalised("any", trace, MOCK) for trace in traces)

    assert compare(left, left) == ""
    assert "200001 characters" in compare(left, right)
    assert len(compare(left, right)) < 1000


def dialog(**others: str) -> Params:
    return {**mock()[4].message["params"], **others}


DIFFERENT = {
    "another site": ([*mock()[:4], received(OPENING, dialog(url=f"{MOCK.other}/f"), "B" * 32)], '"url": "other:/f"'),
    "a missing event": (mock()[:-1], f"A page: the browser\n  Chromium only: {OPENING}"),
    "an event too many": ([*mock(), mock()[3]], "mock only:     Page.frameAttached"),
    "another session": ([*mock()[:4], received(OPENING, dialog())], "A browser: the browser"),
}


@pytest.mark.parametrize(("trace", "shown"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_chromium_does_not_do_is_a_difference(trace: Trace, shown: str) -> None:
    assert shown in difference(trace)


def test_another_order_in_a_lane_is_a_difference() -> None:
    closed = received("Page.javascriptDialogClosed", {"frameId": "C" * 32}, "B" * 32)
    theirs = normalised("any", [*mock(), closed], MOCK)
    ours = normalised("any", [*mock()[:4], closed, mock()[4]], MOCK)

    assert compare(ours, theirs) != ""


def test_a_call_without_an_answer_is_a_difference() -> None:
    assert difference([entry for entry in mock() if "result" not in entry.message]) == (
        'A browser: call 1, Target.attachToTarget\n  Chromium only: result {"sessionId": "page"}'
    )


def test_a_known_difference_is_left_out_where_it_is_known_only() -> None:
    known = Difference(words="so", scenarios=("one",), pattern=r"^Page\.x", field="Page.y late", outcome="Page.z$")

    assert known.hides("one", "Page.x {}")
    assert not known.hides("two", "Page.x {}")
    assert not known.hides("one", "Page.y {}")
    assert known.leaves_open("one", "A page: call 5, Page.z")
    assert not known.leaves_open("two", "A page: call 5, Page.z")
    assert not known.leaves_open("one", "A page: call 5, Page.zoom")
    assert known.omits("Page.y", "late")
    assert not known.omits("Page.x", "late")


def test_no_difference_is_known_in_general() -> None:
    """Each names one field of one event, or lines of scenarios that it names."""
    assert all(difference.field.count(" ") == 1 or difference.scenarios for difference in DIFFERENCES)
