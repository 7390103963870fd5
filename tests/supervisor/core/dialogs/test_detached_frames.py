"""An iframe is removed while it shows a dialog: the page is not watched until it is rid of the dialog."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed import Command
from cdp_typed.errors import CommandError, CommandTimeout, ConnectionLost, SessionDetached
from cdp_typed.protocol import page, runtime, target
from supervisor.core.dialogs.detached_frames import CLEAR, COMMAND_TIMEOUT_S, RETRY_S
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.chromium import OUR_WORLD
from supervisor.core.vocabulary.effects import Arm, Disarm, Send
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    answer,
    attach_frame,
    attached,
    closed,
    context,
    detached,
    evaluate,
    frame,
    frame_tree_reply,
    on,
    opening,
    removed,
    sent,
    told,
    tree,
    value,
    with_oopif,
    with_page,
)

REMOVED = removed()
UNWATCHED = inputs.CommandSucceeded(command_tags.PageDisabled(PAGE), None)
WORLD_MADE = inputs.CommandSucceeded(
    command_tags.DetachedDialogWorld(TOP),
    page.CreateIsolatedWorldResult(execution_context_id=runtime.ExecutionContextId(7)),
)
ENDED = inputs.CommandSucceeded(command_tags.DetachedDialogEnded(TOP), value(True))


def sends(command: Command[Any], tag: command_tags.Tag) -> Send:
    return Send(command=command, session_id=PAGE, tag=tag, timeout_s=COMMAND_TIMEOUT_S)


UNWATCH = sends(page.Disable(), command_tags.PageDisabled(PAGE))
MAKE_WORLD = sends(
    page.CreateIsolatedWorld(frame_id=page.FrameId(TOP), world_name=OUR_WORLD), command_tags.DetachedDialogWorld(TOP)
)
NAVIGATE = sends(
    runtime.Evaluate(expression=CLEAR, context_id=runtime.ExecutionContextId(7), return_by_value=True),
    command_tags.DetachedDialogEnded(TOP),
)
RETRY = timers.DetachedDialogRetry(TOP)


def orphaned() -> Core:
    """A core whose page was just left with such a dialog."""
    return with_oopif().after(opening("inner", frame_id=INNER), REMOVED)


def is_watched(core: Core) -> bool:
    return core.seen.pages[0].status == "ok"


def listens(core: Core, *received: inputs.Input) -> bool:
    """Return True if `Page.enable` is sent to the page's session."""
    return page.Enable() in [send.command for send in sent(core.play(*received)) if send.session_id == PAGE]


def test_the_page_is_not_watched_until_the_browser_confirms_that_the_dialog_is_gone() -> None:
    core = with_oopif().after(opening("inner", frame_id=INNER))

    assert core.play(REMOVED) == [UNWATCH, Disarm(timers.DialogWatchdog("d-1"))]
    assert core.seen.pages[0].status == "unwatched"
    (record,) = core.seen.recent_dialogs
    assert (record.id, record.closed_by, record.accepted) == ("d-1", "remote", False)
    assert record.note == "its iframe was removed while it was open"
    assert core.play(UNWATCHED) == [MAKE_WORLD]
    assert core.play(WORLD_MADE) == [NAVIGATE]
    assert listens(core, ENDED)
    assert is_watched(core)


def test_a_page_that_is_watched_again_is_not_told_twice_to_attach_to_its_iframes() -> None:
    """Chromium (150 and 156) leaves an iframe paused for good that moves into another process at that moment."""
    core = orphaned().after(UNWATCHED, WORLD_MADE)

    effects = core.play(ENDED)

    domains = {type(send.command) for send in sent(effects) if send.session_id == PAGE}
    assert page.GetFrameTree in domains
    assert target.SetAutoAttach not in domains


def test_an_answer_that_came_too_late_is_told_as_such() -> None:
    core = with_oopif().after(opening("inner", frame_id=INNER), answer(), REMOVED)
    before = core.seen.recent_dialogs
    refusal = CommandError(-32602, "No dialog is showing", method="m", session=PAGE)

    effects = core.play(inputs.CommandFailed(command_tags.DialogAnswer("d-1"), refusal))

    assert "already closed" in str(told(effects)["answer"])
    assert core.seen.recent_dialogs == before
    assert [record.closed_by for record in before] == ["remote"]


