"""Dialog rules: checked, armed, matched with dialogs, used up and expired."""

from __future__ import annotations

import re

from msgspec.structs import replace

from supervisor.core.state.dialogs import Rules
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.core.vocabulary.setting_values import check_fields
from supervisor.core.vocabulary.urls.addresses import read_address
from supervisor.core.vocabulary.urls.hosts import UnreadableAddress
from supervisor.core.vocabulary.values import ArmedDialogRule, DialogRule, PendingDialog

_OTHER_ORIGINS = ("null", "file://")
"""Those of documents in a sandbox, and of files."""


def check(key: str, rule: DialogRule) -> None:
    """Raise `InvalidConfig` for a rule that cannot work."""
    check_fields(rule, f"{key}.")
    if rule.origin is not None and rule.origin not in _OTHER_ORIGINS:
        _check_origin(f"{key}.origin", rule.origin)
    if rule.prompt_text is not None and (rule.action != "accept" or rule.type not in (None, "prompt")):
        raise InvalidConfig(f"{key}.prompt_text", rule.prompt_text, "a text only where a prompt is accepted")
    try:
        re.compile(rule.message or "")
    except re.error as error:
        raise InvalidConfig(f"{key}.message", rule.message, f"a regular expression ({error})") from None


def _check_origin(key: str, origin: str) -> None:
    """Refuse what no document's origin can be equal to: a path, a pattern, the standard port."""
    try:
        plain = read_address(origin).origin
    except UnreadableAddress:
        plain = ""
    if (
        plain[-1:] in ("", ":") or origin.removesuffix("/").lower() != plain
    ):  # of a scheme without hosts, or other words
        meant = "https://example.com" if plain[-1:] in ("", ":") else plain
        raise InvalidConfig(key, origin, f"an origin as browsers write it, such as {meant}")


def rules_of_settings(rules: tuple[DialogRule, ...]) -> Rules:
    """Return the rules of the settings. Their `expires_s` counts from `start_expiry` on."""
    waiting = tuple(_armed_rule(number, rule, None) for number, rule in enumerate(rules, 1))
    return Rules(standing=waiting, count=len(waiting))


def start_expiry(rules: Rules, now: float) -> Rules:
    """Start `expires_s` of the settings' rules when the supervisor has connected."""
    aging = tuple(
        replace(armed_rule, expires_at=now + armed_rule.rule.expires_s)
        if armed_rule.rule.expires_s and armed_rule.expires_at is None
        else armed_rule
        for armed_rule in rules.standing
    )
    return replace(rules, standing=aging)


def arm(rules: Rules, rule: DialogRule, now: float) -> tuple[Rules, str]:
    """Add a caller's rule, and return its id."""
    armed = _armed_rule(rules.count + 1, rule, now)
    return replace(rules, armed=(*rules.armed, armed), count=rules.count + 1), armed.id


def _armed_rule(number: int, rule: DialogRule, now: float | None) -> ArmedDialogRule:
    expires_at = None if rule.expires_s is None or now is None else now + rule.expires_s
    return ArmedDialogRule(id=f"r-{number}", rule=rule, left=rule.count, expires_at=expires_at)


def disarm(rules: Rules, rule_id: str) -> Rules | None:
    """Return the rules without this one; None if it is not armed."""
    if rule_id not in [armed_rule.id for armed_rule in rules.waiting]:
        return None
    return _replace(rules, rule_id, None)


def take_matching(rules: Rules, dialog: PendingDialog, origin: str) -> tuple[Rules, ArmedDialogRule | None]:
    """Return the first rule that matches a dialog, and the rules with its count reduced."""
    matching = next((armed_rule for armed_rule in rules.waiting if _matches(armed_rule.rule, dialog, origin)), None)
    if matching is None or matching.left is None:
        return rules, matching
    return _replace(
        rules, matching.id, replace(matching, left=matching.left - 1) if matching.left > 1 else None
    ), matching


def expire(rules: Rules, now: float) -> Rules:
    """Return the rules without the expired ones."""
    if all(armed_rule.expires_at is None or now < armed_rule.expires_at for armed_rule in rules.waiting):
        return rules
    return replace(
        rules,
        armed=tuple(
            armed_rule for armed_rule in rules.armed if armed_rule.expires_at is None or now < armed_rule.expires_at
        ),
        standing=tuple(
            armed_rule for armed_rule in rules.standing if armed_rule.expires_at is None or now < armed_rule.expires_at
        ),
    )


def _replace(rules: Rules, rule_id: str, by: ArmedDialogRule | None) -> Rules:
    def replaced(waiting: tuple[ArmedDialogRule, ...]) -> tuple[ArmedDialogRule, ...]:
        changed = (by if armed_rule.id == rule_id else armed_rule for armed_rule in waiting)
        return tuple(armed_rule for armed_rule in changed if armed_rule is not None)

    return replace(rules, armed=replaced(rules.armed), standing=replaced(rules.standing))


def _matches(rule: DialogRule, dialog: PendingDialog, origin: str) -> bool:
    return (
        rule.type in (None, dialog.type)
        and (rule.origin is None or rule.origin.lower() in (origin, f"{origin}/"))
        and (rule.message is None or re.search(rule.message, dialog.message) is not None)
    )
