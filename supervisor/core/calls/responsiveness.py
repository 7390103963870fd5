"""Slice: is a page slow, or does it answer nothing at all? Asked when a call takes long, so that its error can say.

A script without end and a dialog that nobody told us of look the same from outside: the page answers nothing.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import runtime
from supervisor.core.state.calls import Call, Calls, Hangs
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import HangProbe
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import Answered, Input, Refused, TimerFired
from supervisor.core.vocabulary.timers import HangCheck, HangDeadline

CHECK_AFTER_S = 2.0
"""How long a call may take before its page is asked whether it answers others."""
ANSWER_WITHIN_S = 2.0
"""How long the page may take over that."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Ask whether a page responds, where a call takes long."""
    hangs, effects = _reduce(world.hangs, received, before.calls, world.calls, world.targets)
    return replace(world, hangs=hangs), effects


def _reduce(hangs: Hangs, received: Input, old: Calls, new: Calls, targets: Targets) -> tuple[Hangs, Effects]:
    """Ask where a call takes long. `old` are the calls before this input; `new` and `targets` are as after it."""
    effects = _watch(old, new)
    match received:
        case TimerFired(HangCheck(call_id)) if call_id in new.pending:
            hangs, more = _ask(hangs, new.pending[call_id], targets)
            effects = (*effects, *more)
        case Answered(HangProbe(session_id)) | Refused(HangProbe(session_id)) if session_id in hangs.asked:
            hangs = replace(hangs, asked=hangs.asked - {session_id})
            effects = (*effects, Disarm(HangDeadline(session_id)))
        case _:
            pass
    gone = {key for key in hangs.asked if key not in targets.sessions or targets.sessions[key].stale}
    if gone:
        hangs = replace(hangs, asked=hangs.asked - gone)
        effects = (*effects, *(Disarm(HangDeadline(key)) for key in sorted(gone)))
    return hangs, effects


def _watch(old: Calls, new: Calls) -> Effects:
    """A timer for each call from when it is sent to when it ends."""
    if old.pending is new.pending:
        return ()
    before = {key for key, call in old.pending.items() if call.sent}
    after = {key for key, call in new.pending.items() if call.sent and call.frame is not None}
    begun = tuple(Arm(HangCheck(key), CHECK_AFTER_S) for key in sorted(after - before))
    return (*begun, *(Disarm(HangCheck(key)) for key in sorted(before - new.pending.keys())))


def _ask(hangs: Hangs, call: Call, targets: Targets) -> tuple[Hangs, Effects]:
    session = targets.sessions.get(call.frame.session_id) if call.frame else None
    if session is None or session.stale or not session.seeded or session.session_id in hangs.asked:
        return hangs, ()
    session_id = session.session_id
    probe = Send(command=runtime.Evaluate(expression="1"), session_id=session_id, tag=HangProbe(session_id))
    asked = replace(hangs, asked=hangs.asked | {session_id})
    return asked, (probe, Arm(HangDeadline(session_id), ANSWER_WITHIN_S))