@pytest.mark.parametrize(
    "received",
    [
        [attach_frame("deep", INNER, OOPIF), opening("deep", frame_id="deep")],
        [inputs.TimerFired(timers.SetupDeadline(OOPIF))],
    ],
    ids=["of a frame below it", "that we never saw, because it did not answer"],
)
def test_a_removed_iframe_may_have_had_another_dialog(received: list[inputs.Input]) -> None:
    assert UNWATCH in with_oopif().after(*received).play(REMOVED)


@pytest.mark.parametrize(
    "harmless",
    [
        [opening(frame_id=INNER), closed(False, frame_id=INNER), REMOVED],
        [opening(frame_id=TOP), REMOVED],
        [REMOVED],
        [opening(frame_id=INNER), on(PAGE, page.FrameDetached(frame_id=page.FrameId(INNER), reason="swap"))],
        [opening(frame_id=INNER), detached(OOPIF, PAGE)],
    ],
    ids=["closed before", "another frame's", "none", "swapped", "another process"],
)
def test_nothing_is_done_without_need(harmless: list[inputs.Input]) -> None:
    core = with_oopif()

    assert not sent(core.play(*harmless))
    assert is_watched(core)


LATE, LATE_FRAME = "session-late", "frame-late"
ASKED = timers.SetupDeadline(LATE)


def rescued_with_iframe() -> Core:
    """A core whose page is watched again, with an iframe that came meanwhile."""
    core = orphaned().after(
        detached(OOPIF, PAGE), attached(LATE, LATE_FRAME, kind="iframe", parent=PAGE, parent_frame=TOP)
    )
    core.play(UNWATCHED, WORLD_MADE)
    effects = core.play(ENDED)
    asks = Send(command=page.GetFrameTree(), session_id=LATE, tag=command_tags.FrameTreeReply(LATE))
    assert asks in effects
    assert Arm(ASKED, 2.0) in effects
    return core


LATE_REMOVED = removed(LATE_FRAME)


def test_so_may_one_that_does_not_answer_when_the_page_is_watched_again() -> None:
    assert UNWATCH in rescued_with_iframe().play(LATE_REMOVED)
    answered = inputs.CommandSucceeded(command_tags.FrameTreeReply(LATE), None)
    assert not sent(rescued_with_iframe().after(answered).play(LATE_REMOVED))


def test_a_dialog_that_nobody_saw_is_ended_once() -> None:
    """A long script in the iframe looks the same, and does not end."""
    core = rescued_with_iframe()

    assert UNWATCH in core.play(inputs.TimerFired(ASKED))
    assert not sent(core.after(UNWATCHED, WORLD_MADE, ENDED).play(inputs.TimerFired(ASKED)))
    assert UNWATCH in core.play(LATE_REMOVED)


def test_a_dialog_that_everybody_saw_is_left_alone() -> None:
    core = rescued_with_iframe().after(opening("seen", frame_id=LATE_FRAME))

    assert not sent(core.play(inputs.TimerFired(ASKED)))


REFUSED = CommandError(-32000, "no", method="m", session=PAGE)
BUSY = CommandTimeout("m", session=PAGE, timeout=5.0)


@pytest.mark.parametrize(
    "failed",
    [
        inputs.CommandSucceeded(command_tags.DetachedDialogEnded(TOP), value(False)),
        inputs.CommandFailed(command_tags.DetachedDialogEnded(TOP), BUSY),
        inputs.CommandFailed(command_tags.DetachedDialogWorld(TOP), REFUSED),
    ],
    ids=["the page resists", "the page is busy", "refused"],
)
def test_a_page_that_keeps_its_dialog_stays_unwatched_and_is_tried_again(failed: inputs.Input) -> None:
    core = orphaned().after(UNWATCHED, WORLD_MADE)

    assert core.play(failed) == [Arm(RETRY, RETRY_S)]
    assert core.seen.pages[0].status == "unwatched"
    assert core.play(inputs.TimerFired(RETRY)) == [MAKE_WORLD]


def test_a_browser_that_does_not_confirm_the_end_of_watching_has_heard_it_all_the_same() -> None:
    assert orphaned().play(inputs.CommandFailed(command_tags.PageDisabled(PAGE), BUSY)) == [MAKE_WORLD]


NAVIGATED = CommandError(-32000, "Inspected target navigated or closed", method="m", session=PAGE)
ENDS: dict[str, tuple[Core, inputs.Input, bool]] = {
    "a new document": (orphaned(), context(PAGE, TOP, "context-new"), True),
    "the navigation that ends our script": (
        orphaned(),
        inputs.CommandFailed(command_tags.DetachedDialogEnded(TOP), NAVIGATED),
        True,
    ),
    "not one of another frame": (orphaned(), context(PAGE, "frame-other", "context-other"), False),
    "not one of a session that is gone": (orphaned(), context("session-gone", TOP, "context-gone"), False),
}


