"""A connection is lost and comes back: what is kept of pages, frames, calls and dialogs."""

from __future__ import annotations

import pytest

from cdp_typed.errors import ConnectionLost, SessionNotFound
from cdp_typed.protocol import page, target
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.effects import Disarm, Send
from supervisor.core.vocabulary.errors import CallTimeout, DialogAlreadyClosed
from supervisor.core.vocabulary.values import DialogReceipt
from tests.support.core.play import (
    BROWSER,
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    answer,
    attach_frame,
    attached,
    children_announced,
    closed,
    context,
    evaluate,
    frame,
    frame_tree_reply,
    on,
    opening,
    sent,
    told,
    tree,
    value,
    with_oopif,
    with_page,
)

LOST = inputs.Disconnected("reset")
BACK = inputs.Connected(BROWSER)
AGAIN, INNER_AGAIN = "session-page-again", "session-oopif-again"
ALL_ANNOUNCED = inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None)
TOP_AGAIN = frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/")))
INNER_IS_BACK = attached(INNER_AGAIN, INNER, kind="iframe", parent=AGAIN, parent_frame=TOP)
INNER_FRAME_AGAIN = frame_tree_reply(INNER_AGAIN, tree(frame(INNER, "http://b.test/", TOP)))
RETURNED = (LOST, BACK, attached(AGAIN, TOP, url="http://a.test/"), ALL_ANNOUNCED)
"""The connection is lost and back, and so is the page with its session."""


def pending(core: Core) -> list[str]:
    return [dialog.id for dialog in core.seen.pending_dialogs]


def test_a_call_for_a_page_that_is_not_announced_again_yet_waits() -> None:
    core = with_page().after(LOST, BACK)
    shot = requests.CallRequested(call_id="call", work=page.CaptureScreenshot(), frame_id=TOP, timeout_s=30.0)

    waiting = core.play(shot)
    going = core.play(attached(AGAIN, TOP, url="http://a.test/"), TOP_AGAIN)

    assert (sent(waiting), told(waiting)) == ([], {})
    assert [send.session_id for send in sent(going) if send.command == page.CaptureScreenshot()] == [AGAIN]


def test_pages_keep_their_order_and_the_current_one_is_kept() -> None:
    core = with_page().after(attached("s-2", "page-2"), LOST, BACK)

    core.play(attached("s-2-again", "page-2"), attached(AGAIN, TOP), ALL_ANNOUNCED)

    assert [(info.session_id, info.is_current) for info in core.seen.pages] == [(AGAIN, True), ("s-2-again", False)]


def test_a_page_that_was_closed_meanwhile_is_gone_once_all_are_announced() -> None:
    core = with_oopif().after(attached("s-2", "page-2"), opening(session="s-2", frame_id="page-2"), LOST, BACK)

    core.play(attached("s-2-again", "page-2"), ALL_ANNOUNCED)

    assert [(info.target_id, info.is_current) for info in core.seen.pages] == [("page-2", True)]
    assert set(core.state.world.frames.nodes) == {"page-2"}


def test_a_frame_that_was_removed_meanwhile_is_gone_once_its_page_has_told_all() -> None:
    core = with_oopif().after(*RETURNED, TOP_AGAIN)
    assert [info.frame_id for info in core.seen.frame_tree.children] == [INNER]

    core.play(children_announced(AGAIN))

    assert core.seen.frame_tree.children == ()


def test_a_frame_below_one_in_another_process_is_that_one_s_to_tell() -> None:
    core = with_oopif().after(attach_frame("deep", INNER, OOPIF), *RETURNED, INNER_IS_BACK)

    core.play(TOP_AGAIN, children_announced(AGAIN))
    assert "deep" in core.state.world.frames.nodes
    core.play(INNER_FRAME_AGAIN, children_announced(INNER_AGAIN))

    assert "deep" not in core.state.world.frames.nodes


def test_a_frame_that_finished_loading_meanwhile_is_not_loading_for_ever() -> None:
    core = with_page().after(on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId(TOP))), *RETURNED)

    core.play(TOP_AGAIN, children_announced(AGAIN))

    assert core.seen.frame_tree.top is not None
    assert not core.seen.frame_tree.top.is_loading


def test_a_browser_whose_pages_were_all_closed_is_given_one_again() -> None:
    create = target.CreateTarget(url="about:blank", background=True)

    effects = with_page().after(LOST, BACK).play(ALL_ANNOUNCED)

    assert sent(effects) == [Send(command=create, session_id=None, tag=command_tags.FirstPage())]


