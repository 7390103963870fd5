"""The anchor: a second connection whose sessions can do nothing but answer dialogs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.errors import ConnectionLost
from cdp_typed.protocol import page, target
from supervisor.core import inputs, tags, timers
from supervisor.core.anchor import MAX_FAILURES, Anchor
from supervisor.core.effects import Arm, DialAnchor, Disarm, HangUpAnchor, Send, SendOverAnchor
from supervisor.core.step import State
from supervisor.core.tabs import Tabs
from supervisor.core.targets import PAGES_ONLY
from supervisor.core.values import PendingDialog
from supervisor.core.world import World
from tests.support.core import (
    BROWSER,
    INNER,
    PAGE,
    TOP,
    Core,
    answer,
    attached,
    closed,
    complete,
    context,
    detached,
    frame,
    on,
    opening,
    seeded,
    sent,
    told,
    tree,
)

LOST, BACK = inputs.LinkLost("reset"), inputs.LinkUp(BROWSER)
ANCHORED, AGAIN = "session-anchor", "session-page-again"
"""The anchor's session of the first page, and the main connection's after it was lost."""
ANSWER = tags.DialogAnswer("d-1")


def heard(received: inputs.EventReceived) -> inputs.AnchorHeard:
    """The anchor is told what is otherwise the main connection's."""
    event = received.event
    assert isinstance(
        event,
        target.AttachedToTarget
        | target.DetachedFromTarget
        | page.FrameDetached
        | page.JavascriptDialogOpening
        | page.JavascriptDialogClosed,
    )
    return inputs.AnchorHeard(received.session_id, event)


def ready() -> Core:
    """A core with one page, which wants an anchor and is about to dial it."""
    core = Core()
    core.state = State(World(anchor=Anchor(is_wanted=True)))
    core.play(inputs.LinkUp(BROWSER), attached(PAGE, TOP, url="http://a.test/"))
    core.play(inputs.Answered(tags.AutoAttach(), None), context(PAGE, TOP, "context-top"))
    core.play(seeded(PAGE, tree(frame(TOP, "http://a.test/"))), complete(PAGE))
    return core


def anchored() -> Core:
    """The same with the anchor listening."""
    core = ready()
    core.play(inputs.TimerFired(timers.SeedDeadline("none")), inputs.AnchorUp(BROWSER), heard(attached(ANCHORED, TOP)))
    return core


def with_dialog() -> Core:
    """The same with a dialog of which both connections were told."""
    core = anchored()
    core.play(opening(), heard(opening(session=ANCHORED)))
    return core


def the_dialog(core: Core) -> PendingDialog:
    (dialog,) = core.seen.pending_dialogs
    return dialog


def state_of(core: Core) -> str:
    return core.state.world.anchor.state


# -- having one --------------------------------------------------------------------------------------------------


def test_it_is_dialled_once_everything_is_ready() -> None:
    core = ready()

    assert core.play(inputs.TimerFired(timers.SeedDeadline("none"))) == [DialAnchor(0.1)]


def test_it_listens_to_the_dialogs_of_pages_and_holds_nothing_up() -> None:
    core = ready()
    core.play(inputs.TimerFired(timers.SeedDeadline("none")))

    assert core.play(inputs.AnchorUp(BROWSER)) == [
        SendOverAnchor(
            target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=False, flatten=True, filter=PAGES_ONLY)
        )
    ]
    assert core.play(heard(attached(ANCHORED, TOP))) == [SendOverAnchor(page.Enable(), ANCHORED)]
    assert core.play(heard(attached("s-w", "worker", kind="worker"))) == []


@pytest.mark.parametrize("name", [None, "another"])
def test_a_connection_that_may_be_anybody_s_is_not_used(name: str | None) -> None:
    core = ready()
    core.play(inputs.TimerFired(timers.SeedDeadline("none")))

    assert core.play(inputs.AnchorUp(name)) == [HangUpAnchor()]
    assert state_of(core) == "given up"


def test_it_does_not_listen_to_pages_that_are_somebody_else_s() -> None:
    core = anchored()
    core.state = replace(core.state, world=replace(core.state.world, tabs=Tabs(scope="tab", target_id=TOP)))

    assert core.play(heard(attached("a-2", "page-2")), heard(opening(session="a-2", frame_id="page-2"))) == []
    assert core.seen.pending_dialogs == ()


def test_nobody_dials_one_that_is_not_wanted() -> None:
    core = Core()
    core.play(inputs.LinkUp(BROWSER), inputs.AnchorUp(BROWSER))

    assert state_of(core) == "down"


def test_one_that_is_lost_is_dialled_again_and_after_many_times_given_up() -> None:
    core = anchored()

    pauses = core.play(*(inputs.AnchorLost() for _ in range(MAX_FAILURES + 1)))

    assert pauses[:4] == [DialAnchor(0.4), DialAnchor(1.6), DialAnchor(6.4), DialAnchor(25.6)]
    assert pauses[4:] == [DialAnchor(30.0)] * 6
    assert state_of(core) == "given up"


def test_a_refusal_that_waiting_does_not_change_is_believed() -> None:
    core = anchored()

    assert core.play(inputs.AnchorLost(is_final=True)) == []
    assert state_of(core) == "given up"


def test_it_waits_for_the_main_connection_before_it_is_dialled_again() -> None:
    core = anchored()
    core.play(LOST)

    assert core.play(inputs.AnchorLost()) == []
    assert state_of(core) == "down"


def test_it_ends_with_the_supervisor() -> None:
    core = anchored()

    assert HangUpAnchor() in core.play(inputs.StopRequested())
    assert state_of(core) == "down"


