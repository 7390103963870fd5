"""Scenario files: a whole mock browser as JSON, for programs in any language.

    {
      "pages": {"http://shop.test/": {"title": "Shop", "frames": [{"url": "http://pay.test/", "name": "pay"}]},
                "http://pay.test/": {"script": "window.ready = true"}},
      "expressions": {"cart.total()": 42},
      "personality": "slow_remote",
      "rules": [
        {"do": "answer", "method": "Page.captureScreenshot", "result": {"data": "AAAA"}},
        {"do": "refuse", "method": "Page.reload", "code": -32000, "message": "Not today", "nth": 2},
        {"do": "drop", "method": "Page.navigate", "nth": 1}
      ]
    }

Rules do `answer`, `refuse`, `hang`, `drop`, `delay` (with `seconds`), `duplicate`, `malformed`, `binary` or
`without_id`; of two rules for one call, the upper one counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from cdp_typed.mock.browser import MockBrowser
from cdp_typed.mock.errors import MockError, ScenarioError
from cdp_typed.mock.personality import PERSONALITIES
from cdp_typed.mock.script import (
    Action,
    Answer,
    Binary,
    Delay,
    Drop,
    Duplicate,
    Hang,
    Malformed,
    Refuse,
    Rule,
    WithoutId,
)
from cdp_typed.mock.site import Page, Site
from cdp_typed.mock.texts import Refusal

__all__ = ["Scenario", "ScenarioRule", "load_scenario", "parse_scenario"]


class _Rule(Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """What to do with calls of `method`: with the `nth` (counted from 1), or with all."""

    method: str
    nth: int | None = None


class _Answer(_Rule, frozen=True, kw_only=True, tag="answer"):
    result: dict[str, Any] = {}

    def action(self) -> Action:
        return Answer(self.result)


class _Refuse(_Rule, frozen=True, kw_only=True, tag="refuse"):
    code: int
    message: str
    data: str | None = None

    def action(self) -> Action:
        return Refuse(Refusal(self.code, self.message, self.data))


class _Delay(_Rule, frozen=True, kw_only=True, tag="delay"):
    seconds: float

    def action(self) -> Action:
        return Delay(self.seconds)


class _Hang(_Rule, frozen=True, tag="hang"):
    def action(self) -> Action:
        return Hang()


class _Drop(_Rule, frozen=True, tag="drop"):
    def action(self) -> Action:
        return Drop()


class _Duplicate(_Rule, frozen=True, tag="duplicate"):
    def action(self) -> Action:
        return Duplicate()


class _Malformed(_Rule, frozen=True, tag="malformed"):
    def action(self) -> Action:
        return Malformed()


class _Binary(_Rule, frozen=True, tag="binary"):
    def action(self) -> Action:
        return Binary()


class _WithoutId(_Rule, frozen=True, tag="without_id"):
    def action(self) -> Action:
        return WithoutId()


ScenarioRule = _Answer | _Refuse | _Delay | _Hang | _Drop | _Duplicate | _Malformed | _Binary | _WithoutId


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A scenario file as a value."""

    pages: Mapping[str, Page] = {}
    expressions: Mapping[str, Any] = {}
    rules: tuple[ScenarioRule, ...] = ()
    personality: str = "local"

    def browser(self) -> MockBrowser:
        """The browser that the file describes, with a personality that exists. Raises `ScenarioError`."""
        if self.personality not in PERSONALITIES:
            raise ScenarioError(f"personality: {self.personality}; there are {', '.join(PERSONALITIES)}")
        try:
            browser = MockBrowser(Site(self.pages))
        except MockError as error:
            raise ScenarioError(f"pages: {error}") from error
        for text, value in self.expressions.items():
            browser.on_expression(text, value)
        # Of two rules for one call the newer goes first, so the file is read from its end: what is above wins.
        for index in reversed(range(len(self.rules))):
            rule = self.rules[index]
            try:
                browser.add_rule(Rule(rule.method, rule.action(), rule.nth))
            except MockError as error:
                raise ScenarioError(f"rules[{index}]: {error}") from error
        return browser


def load_scenario(path: Path) -> Scenario:
    """The scenario in a file. Raises `ScenarioError` with file and line, and `OSError`."""
    return parse_scenario(path.read_bytes(), path.name)


def parse_scenario(text: bytes, name: str = "scenario") -> Scenario:
    """The scenario that `text` spells. Raises `ScenarioError`, which tells the line where the trouble is."""
    try:
        scenario = msgspec.json.decode(text, type=Scenario)
        scenario.browser()
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{name}:{_line(text, str(error))}: {error}") from None
    except ScenarioError as error:
        raise ScenarioError(f"{name}: {error}") from None
    return scenario


_BYTE: Final = re.compile(r"\(byte (\d+)\)")
_FIELD: Final = re.compile(r"field `([^`]+)`")


def _line(text: bytes, message: str) -> int:
    """The line of an error of msgspec, which tells the offset or the name of a field, or only where in the tree."""
    byte, field = _BYTE.search(message), _FIELD.search(message)
    at = int(byte[1]) if byte is not None else 0
    if field is not None:
        at = max(text.find(f'"{field[1]}"'.encode()), 0)
    return text.count(b"\n", 0, at) + 1
