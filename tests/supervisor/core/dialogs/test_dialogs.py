"""The life of a dialog, race by race."""

from __future__ import annotations

import pytest

from cdp_typed.errors import InvalidParams
from supervisor.core.vocabulary import command_tags, errors, inputs, timers
from supervisor.core.vocabulary.effects import Arm, Disarm
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    answer,
    closed,
    confirmed,
    detached,
    navigates,
    opening,
    sent,
    told,
    with_oopif,
    with_page,
)

WATCHDOG = timers.DialogWatchdog("d-1")
ANSWER = command_tags.DialogAnswer("d-1")
NOT_SHOWING = InvalidParams(-32602, "No dialog is showing", method="Page.handleJavaScriptDialog", session=PAGE)


def test_a_dialog_is_kept_until_somebody_answers_it() -> None:
    core = with_page()

    assert core.play(opening("hello", "confirm")) == [Arm(WATCHDOG, 300.0)]
    (dialog,) = core.seen.pending_dialogs
    assert (dialog.id, dialog.type, dialog.message) == ("d-1", "confirm", "hello")
    assert (dialog.frame_id, dialog.target_id, dialog.session_id) == (TOP, TOP, PAGE)
    assert (dialog.opened_at, dialog.ways_out) == (core.now, ("answer",))


def test_the_watchdog_of_a_dialog_that_takes_no_answer_says_that_it_could_do_nothing() -> None:
    core = with_page().after(opening(), answer())

    assert core.play(inputs.CommandFailed(ANSWER, NOT_SHOWING))[0] == Arm(WATCHDOG, 300.0)
    assert core.play(inputs.TimerFired(WATCHDOG)) == []

    (dialog,) = core.seen.pending_dialogs
    assert dialog.note.endswith("the watchdog could not dismiss it")
    core.play(closed(False))
    assert core.seen.recent_dialogs[0].note == dialog.note


@pytest.mark.parametrize("before", [[opening(), closed()], [opening(), answer()], []])
def test_a_late_watchdog_does_nothing(before: list[inputs.Input]) -> None:
    assert with_page().after(*before).play(inputs.TimerFired(WATCHDOG)) == []


WAS_OPEN: dict[str, tuple[Core, list[str], list[str]]] = {
    "an end without a beginning": (with_page().after(closed()), [], []),
    "a dialog on a session that is gone": (with_page().after(detached(PAGE), opening()), [], []),
    "an end is matched by its frame": (
        with_oopif().after(opening("one"), opening("two", frame_id=INNER), closed(False, frame_id=INNER)),
        ["d-1"],
        ["d-2"],
    ),
    "a missed end is made up for when the frame shows another dialog": (
        with_page().after(opening("one"), opening("two")),
        ["d-2"],
        ["d-1"],
    ),
    "ids are never used twice": (
        with_page().after(opening(), closed(), opening(), closed(), opening()),
        ["d-3"],
        ["d-1", "d-2"],
    ),
    "the last twenty that were closed are remembered": (
        with_page().after(*[opening(), closed()] * 25),
        [],
        [f"d-{number}" for number in range(6, 26)],
    ),
}


@pytest.mark.parametrize(("core", "pending", "recent"), WAS_OPEN.values(), ids=WAS_OPEN)
def test_which_dialogs_are_open_and_which_were(core: Core, pending: list[str], recent: list[str]) -> None:
    assert [(dialog.id, dialog.answerable) for dialog in core.seen.pending_dialogs] == [(one, True) for one in pending]
    assert [record.id for record in core.seen.recent_dialogs] == recent


def test_where_the_browser_shows_none_the_latest_of_two_dialogs_takes_the_answers() -> None:
    """Measured on Chrome 131, whose events name no frame: the first is not cancelled, and its script never goes on."""
    core = with_oopif().after(opening("one", shown=False), opening("two", frame_id=INNER, shown=False))

    first, second = core.seen.pending_dialogs
    assert [(dialog.message, dialog.answerable) for dialog in (first, second)] == [("one", False), ("two", True)]
    assert told(core.play(answer(dialog="d-1"))) == {"answer": errors.DialogUnanswerable(first)}
    assert [send.tag for send in sent(core.play(answer(dialog="d-2")))] == [command_tags.DialogAnswer("d-2")]
    core.play(closed(True, frame_id=""), confirmed("d-2"))
    assert core.seen.pending_dialogs == (first,)
    assert [(record.id, record.closed_by) for record in core.seen.recent_dialogs] == [("d-2", "agent")]


@pytest.mark.parametrize("frame_id", [TOP, INNER, ""])
def test_where_the_browser_shows_none_a_dialog_ends_with_its_document(frame_id: str) -> None:
    """Measured on Chrome 131: it ends without a word when its page is navigated to another process."""
    core = with_oopif().after(opening("one", frame_id=frame_id, shown=False), detached(OOPIF, PAGE))
    assert [dialog.id for dialog in core.seen.pending_dialogs] == ["d-1"]

    core.play(navigates(TOP, "http://c.test/"))

    assert core.seen.pending_dialogs == ()
    assert [(record.id, record.closed_by) for record in core.seen.recent_dialogs] == [("d-1", "remote")]


def test_a_dialog_of_the_new_document_may_be_told_of_before_that() -> None:
    core = with_page().after(opening("new", shown=False), navigates(TOP, "http://a.test/", loader="new"))

    assert [dialog.message for dialog in core.seen.pending_dialogs] == ["new"]


def test_an_answer_under_way_that_another_dialog_gets_is_told_as_not_given() -> None:
    core = with_oopif().after(opening("one", shown=False), answer())

    effects = core.play(opening("two", frame_id=INNER, shown=False))

    first, _ = core.seen.pending_dialogs
    assert told(effects) == {"answer": errors.DialogUnanswerable(first)}
    core.play(closed(True, frame_id=""), confirmed())
    assert core.seen.pending_dialogs == (first,)
    assert [(record.id, record.closed_by) for record in core.seen.recent_dialogs] == [("d-2", "remote")]


def test_a_policy_does_not_answer_what_takes_no_answer() -> None:
    assert not sent(with_oopif("auto_accept").after(opening("one")).play(opening("two", frame_id=INNER)))


def test_a_dialog_that_the_session_of_an_oopif_tells_of_is_answered_on_that_of_the_page() -> None:
    core = with_oopif().after(opening("inner", session=OOPIF, frame_id=INNER))

    assert [send.session_id for send in sent(core.play(answer()))] == [PAGE]


def test_a_dialog_outlives_the_process_of_its_iframe_but_not_its_page() -> None:
    core = with_oopif().after(opening("inner", frame_id=INNER), detached(OOPIF, PAGE))
    assert [dialog.id for dialog in core.seen.pending_dialogs] == ["d-1"]

    assert Disarm(WATCHDOG) in core.play(detached(PAGE))
    assert core.seen.pending_dialogs == ()
    assert [record.closed_by for record in core.seen.recent_dialogs] == ["remote"]


def test_stopping_answers_nothing() -> None:
    assert with_page().after(opening()).play(inputs.StopRequested()) == [Disarm(WATCHDOG)]