@pytest.mark.parametrize(("core", "received", "ends"), ENDS.values(), ids=ENDS)
def test_a_navigation_of_the_page_ends_the_dialog_as_well(core: Core, received: inputs.Input, ends: bool) -> None:
    assert listens(core, received) is is_watched(core) is ends


def test_a_new_document_of_a_page_without_such_a_dialog_is_nothing() -> None:
    assert not listens(with_page(), context(PAGE, TOP, "context-new"))


def test_every_session_of_the_page_must_stop_listening_first() -> None:
    core = with_oopif().after(attached("second", TOP), opening("inner", frame_id=INNER))

    assert [send.session_id for send in sent(core.play(REMOVED))] == ["second", PAGE]
    assert core.play(UNWATCHED) == []
    assert core.play(inputs.CommandSucceeded(command_tags.PageDisabled("second"), None)) == [MAKE_WORLD]


def test_a_session_that_comes_meanwhile_must_stop_too() -> None:
    sends_to_it = [send for send in sent(orphaned().play(attached("second", TOP))) if send.session_id == "second"]

    assert (sends_to_it[0].command, sends_to_it[-1].command) == (page.Enable(), page.Disable())


def test_nobody_may_listen_to_the_page_meanwhile() -> None:
    core = orphaned()
    listen = requests.CallRequested(call_id="listen", work=page.Enable(), frame_id=None, timeout_s=30.0)

    assert not sent(core.play(listen))
    cleared = core.after(UNWATCHED, WORLD_MADE).play(ENDED)
    assert [send.tag for send in sent(cleared)][-1] == command_tags.CallReply("listen")


def test_scripts_run_meanwhile() -> None:
    assert len(sent(orphaned().play(evaluate()))) == 1


def test_the_end_of_the_page_is_the_end_of_it() -> None:
    core = orphaned().after(UNWATCHED, WORLD_MADE)
    core.play(inputs.CommandSucceeded(command_tags.DetachedDialogEnded(TOP), value(False)))

    assert Disarm(RETRY) in core.play(detached(PAGE))
    assert core.play(inputs.TimerFired(RETRY)) == []
    assert core.play(UNWATCHED) == []


def test_a_lost_connection_sends_nothing_more() -> None:
    core = orphaned()
    lost = ConnectionLost("gone")

    assert Disarm(RETRY) in core.play(inputs.Disconnected("gone"))
    for tag in (command_tags.PageDisabled(PAGE), command_tags.DetachedDialogWorld(TOP)):
        assert core.play(inputs.CommandFailed(tag, lost)) == []


def test_a_session_that_ends_takes_its_rescue_along() -> None:
    ended = inputs.CommandFailed(command_tags.DetachedDialogWorld(TOP), SessionDetached(PAGE))

    assert orphaned().after(UNWATCHED).play(ended) == []


def test_two_pages_are_rid_of_their_dialogs_each_on_its_own() -> None:
    core = orphaned().after(
        attached("session-2", "page-2"),
        attached("oopif-2", "frame-2", kind="iframe", parent="session-2", parent_frame="page-2"),
        opening("inner", session="session-2", frame_id="frame-2"),
        on("session-2", page.FrameDetached(frame_id=page.FrameId("frame-2"), reason="remove")),
    )

    (make_world,) = sent(core.play(inputs.CommandSucceeded(command_tags.PageDisabled("session-2"), None)))

    assert (make_world.session_id, make_world.tag) == ("session-2", command_tags.DetachedDialogWorld("page-2"))


def test_a_page_that_was_prerendered_is_rid_of_it_in_its_own_top_frame() -> None:
    """Its id is not that of the page."""
    core = with_page().after(
        frame_tree_reply(PAGE, tree(frame("shown", "http://a.test/"))),
        attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame="shown"),
        opening("inner", frame_id=INNER),
    )

    effects = core.play(REMOVED, UNWATCHED)

    in_its_top = page.CreateIsolatedWorld(frame_id=page.FrameId("shown"), world_name=OUR_WORLD)
    assert [send.command for send in sent(effects) if send.tag == command_tags.DetachedDialogWorld(TOP)] == [in_its_top]
    core.play(context(PAGE, TOP, "context-of-another"))
    assert not is_watched(core)
    core.play(context(PAGE, "shown", "context-new"))
    assert is_watched(core)