# -- dialogs -----------------------------------------------------------------------------------------------------


def test_a_dialog_of_which_both_are_told_is_one_dialog_of_the_main_connection() -> None:
    core = with_dialog()

    assert (the_dialog(core).id, the_dialog(core).session_id) == ("d-1", PAGE)
    core.play(heard(closed(session=ANCHORED)), closed())
    assert [record.id for record in core.seen.recent_dialogs] == ["d-1"]


def test_when_the_main_connection_is_lost_the_anchor_can_answer() -> None:
    core = with_dialog()
    core.now += 100

    effects = core.play(LOST)

    dialog = the_dialog(core)
    assert (dialog.id, dialog.session_id, dialog.answerable, dialog.stale) == ("d-1", ANCHORED, True, False)
    assert effects[-1] == Arm(timers.DialogWatchdog("d-1"), 200.0)
    (send,) = sent(core.play(answer()))
    assert (send.session_id, send.tag) == (ANCHORED, ANSWER)
    outcome = told(core.play(heard(closed(session=ANCHORED)), inputs.Answered(ANSWER, None)))
    assert getattr(outcome["answer"], "closed_by", None) == "agent"


def test_a_dialog_that_the_anchor_was_not_told_of_is_stale_until_it_is() -> None:
    core = anchored()
    core.play(opening(), LOST)
    assert (the_dialog(core).answerable, the_dialog(core).stale) == (False, True)

    core.play(heard(opening(session=ANCHORED)))

    assert (the_dialog(core).id, the_dialog(core).answerable, the_dialog(core).stale) == ("d-1", True, False)


def test_a_dialog_that_opens_while_the_main_connection_is_away_is_known() -> None:
    core = anchored()
    core.play(LOST)

    core.play(heard(opening(session=ANCHORED)))

    assert (the_dialog(core).session_id, the_dialog(core).target_id) == (ANCHORED, TOP)


def test_a_dialog_that_opened_before_the_main_connection_listened_again_is_one_dialog() -> None:
    core = anchored()
    core.play(LOST, BACK, attached(AGAIN, TOP), heard(opening(session=ANCHORED)))

    core.play(opening(session=AGAIN))

    assert (the_dialog(core).id, the_dialog(core).session_id) == ("d-1", AGAIN)
    assert core.seen.recent_dialogs == ()


def test_a_new_page_s_dialog_is_known_when_the_main_connection_finds_the_page_frozen() -> None:
    core = anchored()
    core.play(LOST, heard(attached("a-2", "page-2")), heard(opening(session="a-2", frame_id="page-2")))
    assert core.seen.pending_dialogs == ()

    core.play(BACK, attached("s-2", "page-2"), inputs.TimerFired(timers.SeedDeadline("s-2")))

    assert (the_dialog(core).session_id, the_dialog(core).target_id) == ("a-2", "page-2")


def test_a_late_report_of_the_anchor_opens_nothing_while_the_main_connection_watches() -> None:
    core = with_dialog()
    core.play(closed())

    core.play(heard(opening(session=ANCHORED)))

    assert core.seen.pending_dialogs == ()


def test_when_the_anchor_goes_too_the_dialog_is_stale_and_its_answer_lost() -> None:
    core = with_dialog()
    core.play(LOST, answer())

    effects = core.play(inputs.AnchorLost())

    assert isinstance(told(effects)["answer"], ConnectionLost)
    assert (the_dialog(core).answerable, the_dialog(core).stale) == (False, True)
    assert effects[-1] == Disarm(timers.DialogWatchdog("d-1"))


def test_a_page_that_the_anchor_is_detached_from_cannot_be_answered_there() -> None:
    core = with_dialog()
    core.play(LOST)

    core.play(heard(detached(ANCHORED)))

    assert not the_dialog(core).answerable


# -- never take the browser down ---------------------------------------------------------------------------------


def removed() -> page.FrameDetached:
    return page.FrameDetached(frame_id=page.FrameId(INNER), reason="remove")


def test_nobody_listens_any_more_when_a_dialog_loses_its_iframe() -> None:
    core = anchored()
    core.play(on(PAGE, page.FrameAttached(frame_id=page.FrameId(INNER), parent_frame_id=page.FrameId(TOP))))
    core.play(opening(frame_id=INNER), heard(opening(session=ANCHORED, frame_id=INNER)))

    effects = core.play(on(PAGE, removed()))

    deaf = {send.session_id for send in sent(effects) if send.command == page.Disable()}
    assert deaf == {PAGE, ANCHORED}
    assert core.play(heard(attached("a-2", TOP))) == []


def test_the_anchor_listens_again_when_the_page_is_rid_of_the_dialog() -> None:
    core = anchored()
    core.play(on(PAGE, page.FrameAttached(frame_id=page.FrameId(INNER), parent_frame_id=page.FrameId(TOP))))
    core.play(opening(frame_id=INNER), heard(opening(session=ANCHORED, frame_id=INNER)), on(PAGE, removed()))

    effects = core.play(context(PAGE, TOP, "context-next"))

    assert SendOverAnchor(page.Enable(), ANCHORED) in effects
    assert Send(command=page.Enable(), session_id=PAGE) in effects


def test_the_anchor_alone_stops_listening_as_well() -> None:
    core = anchored()
    core.play(opening(frame_id=INNER), heard(opening(session=ANCHORED, frame_id=INNER)), LOST)

    assert core.play(heard(on(ANCHORED, removed())))[0] == SendOverAnchor(page.Disable(), ANCHORED)
    assert (the_dialog(core).answerable, the_dialog(core).stale) == (False, True)
