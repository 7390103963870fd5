"""Slow, or stuck: what a call that takes long finds out."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import runtime
from supervisor.core.vocabulary import command_tags, errors, inputs, timers
from supervisor.core.vocabulary.effects import Arm, Disarm, Effect, Send
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    Core,
    crashed,
    detached,
    evaluate,
    sent,
    told,
    value,
    with_oopif,
    with_page,
)

CHECK, DEADLINE, PROBE = timers.HangCheck("call"), timers.HangDeadline(PAGE), command_tags.HangProbe(PAGE)


def overdue(core: Core) -> errors.CallTimeout:
    error = told(core.play(inputs.TimerFired(timers.CallDeadline("call"))))["call"]
    assert isinstance(error, errors.CallTimeout)
    return error


def clocks(effects: list[Effect]) -> list[Effect]:
    return [effect for effect in effects if isinstance(effect, Arm | Disarm)]


def test_a_call_is_watched_from_when_it_is_sent_until_it_ends() -> None:
    core = with_page()

    assert Arm(CHECK, 2.0) in core.play(evaluate())
    assert Disarm(CHECK) in core.play(inputs.CommandSucceeded(command_tags.CallReply("call"), value(1)))
    assert core.play(inputs.TimerFired(CHECK), inputs.CommandSucceeded(PROBE, None)) == []


def test_a_page_that_answers_others_is_slow() -> None:
    core = with_page().after(evaluate("new Promise(() => {})"))

    (probe,) = sent(core.play(inputs.TimerFired(CHECK)))
    assert probe == Send(command=runtime.Evaluate(expression="1"), session_id=PAGE, tag=PROBE)
    assert clocks(core.play(inputs.CommandSucceeded(PROBE, value(1)))) == [Disarm(DEADLINE)]

    assert core.seen.blockers == ()
    assert overdue(core).cause == "slow"


REFUSAL = CommandError(-32000, "Inspected target navigated or closed", method="m", session=None)


@pytest.mark.parametrize(
    "reply", [inputs.CommandSucceeded(PROBE, None), inputs.CommandFailed(PROBE, REFUSAL)], ids=["yes", "no"]
)
def test_a_page_that_answers_nothing_is_unresponsive_until_it_does(reply: inputs.Input) -> None:
    core = with_page()
    core.now = 1234.0
    core.play(evaluate("while (true) {}"), inputs.TimerFired(CHECK), inputs.TimerFired(DEADLINE))

    (blocker,) = core.seen.blockers
    assert (blocker.kind, blocker.since, blocker.ways_out[:2]) == ("unresponsive", 1234.0, ("wait", "terminate"))
    assert overdue(core).cause == "unresponsive"

    core.play(reply)

    assert core.seen.blockers == ()


def test_each_session_is_asked_once_however_many_wait() -> None:
    core = with_oopif().after(evaluate(), evaluate(call="other"), evaluate(frame_id=INNER, call="inner"))
    checks = [inputs.TimerFired(timers.HangCheck(call)) for call in ("call", "other", "inner")]

    assert [send.session_id for send in sent(core.play(*checks))] == [PAGE, OOPIF]


@pytest.mark.parametrize("end", [detached(PAGE), inputs.Disconnected("gone")], ids=["detached", "lost"])
def test_nobody_waits_for_a_session_that_is_gone(end: inputs.Input) -> None:
    core = with_page().after(evaluate(), inputs.TimerFired(CHECK))

    assert Disarm(DEADLINE) in core.play(end)
    assert core.state.world.hang_probes.sessions == frozenset()


def test_a_crash_is_told_as_a_crash() -> None:
    core = with_page().after(evaluate(), inputs.TimerFired(CHECK), crashed(), inputs.TimerFired(DEADLINE))

    assert [blocker.kind for blocker in core.seen.blockers] == ["crash"]
