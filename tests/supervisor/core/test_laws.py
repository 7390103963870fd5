"""Laws that hold after any sequence of inputs, however absurd."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cdp_typed.protocol import fetch, page, runtime, target
from supervisor.core.connection.lifecycle import START
from supervisor.core.dialogs.rules import rules_of_settings
from supervisor.core.order import ORDER
from supervisor.core.slices import Slice
from supervisor.core.snapshot import snapshot
from supervisor.core.state.bridge import Interception
from supervisor.core.state.dialogs import DialogRateLimit, Dialogs
from supervisor.core.state.observed import NetworkRequests
from supervisor.core.state.world import State, World
from supervisor.core.step import NO_IDENTITY, kind_of, step
from supervisor.core.vocabulary import inputs, requests, timers
from supervisor.core.vocabulary.command_tags import CallReply, CallValue, HangProbe, NavigationReply, Tag
from supervisor.core.vocabulary.effects import (
    Arm,
    CompleteCall,
    Connect,
    Disarm,
    Disconnect,
    Effect,
    Effects,
    Forget,
    Send,
)
from supervisor.core.vocabulary.values import DialogRule
from tests.support.core.bridge import bridge
from tests.support.core.call_histories import AROUND_CALLS, LATE, Answered, with_iframe
from tests.support.core.call_laws import CallLaws
from tests.support.core.histories import BEGINNINGS, CLOSE, DENIED, ENDS, INPUTS, MODES, POLICIES
from tests.support.core.navigations import RELOAD
from tests.support.core.play import Core, evaluate, opening


def watched(entry: Slice) -> Slice:
    """Return a slice without a guard that fails when it changes a field that it does not declare, or does anything
    although its guard does not hold."""

    def advance(world: World, before: World, received: inputs.Input, now: float) -> tuple[World, Effects]:
        after, effects = entry.advance(world, before, received, now)
        assert replace(after, **{name: getattr(world, name) for name in entry.changes}) == world
        guard = None if kind_of(received) in entry.wakes_on else entry.guard
        if guard is not None and not any(read(world) for read in guard.readers):
            assert (after, effects) == (world, ()), f"{entry.reason!r}: its guard does not hold, and it does something"
        return after, effects

    return replace(entry, advance=advance, guard=None)


RULE_OF_SETTINGS = DialogRule(action="accept", expires_s=3.0)
WATCHED = tuple(map(watched, ORDER))


def every_position(kind: type, pending_changes: frozenset[str]) -> list[tuple[int, bool]]:
    return [(position, True) for position in range(len(ORDER))]


def step_through_every_slice(state: State, received: Any, now: float) -> tuple[State, Effects]:
    """Step as if every input concerned every slice, and every guard held; each slice may change only the fields that it
    declares."""
    with patch.multiple("supervisor.core.step", concerned=every_position, ORDER=WATCHED):
        return step(state, received, now)


class Play:
    """A run of the core that keeps the books which the driver would keep."""

    def __init__(self, policy: Any, mode: Any) -> None:
        self.state = State(
            World(
                dialogs=Dialogs(
                    policy=policy,
                    timeout_s=300.0,
                    rate_limit=DialogRateLimit(limit=3),
                    rules=rules_of_settings((RULE_OF_SETTINGS,) if mode == "never" else ()),
                ),
                bridge=bridge(mode),
                interception=Interception(http_auth=mode == "auto", url_rules=(DENIED,) if mode == "never" else ()),
                network_requests=NetworkRequests(is_watched=mode == "always"),
            )
        )
        self.shown = (self.state, snapshot(self.state))
        self.now = 1000.0
        self.timers: dict[timers.Timer, float] = {}
        self.asked: set[str] = {START}
        self.calls = CallLaws()
        self.unanswered: list[Send] = []
        self.sent: set[Tag | None] = set()
        self.told: list[str] = []
        self.dialog_ids: list[str] = []

    def feed(self, received: Any) -> None:
        if received == "fire":
            if not self.timers:
                return
            timer = next(iter(self.timers))
            del self.timers[timer]
            received = inputs.TimerFired(timer)
        if isinstance(received, Answered):
            if not self.unanswered:
                return
            received = received.of(self.unanswered.pop(-1 - received.age % len(self.unanswered)))
        if isinstance(received, requests.Request):
            call_id = f"c-{len(self.asked)}"
            self.asked.add(call_id)
            received = replace(received, call_id=call_id)
        before = self.state.world
        self.now += 0.3
        thorough, expected = step_through_every_slice(self.state, received, self.now)
        self.state, effects = step(self.state, received, self.now)
        outcome, thorough_outcome = (self.state.world, effects), (thorough.world, expected)
        is_same = outcome == thorough_outcome or repr(outcome) == repr(thorough_outcome)  # exceptions differ
        assert is_same, "a slice was concerned, and left out"
        assert all(one.reason == NO_IDENTITY for one in self.state.rejected.values()), "a slice failed"
        self.dialog_ids += [
            dialog.info.id for dialog in self.state.world.dialogs.open if dialog.info.id not in before.dialogs.ids()
        ]
        for effect in effects:
            self.note(effect)
        self.calls.check(before, self.state.world, received, effects)
        _check_safety(self.state.world, effects)
        _check_held(self.state.world, received, effects)

    def note(self, effect: Effect) -> None:
        match effect:
            case Arm(timer, delay_s):
                self.timers[timer] = delay_s
            case Disarm(timer):
                self.timers.pop(timer, None)
            case CompleteCall(call_id):
                self.told.append(call_id)
            case Send():
                if isinstance(effect.tag, CallReply | CallValue | NavigationReply | HangProbe):
                    self.unanswered.append(effect)
                self.sent.add(effect.tag)
                session_ids = self.state.world.targets.listening.sessions
                is_let_go = isinstance(effect.command, runtime.RunIfWaitingForDebugger)
                assert effect.session_id is None or effect.session_id in session_ids or is_let_go
                assert self.state.world.connection.is_up or isinstance(effect.command, target.GetTargets)
            case Connect(within_s):
                assert self.state.world.connection.state == "reconnecting", "a dial that nobody waits for"
                assert 0 < within_s <= 60
            case Disconnect():
                assert not self.state.world.connection.is_up, "a connection in use was ended"
            case Forget(tag):
                assert tag in self.sent, "a command that was never sent is to be forgotten"
                self.unanswered = [send for send in self.unanswered if send.tag != tag]


@settings(max_examples=400, deadline=None)
@given(POLICIES, MODES, BEGINNINGS, st.lists(INPUTS, max_size=60), ENDS, st.lists(INPUTS, max_size=10))
def test_the_laws_hold_after_any_sequence_of_inputs(
    policy: Any, mode: Any, beginning: list[Any], middle: list[Any], end: list[Any], after: list[Any]
) -> None:
    play = Play(policy, mode)
    for received in (*beginning, *middle, *end, *after):
        play.feed(received)
        _check(play)


@settings(max_examples=200, deadline=None)
@given(AROUND_CALLS)
def test_calls_run_in_their_frame_or_end(history: list[Any]) -> None:
    """The same laws, where most of what happens is about calls and the frames that they are for."""
    play = Play("must_respond", "auto")
    for received in history:
        play.feed(received)
        _check(play)


@pytest.mark.parametrize("late", LATE, ids=repr)
def test_what_comes_late_changes_nothing(late: inputs.Input) -> None:
    core = Core().after(*with_iframe(("u1", "u2")), RELOAD, evaluate(), opening(session="s1", frame_id="f2"))
    before = core.state.world

    assert (core.play(late), core.state.world) == ([], before)


def _check(play: Play) -> None:
    world, calls = play.state.world, play.state.world.calls
    sessions, nodes = world.targets.sessions, world.frames.nodes

    assert len(play.told) == len(set(play.told)), "a call was told twice"
    assert set(play.told) <= play.asked, "a call was told that nobody made"
    assert len(play.dialog_ids) == len(set(play.dialog_ids)), "a dialog id was used twice"
    for session in sessions.values():
        assert session.parent_session_id is None or session.parent_session_id in sessions, "an orphaned session"
    for node in nodes.values():
        above, steps = node, 0
        while above.parent_id is not None:
            assert above.parent_id in nodes, "a frame without a path to its root"
            above, steps = nodes[above.parent_id], steps + 1
            assert steps <= len(nodes), "a circle of frames"
    for dialog in world.dialogs.open:
        assert world.targets.page(dialog.info.target_id), "a dialog of a page that is gone"
        can_answer = dialog.info.session_id in world.targets.listening.sessions
        assert can_answer or not dialog.info.answerable, "a dialog that nobody can answer"
    _check_link(world)
    _check_timers(play)
    for storm in world.dialogs.rate_limit.storms:
        assert timers.RateLimitReset(storm.target_id) in play.timers, "a storm without an end"
    waiting = {d.pending_answer.call_id for d in world.dialogs.open if d.pending_answer and d.pending_answer.call_id}
    settling = {c.pending_answer.call_id for c in world.dialogs.closed if c.pending_answer and c.pending_answer.call_id}
    leaving = play.state.world.navigations.pending
    for call_id in leaving:
        assert timers.NavigationDeadline(call_id) in play.timers, "a departure without a deadline"
    known = {*play.told, *calls.pending, *leaving, *waiting, *settling, *world.blockers.ending, *world.bridge.ending}
    assert play.asked - {START} <= known, "a call was lost"
    shown = snapshot(play.state)
    assert snapshot(play.state, play.shown) == shown, "a part of the snapshot before was out of date"
    play.shown = (play.state, shown)


def _check_safety(world: World, effects: Sequence[Effect]) -> None:
    """Chromium 156 would die of these."""
    sends = [effect for effect in effects if isinstance(effect, Send)]
    deaf = {send.session_id for send in sends if send.command == page.Disable()}
    for send in sends:
        session = world.targets.sessions.get(send.session_id or "")
        if session is None:
            continue
        if send.command == page.Enable() and session.target_id in world.detached_frame_dialogs.pages:
            assert session.session_id in deaf, "somebody listens to a page whose dialog has lost its iframe"
        if send.command in (page.Close(), CLOSE):
            ended = "f1" if send.command == CLOSE else session.page_id
            for dialog in world.dialogs.open:
                if dialog.is_in_iframe and dialog.info.target_id == ended:
                    assert dialog.info.session_id in deaf, "a page is closed under an iframe's dialog"


def _check_held(world: World, received: Any, effects: Sequence[Effect]) -> None:
    """A document that is held for its place is decided about at once, by one, and rightly."""
    match received:
        case inputs.EventReceived(str() as session_id, fetch.RequestPaused(resource_type="Document") as event):
            settings = world.interception.applied.get(session_id)
        case _:
            return
    if settings is None or not settings.url_rules or not world.connection.is_up:
        return
    (decided,) = [send for send in effects if isinstance(send, Send) and send.session_id == session_id]
    is_let_go = isinstance(decided.command, fetch.ContinueRequest)
    assert is_let_go or isinstance(decided.command, fetch.FailRequest), "a document hangs"
    assert not (is_let_go and "b.test" in event.request.url), "a document was let go that is refused"


def _check_link(world: World) -> None:
    connection, here = world.connection, world.targets.sessions
    assert len(connection.failures) <= connection.reconnect_policy.attempts + 1, "more failures than are borne"
    assert (connection.end is None) != (connection.state in ("lost", "stopped")), (
        "an end without a reason, or the other way round"
    )
    if not connection.is_up:
        assert connection.state == "stopped" or all(session.stale for session in here.values()), (
            "a session without a link"
        )
        assert connection.state == "stopped" or all(node.stale for node in world.frames.nodes.values())
    for node in world.frames.nodes.values():
        assert node.session_id in here or node.stale, "a frame that nobody follows"
        assert world.targets.page(node.page_id), "a frame of a page that is gone"


def _check_timers(play: Play) -> None:
    world = play.state.world
    open_ids = set(world.dialogs.ids())
    for timer in play.timers:
        match timer:
            case timers.CallDeadline(call_id):
                assert call_id in play.state.world.calls.pending, "a deadline of a call that has ended"
            case timers.DialogWatchdog(dialog_id) | timers.AnswerRetry(dialog_id) | timers.BridgeProbe(dialog_id):
                assert dialog_id in open_ids, "a watchdog of a dialog that is closed"
            case timers.SetupDeadline(session_id):
                assert session_id in world.targets.sessions, "a deadline of a session that is gone"
                assert not world.targets.sessions[session_id].stale, "a deadline of a session that was lost"
            case timers.HangCheck(call_id):
                assert call_id in play.state.world.calls.pending, "a check of a call that has ended"
                assert play.state.world.calls.pending[call_id].frame is not None, "a check of a call without a page"
            case timers.HangDeadline(session_id):
                assert session_id in play.state.world.hang_probes.sessions, "a deadline of a question that was answered"
            case timers.FrameTreeRetry(session_id):
                assert session_id in world.targets.sessions, "a question to a session that is gone"
            case timers.PopupRelease():
                pass  # of a session that is gone: the browser refuses the command, and nobody asks
            case timers.NavigationDeadline(call_id) | timers.NavigationRetry(call_id):
                assert call_id in play.state.world.navigations.pending, "a deadline of a departure that has ended"
            case timers.RateLimitReset(target_id):
                assert world.dialogs.rate_limit.is_exceeded_by(target_id), "the end of a storm that does not rage"
            case timers.DetachedDialogRetry(page_id):
                assert page_id in world.detached_frame_dialogs.pages, "a retry of a rescue that is over"
            case timers.BlankBeforeCloseDeadline(page_id):
                assert page_id in world.before_close.going_to_blank, "a deadline of a way that is over"
            case timers.FrameMoveDeadline(frame_id):
                assert world.frames.nodes[frame_id].is_moving, "a deadline of a frame that is there"
            case timers.UnloadedFramesCheck():
                pass  # of a session that is gone: nobody asks
            case timers.RouteDelay():
                pass  # of a session that is gone: no request waits for it
            case timers.AnnounceDeadline(epoch):
                assert epoch <= world.connection.epoch, "a wait on a connection that does not exist yet"
    for frame_id in world.frames.moving if world.connection.is_alive else ():
        assert timers.FrameMoveDeadline(frame_id) in play.timers, "a frame that moves for ever"
    for call_id in play.state.world.calls.pending:
        assert timers.CallDeadline(call_id) in play.timers, "a call without a deadline"