def test_a_page_that_stays_silent_does_not_hold_up_the_return_and_keeps_its_dialog() -> None:
    core = with_page().after(opening(), *RETURNED)
    before = core.seen.state

    core.play(inputs.TimerFired(timers.SetupDeadline(AGAIN)))

    assert (before, core.seen.state) == ("attaching", "ready")
    assert [info.status for info in core.seen.pages] == ["unresponsive"]
    assert [(dialog.id, dialog.stale) for dialog in core.seen.pending_dialogs] == [("d-1", True)]


def test_a_call_that_was_not_sent_yet_is_sent_when_its_frame_is_there_again() -> None:
    core = with_page().after(LOST, evaluate(), *RETURNED[1:])

    assert not sent(core.play(context(AGAIN, TOP, "context-again")))[1:]

    others = [send for send in sent(core.play(evaluate(call="other"))) if send.tag == command_tags.CallReply("other")]
    assert [send.session_id for send in others] == [AGAIN]
    assert "call" in told(core.play(inputs.CommandSucceeded(command_tags.CallReply("call"), value(2))))


def test_a_call_into_a_frame_that_did_not_come_back_was_not_executed() -> None:
    core = with_oopif().after(LOST, evaluate("1", INNER), *RETURNED[1:])

    (error,) = told(core.play(TOP_AGAIN, children_announced(AGAIN))).values()

    assert str(error) == f"frame '{INNER}' is gone: it was removed"
    assert not getattr(error, "maybe_executed", True)


def test_a_call_that_waited_for_the_connection_in_vain_says_so() -> None:
    core = with_page().after(LOST, evaluate())
    why = "the connection to the browser is being opened again: reset"

    effects = core.play(inputs.TimerFired(timers.CallDeadline("call")))

    assert told(effects) == {"call": CallTimeout(30.0, "away", why, maybe_executed=False)}


def test_a_session_that_the_browser_does_not_know_means_that_the_frame_is_gone() -> None:
    core = with_page().after(evaluate())
    unknown = SessionNotFound(-32001, "Session with given id not found.", method="Runtime.evaluate", session=PAGE)

    (error,) = told(core.play(inputs.CommandFailed(command_tags.CallReply("call"), unknown))).values()

    assert str(error) == f"frame '{TOP}' is gone: the browser does not know its session"


def test_a_dialog_is_kept_and_cannot_be_answered_any_more() -> None:
    core = with_page().after(opening(), answer())

    effects = core.play(LOST)

    (dialog,) = core.seen.pending_dialogs
    assert (dialog.id, dialog.stale, dialog.answerable) == ("d-1", True, False)
    assert Disarm(timers.DialogWatchdog("d-1")) in effects
    assert isinstance(told(effects)["answer"], ConnectionLost)
    assert core.play(inputs.CommandFailed(command_tags.DialogAnswer("d-1"), ConnectionLost("reset"))) == []


@pytest.mark.parametrize(("accepted", "closed_by"), [(True, "agent"), (False, "remote")])
def test_an_answer_whose_dialog_had_ended_by_then_is_told_who_ended_it(accepted: bool, closed_by: str) -> None:
    """The browser had no time to confirm the answer; that the dialog ended as the answer says is as good."""
    core = with_page().after(opening(), answer(), closed(accepted))

    outcome = told(core.play(LOST))["answer"]

    assert getattr(outcome, "closed_by", "remote") == closed_by
    assert isinstance(outcome, DialogReceipt if accepted else DialogAlreadyClosed)
    assert [record.closed_by for record in core.seen.recent_dialogs] == [closed_by]


def test_the_dialog_of_an_oopif_is_not_closed_because_its_page_answers() -> None:
    """Measured: the page runs on while an iframe in another process shows a dialog."""
    core = with_oopif().after(opening(frame_id=INNER), *RETURNED, INNER_IS_BACK)

    core.play(TOP_AGAIN, children_announced(AGAIN))
    assert pending(core) == ["d-1"]
    core.play(INNER_FRAME_AGAIN)

    assert pending(core) == []


def test_a_dialog_whose_frame_is_gone_is_closed() -> None:
    core = with_oopif().after(opening(frame_id=INNER), *RETURNED, TOP_AGAIN, children_announced(AGAIN))

    assert pending(core) == []


def test_a_new_dialog_in_the_same_frame_takes_the_place_of_the_stale_one() -> None:
    core = with_page().after(opening("old"), *RETURNED, opening("new", session=AGAIN))

    dialogs = [(dialog.message, dialog.stale, dialog.answerable) for dialog in core.seen.pending_dialogs]
    assert dialogs == [("new", False, True)]
