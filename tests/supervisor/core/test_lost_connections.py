"""A connection is lost and comes back: what is kept of pages, frames, calls and dialogs."""

from __future__ import annotations

import pytest

from cdp_typed.errors import ConnectionLost, SessionNotFound
from cdp_typed.protocol import page, target
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, Disarm, Send
from supervisor.core.vocabulary.errors import CallLost, CallTimeout, DialogAlreadyClosed
from supervisor.core.vocabulary.values import ConnectionPhase, DialogReceipt
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


def listed(*target_ids: str) -> inputs.CommandSucceeded:
    """The browser has these pages."""
    infos = tuple(
        target.TargetInfo(
            target_id=target.TargetID(target_id), type="page", title="", url="", attached=False, can_access_opener=False
        )
        for target_id in target_ids
    )
    return inputs.CommandSucceeded(command_tags.BrowserIdentity(), target.GetTargetsResult(target_infos=infos))


def returned(core: Core) -> None:
    """The connection is back, and so is the page with its session."""
    core.play(BACK, attached(AGAIN, TOP, url="http://a.test/"), ALL_ANNOUNCED)


def states(core: Core) -> tuple[ConnectionPhase, str]:
    return core.seen.state, core.seen.reason


def pending(core: Core) -> list[str]:
    return [dialog.id for dialog in core.seen.pending_dialogs]


# -- losing it ---------------------------------------------------------------------------------------------------


