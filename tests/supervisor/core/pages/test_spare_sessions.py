"""A page that has several sessions is one page; the further ones stand in for the first."""

from __future__ import annotations

import pytest

from cdp_typed.protocol import page, runtime
from supervisor.core.vocabulary import command_tags, inputs, timers
from supervisor.core.vocabulary.effects import Arm, Disarm, Send
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    attach_frame,
    attached,
    detached,
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

SPARE = "session-spare"
LISTEN = Send(command=page.Enable(), session_id=SPARE)


def with_spare() -> Core:
    return with_page().after(attached(SPARE, TOP))


@pytest.mark.parametrize("waiting", [False, True])
def test_of_another_session_of_a_page_only_dialogs_are_wanted(waiting: bool) -> None:
    core = with_page()
    before = core.seen

    effects = core.play(attached(SPARE, TOP, waiting=waiting))

    release = [Send(command=runtime.RunIfWaitingForDebugger(), session_id=SPARE)]
    assert effects == [LISTEN, *(release if waiting else [])]
    assert core.seen == before


def test_the_page_stays_the_current_one_and_its_frames_are_asked_for_again() -> None:
    core = with_oopif().after(attached("session-other", "frame-other"), attached(SPARE, TOP))

    core.play(detached(OOPIF, PAGE), detached(PAGE))

    assert [(info.target_id, info.session_id, info.is_current, info.status) for info in core.seen.pages] == [
        (TOP, SPARE, True, "attaching"),
        ("frame-other", "session-other", False, "attaching"),
    ]
    core.play(frame_tree_reply(SPARE, tree(frame(TOP, "http://a.test/"), tree(frame("child", "http://a.test/c", TOP)))))
    assert [(frame.frame_id, frame.session_id) for frame in core.seen.frame_tree.children] == [("child", SPARE)]


def test_what_was_waited_for_on_the_first_session_is_not_any_more() -> None:
    core = Core().after(inputs.Connected(None), attached(PAGE, TOP), attached(SPARE, TOP))

    effects = core.play(detached(PAGE))

    assert Disarm(timers.SetupDeadline(PAGE)) in effects
    assert Arm(timers.SetupDeadline(SPARE), 2.0) in effects


def test_calls_on_the_session_that_ended_are_lost() -> None:
    assert isinstance(told(with_spare().after(evaluate()).play(detached(PAGE)))["call"], Exception)


def test_a_lost_connection_takes_the_spare_session_along() -> None:
    assert with_spare().after(inputs.Disconnected("gone")).state.world.targets.spares == {}


@pytest.mark.parametrize("order", [(PAGE, SPARE), (SPARE, PAGE)])
def test_a_page_ends_with_all_its_sessions(order: tuple[str, str]) -> None:
    core = with_spare().after(opening(), *(detached(session_id) for session_id in order))

    assert (core.seen.pages, core.seen.pending_dialogs) == ((), ())


def test_it_is_told_of_dialogs_again_when_the_page_is_rid_of_one_without_iframe() -> None:
    core = with_oopif().after(attached(SPARE, TOP), opening("inner", frame_id=INNER))

    removed = core.play(on(PAGE, page.FrameDetached(frame_id=page.FrameId(INNER), reason="remove")))

    assert {send.session_id for send in sent(removed) if send.command == page.Disable()} == {PAGE, SPARE}
    core.play(*(inputs.CommandSucceeded(command_tags.PageDisabled(session_id), None) for session_id in (PAGE, SPARE)))
    world = page.CreateIsolatedWorldResult(execution_context_id=runtime.ExecutionContextId(7))
    core.play(inputs.CommandSucceeded(command_tags.DetachedDialogWorld(TOP), world))
    assert LISTEN in core.play(inputs.CommandSucceeded(command_tags.DetachedDialogEnded(TOP), value(True)))


def test_the_frames_of_a_session_that_is_replaced_go_with_it() -> None:
    core = with_spare().after(attach_frame(INNER, TOP), attached(SPARE, TOP))

    assert {frame.session_id for frame in core.state.world.frames.nodes.values()} == {SPARE}
