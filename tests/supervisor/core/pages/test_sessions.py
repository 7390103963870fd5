"""Attaching: one pipelined burst per session, readiness when the first picture is complete, and spare sessions."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError, ConnectionLost
from cdp_typed.protocol import emulation, fed_cm, inspector, log, page, runtime, target
from supervisor.core.connection.lifecycle import START
from supervisor.core.vocabulary import command_tags, inputs, timers
from supervisor.core.vocabulary.effects import Arm, CommandResult, Disarm, Send
from tests.support.core.play import (
    ALL_ANNOUNCED,
    BROWSER,
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    attach_frame,
    attached,
    children_announced,
    crashed,
    detached,
    evaluate,
    frame,
    frame_tree_reply,
    on,
    opening,
    sent,
    told,
    tree,
    unresponsive,
    value,
    with_oopif,
    with_page,
)

REFUSED = CommandError(-32601, "not found", method="Runtime.runIfWaitingForDebugger", session="s-w")


def test_once_connected_every_page_is_asked_for() -> None:
    core = Core()
    pages = [target.FilterEntry(type="page")]
    command = target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True, filter=pages)

    assert core.play(inputs.Connected()) == [
        Send(command=target.GetTargets(), session_id=None, tag=command_tags.BrowserIdentity()),
        Send(command=command, session_id=None, tag=command_tags.BrowserAutoAttach()),
    ]
    assert core.seen.state == "attaching"


def test_a_session_is_set_up_in_one_burst_that_awaits_nothing() -> None:
    """Page first: only a client that had Page enabled when a dialog opened can answer it. The page is let run last."""
    core = Core().after(inputs.Connected())

    effects = core.play(attached(PAGE, TOP, waiting=True))

    assert [type(send.command) for send in sent(effects)] == [
        page.Enable,
        inspector.Enable,
        page.GetFrameTree,
        runtime.Enable,
        target.SetAutoAttach,
        log.Enable,
        page.SetInterceptFileChooserDialog,
        fed_cm.Enable,
        runtime.RunIfWaitingForDebugger,
    ]
    assert {send.session_id for send in sent(effects)} == {PAGE}
    assert {send.timeout_s for send in sent(effects)} == {None}
    assert Arm(timers.SetupDeadline(PAGE), 2.0) in effects


def test_a_page_is_made_to_behave_as_in_front_once_it_has_shown_its_first_document() -> None:
    """Chromium 150 and 156 crash a renderer that is told before, and navigated."""
    core = Core().after(inputs.Connected(), attached(PAGE, TOP, waiting=True))

    effects = core.play(frame_tree_reply(PAGE, tree(frame(TOP, "about:blank"))))

    tag = command_tags.SettingSent(PAGE, "focus_emulation")
    assert Send(command=emulation.SetFocusEmulationEnabled(enabled=True), session_id=PAGE, tag=tag) in effects


RELEASED, RELEASED_LATE = command_tags.WorkerReleased("s-w", PAGE), command_tags.WorkerReleased("s-w", "session-gone")
DETACH = Send(command=target.DetachFromTarget(session_id=target.SessionID("s-w")), session_id=PAGE)


@pytest.mark.parametrize(
    ("replied", "replied_late"),
    [
        (inputs.CommandSucceeded(RELEASED, None), inputs.CommandSucceeded(RELEASED_LATE, None)),
        (inputs.CommandFailed(RELEASED, REFUSED), inputs.CommandFailed(RELEASED_LATE, REFUSED)),
    ],
    ids=["answered", "refused"],
)
def test_a_worker_runs_and_is_then_detached_from(replied: inputs.Input, replied_late: inputs.Input) -> None:
    core = with_page()
    run = Send(command=runtime.RunIfWaitingForDebugger(), session_id="s-w", tag=RELEASED)

    assert core.play(attached("s-w", "worker", kind="worker", parent=PAGE, waiting=True)) == [run]
    assert core.play(replied) == [DETACH]
    assert core.play(replied_late) == []


def test_a_worker_that_runs_is_detached_from_at_once() -> None:
    assert with_page().play(attached("s-w", "worker-2", kind="service_worker", parent=PAGE)) == [DETACH]


def test_ready_is_told_when_every_announced_page_has_answered() -> None:
    core = Core().after(inputs.Connected(), attached(PAGE, TOP), attached("s-2", "page-2"))
    early = core.play(
        ALL_ANNOUNCED,
        frame_tree_reply(PAGE, tree(frame(TOP, "about:blank"))),
        children_announced(PAGE),
        frame_tree_reply("s-2", tree(frame("page-2", "about:blank"))),
    )

    assert not told(early)
    assert told(core.play(children_announced("s-2"))) == {START: CommandResult(None)}
    assert core.seen.state == "ready"


def test_a_page_that_does_not_answer_does_not_hold_up_the_start_and_may_answer_after_all() -> None:
    core = Core().after(inputs.Connected(), attached(PAGE, TOP), ALL_ANNOUNCED)

    assert told(core.play(inputs.TimerFired(timers.SetupDeadline(PAGE)))) == {START: CommandResult(None)}
    assert [info.status for info in core.seen.pages] == ["unresponsive"]

    effects = core.play(frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"))), children_announced(PAGE))

    assert Disarm(timers.SetupDeadline(PAGE)) in effects
    assert [info.status for info in core.seen.pages] == ["ok"]


def test_a_call_into_an_unresponsive_page_says_what_may_be_wrong() -> None:
    core = with_page().after(inputs.TimerFired(timers.SetupDeadline(PAGE)), evaluate())

    error = told(core.play(inputs.TimerFired(timers.CallDeadline("call"))))["call"]

    assert "a dialog from before may be open on it" in str(error)


def test_a_browser_without_a_page_is_given_one() -> None:
    core = Core()
    create = target.CreateTarget(url="about:blank", background=True)

    effects = core.play(inputs.Connected(), ALL_ANNOUNCED)

    assert sent(effects)[-1] == Send(command=create, session_id=None, tag=command_tags.FirstPage())
    assert not sent(core.play(inputs.TimerFired(timers.SetupDeadline("none"))))


def test_a_link_that_is_lost_during_the_start_fails_it() -> None:
    core = Core().after(inputs.Connected())

    assert isinstance(told(core.play(inputs.Disconnected("reset")))[START], ConnectionLost)
    assert (core.seen.state, core.seen.reason) == ("lost", "reset")


def test_after_stopping_a_lost_link_is_no_news() -> None:
    core = with_page().after(inputs.StopRequested())

    assert core.play(inputs.Disconnected("closed")) == []
    assert core.seen.state == "stopped"


def test_the_first_page_is_the_current_one_until_it_is_closed() -> None:
    core = with_page().after(attached("s-2", "page-2"), attached("s-3", "page-3"))
    assert [info.target_id for info in core.seen.pages if info.is_current] == [TOP]

    core.play(detached(PAGE))
    assert [info.target_id for info in core.seen.pages if info.is_current] == ["page-3"]

    core.play(detached("s-2"), detached("s-3"))
    assert core.seen.pages == ()
    assert core.seen.frame_tree.top is None


def test_a_detached_session_takes_its_children_with_it() -> None:
    core = with_oopif()

    effects = core.play(detached(PAGE))

    assert not core.state.world.targets.sessions
    assert effects == [Disarm(timers.SetupDeadline(OOPIF)), Disarm(timers.SetupDeadline(PAGE))]


def test_news_of_a_session_that_is_gone_is_ignored() -> None:
    core = with_page()
    before = core.state.world

    late = inputs.TimerFired(timers.SetupDeadline("gone"))
    assert core.play(detached("gone"), crashed("gone"), late) == []
    assert core.state.world == before


def test_a_circle_of_openers_is_survived() -> None:
    core = Core().after(attached("s-1", "one", opener="two"), attached("s-2", "two", opener="one"))

    assert core.state.world.targets.browsing_group("one") in {"one", "two"}


def test_a_session_that_refuses_to_tell_its_frames_is_asked_again_less_and_less_often() -> None:
    core = unresponsive()
    retry, asked = timers.FrameTreeRetry(PAGE), command_tags.FrameTreeReply(PAGE)
    error = CommandError(-32000, "Inspected target navigated or closed", method="m", session=PAGE)
    refused = inputs.CommandFailed(asked, error)

    delays = [core.play(refused) for _ in range(7)]

    assert delays == [[Arm(retry, delay)] for delay in (1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0)]
    assert [send.tag for send in sent(core.play(inputs.TimerFired(retry)))] == [asked]
    its_frames = frame_tree_reply(PAGE, tree(frame(TOP, "http://c.test/")))
    assert Disarm(retry) in core.play(children_announced(PAGE), its_frames)
    assert core.play(refused) == [Arm(retry, 1.0)]
    assert Disarm(retry) in core.play(inputs.Disconnected("gone"))
    assert core.play(refused) == []
    assert core.after(inputs.Connected(BROWSER)).play(refused) == []
    assert core.after(attached("session-new", TOP)).play(refused, inputs.TimerFired(retry)) == []


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
