"""Rules that answer dialogs before anybody has seen them: who is asked, what is used up, what has expired."""

from __future__ import annotations

import re

from msgspec.structs import replace

from supervisor.core.state.dialogs import Rules
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.core.vocabulary.values import ArmedDialogRule, DialogRule, PendingDialog


def check(key: str, rule: DialogRule) -> None:
    """Refuse a rule that could never do what it says (`InvalidConfig`)."""
    if rule.prompt_text is not None and (rule.action != "accept" or rule.type not in (None, "prompt")):
        raise InvalidConfig(f"{key}.prompt_text", rule.prompt_text, "a text only where a prompt is accepted")
    try:
        re.compile(rule.message or "")
    except re.error as error:
        raise InvalidConfig(f"{key}.message", rule.message, f"a regular expression ({error})") from None


def standing(rules: tuple[DialogRule, ...]) -> Rules:
    """The rules of the settings. What is to expire does so from `begin` on."""
    waiting = tuple(_made(number, rule, None) for number, rule in enumerate(rules, 1))
    return Rules(standing=waiting, count=len(waiting))


def begin(rules: Rules, now: float) -> Rules:
    """The supervisor has connected: from now on the rules of the settings age."""
    aging = tuple(
        replace(one, expires_at=now + one.rule.expires_s) if one.rule.expires_s and one.expires_at is None else one
        for one in rules.standing
    )
    return replace(rules, standing=aging)


def arm(rules: Rules, rule: DialogRule, now: float) -> tuple[Rules, str]:
    """Take a caller's rule in, and give it its id."""
    made = _made(rules.count + 1, rule, now)
    return replace(rules, armed=(*rules.armed, made), count=rules.count + 1), made.id


def _made(number: int, rule: DialogRule, now: float | None) -> ArmedDialogRule:
    expires_at = None if rule.expires_s is None or now is None else now + rule.expires_s
    return ArmedDialogRule(id=f"r-{number}", rule=rule, left=rule.count, expires_at=expires_at)


def disarm(rules: Rules, rule_id: str) -> Rules | None:
    """The rules without this one; None if it does not wait."""
    if rule_id not in [one.id for one in rules.waiting]:
        return None
    return _replace(rules, rule_id, None)


def use(rules: Rules, dialog: PendingDialog, origin: str) -> tuple[Rules, ArmedDialogRule | None]:
    """The first rule that this dialog falls under, and what is left of it."""
    used = next((one for one in rules.waiting if _matches(one.rule, dialog, origin)), None)
    if used is None or used.left is None:
        return rules, used
    return _replace(rules, used.id, replace(used, left=used.left - 1) if used.left > 1 else None), used


def expire(rules: Rules, now: float) -> Rules:
    """The rules whose time is not over."""
    if all(one.expires_at is None or now < one.expires_at for one in rules.waiting):
        return rules
    return replace(
        rules,
        armed=tuple(one for one in rules.armed if one.expires_at is None or now < one.expires_at),
        standing=tuple(one for one in rules.standing if one.expires_at is None or now < one.expires_at),
    )


def _replace(rules: Rules, rule_id: str, by: ArmedDialogRule | None) -> Rules:
    def replaced(waiting: tuple[ArmedDialogRule, ...]) -> tuple[ArmedDialogRule, ...]:
        changed = (by if one.id == rule_id else one for one in waiting)
        return tuple(one for one in changed if one is not None)

    return replace(rules, armed=replaced(rules.armed), standing=replaced(rules.standing))


def _matches(rule: DialogRule, dialog: PendingDialog, origin: str) -> bool:
    return (
        rule.type in (None, dialog.type)
        and (rule.origin is None or rule.origin.rstrip("/").lower() == origin.rstrip("/").lower())
        and (rule.message is None or re.search(rule.message, dialog.message) is not None)
    )