def test_everything_is_kept_and_stale_until_it_is_seen_again() -> None:
    core = with_oopif().after(LOST)
    away = core.seen
    assert [info.stale for info in away.pages] == [True]
    assert [info.stale for info in away.frame_tree.children] == [True]

    returned(core)
    core.play(frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/"))))
    core.play(attached(INNER_AGAIN, INNER, kind="iframe", parent=AGAIN, parent_frame=TOP))
    core.play(
        children_announced(AGAIN),
        frame_tree_reply(INNER_AGAIN, tree(frame(INNER, "http://b.test/", TOP))),
        children_announced(INNER_AGAIN),
    )

    back = core.seen
    assert back.state == "ready"
    assert [(info.target_id, info.session_id, info.stale) for info in back.pages] == [(TOP, AGAIN, False)]
    assert [(info.frame_id, info.session_id, info.stale) for info in back.frame_tree.children] == [
        (INNER, INNER_AGAIN, False)
    ]


def test_a_call_for_a_page_that_is_not_announced_again_yet_waits() -> None:
    core = with_page().after(LOST, BACK)
    shot = requests.CallRequested(call_id="call", work=page.CaptureScreenshot(), frame_id=TOP, timeout_s=30.0)

    waiting = core.play(shot)
    going = core.play(
        attached(AGAIN, TOP, url="http://a.test/"), frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/")))
    )

    assert (sent(waiting), told(waiting)) == ([], {})
    assert [send.session_id for send in sent(going) if send.command == page.CaptureScreenshot()] == [AGAIN]


def test_pages_keep_their_order_and_the_current_one_is_kept() -> None:
    core = with_page().after(attached("s-2", "page-2"), LOST, BACK)

    core.play(attached("s-2-again", "page-2"), attached(AGAIN, TOP), ALL_ANNOUNCED)

    assert [(info.session_id, info.is_current) for info in core.seen.pages] == [(AGAIN, True), ("s-2-again", False)]


def test_a_page_that_was_closed_meanwhile_is_gone_once_all_are_announced() -> None:
    core = with_oopif().after(attached("s-2", "page-2"), opening(session="s-2", frame_id="page-2"), LOST, BACK)
    core.play(attached("s-2-again", "page-2"), ALL_ANNOUNCED)

    assert [info.target_id for info in core.seen.pages] == ["page-2"]
    assert set(core.state.world.frames.nodes) == {"page-2"}
    assert [info.is_current for info in core.seen.pages] == [True]


def test_a_frame_that_was_removed_meanwhile_is_gone_once_its_page_has_told_all() -> None:
    core = with_oopif().after(LOST)
    returned(core)

    core.play(frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/"))))
    assert [info.frame_id for info in core.seen.frame_tree.children] == [INNER]
    core.play(children_announced(AGAIN))

    assert core.seen.frame_tree.children == ()


def test_a_frame_below_one_in_another_process_is_that_one_s_to_tell() -> None:
    core = with_oopif().after(attach_frame("deep", INNER, OOPIF), LOST)
    returned(core)
    core.play(attached(INNER_AGAIN, INNER, kind="iframe", parent=AGAIN, parent_frame=TOP))

    core.play(frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/"))), children_announced(AGAIN))
    assert "deep" in core.state.world.frames.nodes
    core.play(frame_tree_reply(INNER_AGAIN, tree(frame(INNER, "http://b.test/", TOP))), children_announced(INNER_AGAIN))

    assert "deep" not in core.state.world.frames.nodes


def test_a_frame_that_finished_loading_meanwhile_is_not_loading_for_ever() -> None:
    core = with_page().after(on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId(TOP))), LOST)

    returned(core)
    core.play(frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/"))), children_announced(AGAIN))

    assert core.seen.frame_tree.top is not None
    assert not core.seen.frame_tree.top.is_loading


def test_a_browser_whose_pages_were_all_closed_is_given_one_again() -> None:
    core = with_page().after(LOST, BACK)

    effects = core.play(ALL_ANNOUNCED)

    assert sent(effects) == [
        Send(
            command=target.CreateTarget(url="about:blank", background=True),
            session_id=None,
            tag=command_tags.FirstPage(),
        )
    ]


def test_a_page_that_stays_silent_does_not_hold_up_the_return() -> None:
    core = with_page().after(LOST)
    returned(core)
    assert states(core)[0] == "attaching"

    core.play(inputs.TimerFired(timers.SetupDeadline(AGAIN)))

    assert core.seen.state == "ready"
    assert [info.status for info in core.seen.pages] == ["unresponsive"]


# -- calls -------------------------------------------------------------------------------------------------------


def test_a_call_that_was_sent_ends_with_the_connection() -> None:
    core = with_page().after(evaluate())

    effects = core.play(LOST)

    assert told(effects) == {"call": CallLost("reset")}
    assert CallLost("reset").maybe_executed
    assert str(CallLost("reset")) == "connection lost: reset"


def test_a_call_that_was_not_sent_yet_is_sent_when_its_frame_is_there_again() -> None:
    core = with_page().after(LOST, evaluate())
    returned(core)

    assert not sent(core.play(context(AGAIN, TOP, "context-again")))[1:]

    (send,) = [
        send_effect
        for send_effect in sent(core.play(evaluate(call="other")))
        if send_effect.tag == command_tags.CallReply("other")
    ]
    assert send.session_id == AGAIN
    effects = core.play(inputs.CommandSucceeded(command_tags.CallReply("call"), value(2)))
    assert "call" in told(effects)


def test_a_call_into_a_frame_that_did_not_come_back_was_not_executed() -> None:
    core = with_oopif().after(LOST, evaluate("1", INNER))
    returned(core)

    effects = core.play(frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/"))), children_announced(AGAIN))

    (error,) = told(effects).values()
    assert str(error) == f"frame '{INNER}' is gone: it was removed"
    assert not getattr(error, "maybe_executed", True)


def test_a_call_that_waited_for_the_connection_in_vain_says_so() -> None:
    core = with_page().after(LOST, evaluate())

    effects = core.play(inputs.TimerFired(timers.CallDeadline("call")))

    assert told(effects) == {
        "call": CallTimeout(
            30.0, "away", "the connection to the browser is being opened again: reset", maybe_executed=False
        )
    }


def test_a_session_that_the_browser_does_not_know_means_that_the_frame_is_gone() -> None:
    core = with_page().after(evaluate())
    unknown = SessionNotFound(-32001, "Session with given id not found.", method="Runtime.evaluate", session=PAGE)

    (error,) = told(core.play(inputs.CommandFailed(command_tags.CallReply("call"), unknown))).values()

    assert str(error) == f"frame '{TOP}' is gone: the browser does not know its session"


# -- dialogs -----------------------------------------------------------------------------------------------------


def test_a_dialog_is_kept_and_cannot_be_answered_any_more() -> None:
    core = with_page().after(opening())

    effects = core.play(LOST)

    (dialog,) = core.seen.pending_dialogs
    assert (dialog.id, dialog.stale, dialog.answerable) == ("d-1", True, False)
    assert Disarm(timers.DialogWatchdog("d-1")) in effects


def test_an_answer_on_its_way_fails_with_the_connection() -> None:
    core = with_page().after(opening(), answer())

    effects = core.play(LOST)

    assert isinstance(told(effects)["answer"], ConnectionLost)
    assert not [effect for effect in effects[-1:] if isinstance(effect, Arm)]


@pytest.mark.parametrize(("accepted", "closed_by"), [(True, "agent"), (False, "remote")])
def test_an_answer_whose_dialog_had_ended_by_then_is_told_who_ended_it(accepted: bool, closed_by: str) -> None:
    """The browser had no time to confirm the answer; that the dialog ended as the answer says is as good."""
    core = with_page().after(opening(), answer(), closed(accepted))

    outcome = told(core.play(LOST))["answer"]

    assert getattr(outcome, "closed_by", "remote") == closed_by
    assert isinstance(outcome, DialogReceipt if accepted else DialogAlreadyClosed)
    assert [record.closed_by for record in core.seen.recent_dialogs] == [closed_by]


def test_a_dialog_whose_page_answers_again_was_closed_meanwhile() -> None:
    core = with_page().after(opening(), LOST)
    returned(core)
    assert pending(core) == ["d-1"]

    core.play(frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/"))))

    assert pending(core) == []
    assert [(record.id, record.closed_by) for record in core.seen.recent_dialogs] == [("d-1", "remote")]


def test_a_dialog_whose_page_is_still_frozen_stays() -> None:
    core = with_page().after(opening(), LOST)
    returned(core)

    core.play(inputs.TimerFired(timers.SetupDeadline(AGAIN)))

    assert [(dialog.id, dialog.stale) for dialog in core.seen.pending_dialogs] == [("d-1", True)]


def test_the_dialog_of_an_oopif_is_not_closed_because_its_page_answers() -> None:
    """Measured: the page runs on while an iframe in another process shows a dialog."""
    core = with_oopif().after(opening(frame_id=INNER), LOST)
    returned(core)
    core.play(attached(INNER_AGAIN, INNER, kind="iframe", parent=AGAIN, parent_frame=TOP))

    core.play(frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/"))), children_announced(AGAIN))
    assert pending(core) == ["d-1"]
    core.play(frame_tree_reply(INNER_AGAIN, tree(frame(INNER, "http://b.test/", TOP))))

    assert pending(core) == []


def test_a_dialog_whose_frame_is_gone_is_closed() -> None:
    core = with_oopif().after(opening(frame_id=INNER), LOST)
    returned(core)

    core.play(frame_tree_reply(AGAIN, tree(frame(TOP, "http://a.test/"))), children_announced(AGAIN))

    assert pending(core) == []


def test_a_new_dialog_in_the_same_frame_takes_the_place_of_the_stale_one() -> None:
    core = with_page().after(opening("old"), LOST)
    returned(core)

    core.play(opening("new", session=AGAIN))

    assert [(dialog.message, dialog.stale, dialog.answerable) for dialog in core.seen.pending_dialogs] == [
        ("new", False, True)
    ]
