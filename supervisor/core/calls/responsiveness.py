"""Slice: probes the page of a call that takes long, so that the call's error can tell a slow page from a hanging one.

An endless script and a dialog that was not announced look the same: the page answers no command.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import runtime
from supervisor.core.state.calls import Call, Calls, HangProbes
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import HangProbe
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, Input, TimerFired
from supervisor.core.vocabulary.timers import HangCheck, HangDeadline

CHECK_AFTER_S = 2.0
"""The time after which the page of a call is probed."""
ANSWER_WITHIN_S = 2.0
"""The deadline for the reply to the probe."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Probe the page of a call that takes long."""
    probes, effects = _reduce(world.hang_probes, received, before.calls, world.calls, world.targets)
    return replace(world, hang_probes=probes), effects


def _reduce(
    probes: HangProbes, received: Input, old: Calls, new: Calls, targets: Targets
) -> tuple[HangProbes, Effects]:
    """Probe the page of a call that takes long. `old` are the calls before this input; `new` and `targets` are as after
    it."""
    effects = _watch(old, new)
    match received:
        case TimerFired(HangCheck(call_id)) if call_id in new.pending:
            probes, more = _ask(probes, new.pending[call_id], targets)
            effects = (*effects, *more)
        case CommandSucceeded(HangProbe(session_id)) | CommandFailed(HangProbe(session_id)) if (
            session_id in probes.sessions
        ):
            probes = replace(probes, sessions=probes.sessions - {session_id})
            effects = (*effects, Disarm(HangDeadline(session_id)))
        case _:
            pass
    if not probes.sessions:
        return probes, effects
    gone = {key for key in probes.sessions if key not in targets.sessions or targets.sessions[key].stale}
    if gone:
        probes = replace(probes, sessions=probes.sessions - gone)
        effects = (*effects, *(Disarm(HangDeadline(key)) for key in sorted(gone)))
    return probes, effects


def _watch(old: Calls, new: Calls) -> Effects:
    """Arm a timer when a call is sent, and disarm it when the call ends."""
    if old.pending is new.pending:
        return ()
    effects: Effects = ()
    for key, call in new.pending.items():
        was_sent = key in old.pending and old.pending[key].sent
        if call.sent and call.frame is not None and not was_sent:
            effects = (*effects, Arm(HangCheck(key), CHECK_AFTER_S))
    for key, call in old.pending.items():
        if call.sent and key not in new.pending:
            effects = (*effects, Disarm(HangCheck(key)))
    return effects


def _ask(probes: HangProbes, call: Call, targets: Targets) -> tuple[HangProbes, Effects]:
    session = targets.sessions.get(call.frame.session_id) if call.frame else None
    if session is None or session.stale or not session.has_frame_tree or session.session_id in probes.sessions:
        return probes, ()
    session_id = session.session_id
    probe = Send(command=runtime.Evaluate(expression="1"), session_id=session_id, tag=HangProbe(session_id))
    probed = replace(probes, sessions=probes.sessions | {session_id})
    return probed, (probe, Arm(HangDeadline(session_id), ANSWER_WITHIN_S))
