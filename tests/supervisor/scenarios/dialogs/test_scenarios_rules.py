"""Dialogs that answer themselves, and pages that never stop opening them: on the mock and on real Chromium."""

from __future__ import annotations

import pytest

from supervisor import BlockedByDialog, CDPSupervisor, DialogRule, InvalidConfig, SupervisorSnapshot, UnknownRule
from tests.support.stages.stages import Stage, open_page

BURST = 12


def test_a_dialog_is_answered_before_it_opens(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    rule = DialogRule(action="accept", type="prompt", message="name", prompt_text="Ada", origin=stage.own, count=1)

    rule_id = supervisor.arm_dialog(rule)
    value = supervisor.evaluate("prompt('your name?')").value

    assert value == "Ada"
    (record,) = supervisor.snapshot().recent_dialogs
    assert (record.closed_by, record.accepted, record.rule_id) == ("auto_policy", True, rule_id)
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("prompt('your name?')")
    supervisor.respond_to_dialog("dismiss")


def test_a_rule_that_was_taken_back_answers_nothing(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    rule_id = supervisor.arm_dialog(DialogRule(action="accept"))

    supervisor.disarm_dialog(rule_id)

    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("confirm('sure?')")
    supervisor.respond_to_dialog("dismiss")
    with pytest.raises(UnknownRule):
        supervisor.disarm_dialog(rule_id)
    with pytest.raises(InvalidConfig, match=r"rule\.message"):
        supervisor.arm_dialog(DialogRule(action="accept", message="("))


def test_the_rules_of_the_settings_go_before_the_policy(stage: Stage) -> None:
    rules = (DialogRule(action="accept", type="confirm"), DialogRule(action="must_respond", type="prompt"))
    with stage.supervisor(dialog_policy="auto_dismiss", dialog_rules=rules) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")

        assert supervisor.evaluate("confirm('sure?')").value is True
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("prompt('name?')")
        supervisor.respond_to_dialog("dismiss")
        supervisor.evaluate("alert('hello')")
        notes = [(record.type, record.accepted, record.note) for record in supervisor.snapshot().recent_dialogs]

    assert notes == [("confirm", True, "rule r-1"), ("prompt", False, ""), ("alert", False, "auto_dismiss")]


def test_a_burst_of_dialogs_is_dismissed_from_some_point_on(stage: Stage) -> None:
    def is_over(now: SupervisorSnapshot) -> bool:
        return len(now.recent_dialogs) == BURST and not now.pending_dialogs

    rule = DialogRule(action="accept")
    with stage.supervisor(dialog_rules=(rule,), dialog_storm_limit=4, dialog_storm_window_s=60) as running:
        open_page(running, f"{stage.own}/plain")

        for _ in range(BURST):
            running.evaluate("setTimeout(() => confirm('again?'), 0)")
        now = running.wait_for(is_over, timeout_s=20)

        assert [record.accepted for record in now.recent_dialogs] == [True] * 4 + [False] * (BURST - 4)
        (storm,) = now.dialog_storms
        assert (storm.target_id, storm.count) == (now.pages[0].target_id, BURST - 4)
        assert running.evaluate("1+1").value == 2
