"""A page that opens dialogs without end has them dismissed until it is quiet."""

from __future__ import annotations

import pytest

from cdp_typed.protocol import page
from supervisor.core.state.dialogs import DialogRateLimit
from supervisor.core.vocabulary import inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, Disarm
from supervisor.core.vocabulary.values import DialogPolicy, DialogRule, DialogStorm
from tests.support.core.play import TOP, Core, attached, closed, confirmed, detached, opening, sent, with_page

CALM = timers.RateLimitReset(TOP)
DISMISS = page.HandleJavaScriptDialog(accept=False)


def limited(policy: DialogPolicy = "must_respond") -> Core:
    """A core whose pages may open three dialogs within five seconds."""
    return with_page(policy).having(dialogs={"rate_limit": DialogRateLimit(limit=3, window_s=5.0)})


def in_storm(policy: DialogPolicy = "must_respond") -> Core:
    """One whose page has just opened these."""
    return limited(policy).after(*[opening(), closed()] * 3)


def test_one_dialog_more_than_allowed_is_dismissed_and_so_are_the_next() -> None:
    core = in_storm()
    assert not core.seen.dialog_storms

    effects = core.play(opening())
    core.play(closed(False), confirmed("d-4"))
    core.now += 1
    again = core.play(opening())

    assert [send.command for send in sent(effects)] == [DISMISS]
    assert Arm(CALM, 5.0) in effects
    assert core.seen.recent_dialogs[-1].note == "the page opens dialogs without end"
    assert core.seen.recent_dialogs[-1].closed_by == "auto_policy"
    assert [send.command for send in sent(again)] == [DISMISS]
    assert core.seen.dialog_storms == (DialogStorm(target_id=TOP, count=2, since=core.now - 1),)


def test_neither_a_policy_nor_a_rule_accepts_in_a_storm() -> None:
    core = in_storm("auto_accept").after(requests.RuleArmed(call_id="arm", rule=DialogRule(action="accept")))

    assert [send.command for send in sent(core.play(opening("?", "confirm")))] == [DISMISS]


def test_slow_dialogs_are_no_storm() -> None:
    core = limited()
    for _ in range(10):
        core.now += 2
        assert not sent(core.play(opening(), closed()))

    assert not core.seen.dialog_storms


def test_the_storm_is_over_when_the_page_has_been_quiet() -> None:
    core = in_storm().after(opening(), closed(False), inputs.TimerFired(CALM))

    assert not core.seen.dialog_storms
    assert not sent(core.play(opening()))


def test_the_question_whether_to_leave_is_left_to_the_agent() -> None:
    """To dismiss it would keep the agent on the page."""
    assert not sent(in_storm().after(opening(), closed(False)).play(opening("", "beforeunload")))


def test_other_pages_are_answered_as_ever() -> None:
    core = in_storm().after(opening(), attached("session-2", "page-2"))

    assert not sent(core.play(opening(session="session-2", frame_id="page-2")))


@pytest.mark.parametrize("end", [detached("session-page"), inputs.Disconnected("gone"), inputs.StopRequested()])
def test_the_storm_ends_with_its_page_or_the_connection(end: inputs.Input) -> None:
    core = in_storm().after(opening())

    assert Disarm(CALM) in core.play(end)
    assert not core.seen.dialog_storms
