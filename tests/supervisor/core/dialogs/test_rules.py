"""Rules answer dialogs, and a page that opens them without end has them dismissed until it is quiet."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cdp_typed.protocol import page
from supervisor import DialogRule
from supervisor.core.dialogs.rules import check, rules_of_settings, take_matching
from supervisor.core.state.dialogs import DialogRateLimit
from supervisor.core.vocabulary import inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, CommandResult, Disarm, Send
from supervisor.core.vocabulary.errors import InvalidConfig, UnknownRule
from supervisor.core.vocabulary.values import ArmedDialogRule, DialogPolicy, DialogStorm, PendingDialog
from tests.support.core.play import (
    INNER,
    TOP,
    Core,
    attached,
    closed,
    confirmed,
    detached,
    opening,
    sent,
    told,
    with_oopif,
    with_page,
)

ACCEPT = DialogRule(action="accept")


def arm(rule: DialogRule = ACCEPT, call: str = "arm") -> requests.RuleArmed:
    return requests.RuleArmed(call_id=call, rule=rule)


def disarm(rule_id: str) -> requests.RuleDisarmed:
    return requests.RuleDisarmed(call_id="disarm", rule_id=rule_id)


def answers(core: Core, *received: inputs.Input) -> list[page.HandleJavaScriptDialog]:
    """Return the answers that are sent for these inputs."""
    sends: list[Send] = sent(core.play(*received))
    return [send.command for send in sends if isinstance(send.command, page.HandleJavaScriptDialog)]


def yes(**text: str) -> page.HandleJavaScriptDialog:
    return page.HandleJavaScriptDialog(accept=True, **text)


NO = page.HandleJavaScriptDialog(accept=False)


def with_standing(*rules: DialogRule, core: Core | None = None) -> Core:
    """A core with rules of its settings, which is not connected unless it is given."""
    return (core or Core()).having(dialogs={"rules": rules_of_settings(rules)})


def test_what_waits_is_shown() -> None:
    core = with_page()
    rule = replace(ACCEPT, count=2, expires_s=10.0)
    core.play(arm(rule), opening(), closed())

    assert core.seen.dialog_rules == (ArmedDialogRule(id="r-1", rule=rule, left=1, expires_at=core.now + 10.0),)


PROMPT = opening("name?", "prompt", default="the default")


@pytest.mark.parametrize(
    ("rule", "dialog", "answer"),
    [
        (DialogRule(action="accept"), PROMPT, yes(prompt_text="the default")),
        (DialogRule(action="accept", prompt_text="Ada"), PROMPT, yes(prompt_text="Ada")),
        (DialogRule(action="accept", prompt_text=""), PROMPT, yes(prompt_text="")),
        (DialogRule(action="dismiss"), PROMPT, NO),
        (DialogRule(action="accept", prompt_text="Ada"), opening("sure?", "confirm"), yes()),
    ],
    ids=["the default", "its text", "its empty text", "dismissed", "its text is for prompts alone"],
)
def test_what_a_rule_sends(rule: DialogRule, dialog: inputs.Input, answer: page.HandleJavaScriptDialog) -> None:
    assert answers(with_page().after(arm(rule)), dialog) == [answer]


@pytest.mark.parametrize(
    ("narrowed", "applies"),
    [
        ({"type": "confirm"}, True),
        ({"type": "alert"}, False),
        ({"message": r"^Delete \d+ files\?$"}, True),
        ({"message": "files"}, True),
        ({"message": "^files"}, False),
        ({"origin": "http://b.test"}, True),
        ({"origin": "HTTP://B.test/"}, True),
        ({"origin": "http://a.test"}, False),
        ({"type": "confirm", "message": "files", "origin": "http://b.test"}, True),
        ({"type": "confirm", "message": "files", "origin": "http://c.test"}, False),
    ],
)
def test_which_dialogs_a_rule_is_for(narrowed: dict[str, Any], applies: bool) -> None:
    """The origin is that of the frame which opens the dialog."""
    core = with_oopif().after(arm(DialogRule(action="accept", **narrowed)))

    assert bool(answers(core, opening("Delete 3 files?", "confirm", frame_id=INNER))) is applies


def test_a_frame_that_is_not_known_has_the_origin_of_its_address() -> None:
    rule = arm(DialogRule(action="accept", origin="http://a.test"))

    assert answers(with_page().after(rule), opening(frame_id="frame-unknown")) == [yes()]


def test_rules_are_asked_in_the_order_of_arming() -> None:
    core = with_page().after(arm(DialogRule(action="accept", count=1)), arm(DialogRule(action="dismiss", count=1)))

    assert answers(core, opening("one", "confirm")) == [yes()]
    assert answers(core, closed(True), opening("two", "confirm")) == [NO]


def test_armed_rules_go_before_those_of_the_settings_and_both_before_the_policy() -> None:
    core = with_standing(DialogRule(action="dismiss"), core=with_page("auto_accept"))

    core.play(arm(DialogRule(action="must_respond", count=1)))

    assert answers(core, opening("one", "confirm")) == []
    assert answers(core, closed(), opening("two", "confirm")) == [NO]


def test_a_rule_expires() -> None:
    core = with_page().after(arm(replace(ACCEPT, expires_s=10.0)))

    core.now += 9.9
    assert answers(core, opening()) == [yes()]
    core.now += 0.1
    assert answers(core, closed(), opening()) == []
    assert core.seen.dialog_rules == ()


def test_a_rule_of_the_settings_ages_from_the_moment_of_connecting() -> None:
    core = with_standing(replace(ACCEPT, expires_s=10.0), DialogRule(action="dismiss"))
    assert [rule.expires_at for rule in core.seen.dialog_rules] == [None, None]

    core.now += 100.0
    core.play(inputs.Connected())

    assert [(rule.id, rule.expires_at) for rule in core.seen.dialog_rules] == [("r-1", core.now + 10.0), ("r-2", None)]
    core.now += 10.0
    core.play(detached("anything"))
    assert [rule.id for rule in core.seen.dialog_rules] == ["r-2"]


def test_a_rule_can_be_taken_back_once() -> None:
    core = with_page().after(arm(), arm(call="second"))

    assert told(core.play(disarm("r-1"))) == {"disarm": CommandResult(None)}
    assert told(core.play(disarm("r-1"))) == {"disarm": UnknownRule("r-1", ("r-2",))}
    assert str(UnknownRule("r-1", ())) == "no dialog rule 'r-1' waits; waiting: none"


def test_what_takes_no_answer_uses_no_rule_up() -> None:
    core = with_oopif().after(opening("one"), arm(replace(ACCEPT, count=1)))

    assert answers(core, opening("two", frame_id=INNER)) == []
    assert [rule.left for rule in core.seen.dialog_rules] == [1]


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        (DialogRule(action="dismiss", prompt_text="x"), "rule.prompt_text='x' is not allowed"),
        (DialogRule(action="accept", type="confirm", prompt_text="x"), "rule.prompt_text='x' is not allowed"),
        (DialogRule(action="accept", message="("), r"rule.message='\(' is not allowed; expected a regular expression"),
        (DialogRule(action="acept"), "rule.action='acept' is not allowed; .* did you mean 'accept'"),  # type: ignore[arg-type]
        (DialogRule(action="accept", count=0), "rule.count=0 is not allowed; expected a whole number from 1"),
        (DialogRule(action="accept", expires_s=math.inf), "rule.expires_s=inf is not allowed"),
        (DialogRule(action="accept", origin="https://a.test:443"), "such as https://a.test$"),
        (DialogRule(action="accept", origin="https://a.test/path"), "such as https://a.test$"),
        (DialogRule(action="accept", origin="http://127.1"), "such as http://127.0.0.1$"),
        (DialogRule(action="accept", origin="https://*.test"), "such as https://example.com$"),
        (DialogRule(action="accept", origin="a.test"), "such as https://example.com$"),
        (DialogRule(action="accept", origin=""), "such as https://example.com$"),
    ],
)
def test_a_rule_that_cannot_do_what_it_says_is_refused(rule: DialogRule, complaint: str) -> None:
    with pytest.raises(InvalidConfig, match=complaint):
        check("rule", rule)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(["http", "https", "HTTPS"]), st.text("ab.-:/[]1*?#@\\%", max_size=9))
@example("https", "[::1]:8443")
@example("HTTPS", "A.test/")
def test_a_rule_fits_documents_of_the_origin_that_was_written_or_is_refused(scheme: str, rest: str) -> None:
    rule = DialogRule(action="accept", origin=f"{scheme}://{rest}")
    try:
        check("rule", rule)
    except InvalidConfig:
        return
    written = f"{scheme}://{rest.removesuffix('/')}".lower()
    dialog = PendingDialog(
        id="d-1", type="confirm", message="", default_prompt="", url="", frame_id="F", target_id="T", session_id="S",
        opened_at=0.0,
    )  # fmt: skip
    for origin in (written, f"{written}0", written[:-1], "null", ""):
        _, used = take_matching(rules_of_settings((rule,)), dialog, origin)
        assert (used is not None) == (origin == written)


CALM = timers.RateLimitReset(TOP)


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

    assert [send.command for send in sent(effects)] == [NO]
    assert Arm(CALM, 5.0) in effects
    assert core.seen.recent_dialogs[-1].note == "the page opens dialogs without end"
    assert core.seen.recent_dialogs[-1].closed_by == "auto_policy"
    assert [send.command for send in sent(again)] == [NO]
    assert core.seen.dialog_storms == (DialogStorm(target_id=TOP, count=2, since=core.now - 1),)


def test_neither_a_policy_nor_a_rule_accepts_in_a_storm() -> None:
    core = in_storm("auto_accept").after(requests.RuleArmed(call_id="arm", rule=DialogRule(action="accept")))

    assert [send.command for send in sent(core.play(opening("?", "confirm")))] == [NO]


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
