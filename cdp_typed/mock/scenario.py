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

A rule does `answer`, `refuse`, or an action of `cdp_typed.mock.control.stubs` by its `tag`: `hang`, `drop`, `delay`
(with `seconds`), `cut` (with `how`) and others. Of two rules for one message, the upper one applies. `dials` are faults
of the first websocket handshakes, one each: `{"do": "refused", "status": 503, "retry_after": 1}`. With
`"samples": true` commands that the mock does not model are answered with samples of the schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from cdp_typed.conversions import convert, decode
from cdp_typed.mock.control.handshake_faults import HandshakeFault
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.control.stubs import Action, Answer, Detach, Fault, Hang, Refuse, Rule
from cdp_typed.mock.errors import MockError, ScenarioError
from cdp_typed.mock.personality import PERSONALITIES
from cdp_typed.mock.schema.json_path import line_of, steps_of, steps_of_words
from cdp_typed.mock.site import Page, Site
from cdp_typed.mock.state.error_texts import Refusal


class _AnswerRule(Struct, frozen=True, tag_field="do", tag="answer", forbid_unknown_fields=True):
    result: dict[str, Any] = {}


class _RefuseRule(Struct, frozen=True, tag_field="do", tag="refuse", forbid_unknown_fields=True):
    code: int
    message: str
    data: str | None = None


class _RuleScope(Struct, frozen=True):
    """The messages that a rule applies to: the `nth` of `method` (counted from 1), or all."""

    method: str
    nth: int | None = None


_RuleAction = _AnswerRule | _RefuseRule | Hang | Detach | Fault


class _ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True):
    pages: Mapping[str, Page] = {}
    expressions: Mapping[str, Any] = {}
    rules: tuple[dict[str, Any], ...] = ()
    dials: tuple[HandshakeFault, ...] = ()
    personality: str = "local"
    samples: bool = False


class Scenario(Struct, frozen=True, kw_only=True):
    """A scenario file as a value."""

    pages: Mapping[str, Page] = {}
    expressions: Mapping[str, Any] = {}
    rules: tuple[Rule, ...] = ()
    dials: tuple[HandshakeFault, ...] = ()
    personality: str = "local"
    samples: bool = False

    def browser(self) -> MockBrowser:
        """Return the browser that the file describes. Raises `ScenarioError`, also for an unknown personality."""
        if self.personality not in PERSONALITIES:
            raise ScenarioError(f"personality: {self.personality}; there are {', '.join(PERSONALITIES)}")
        try:
            browser = MockBrowser(Site(self.pages), samples=self.samples)
        except MockError as error:
            raise ScenarioError(f"pages: {error}") from error
        for text, value in self.expressions.items():
            browser.on_expression(text, value)
        # A newer rule takes precedence, so the file is read from its end: the upper rule wins.
        for index in reversed(range(len(self.rules))):
            try:
                browser.add_rule(self.rules[index])
            except MockError as error:
                raise ScenarioError(f"rules[{index}]: {error}") from error
        return browser


def load_scenario(path: Path) -> Scenario:
    """Read a scenario file. Raises `ScenarioError` with file and line, and `OSError`."""
    return parse_scenario(path.read_bytes(), path.name)


def parse_scenario(text: bytes, name: str = "scenario") -> Scenario:
    """Parse a scenario. Raises `ScenarioError` with the line."""
    try:
        file = decode(text, type=_ScenarioFile)
        rules = tuple(_rule(index, fields) for index, fields in enumerate(file.rules))
        scenario = Scenario(
            pages=file.pages,
            expressions=file.expressions,
            rules=rules,
            dials=file.dials,
            personality=file.personality,
            samples=file.samples,
        )
        scenario.browser()
    except (msgspec.MsgspecError, UnicodeDecodeError, ScenarioError) as error:
        raise ScenarioError(f"{name}:{_line(text, str(error))}: {error}") from None
    return scenario


def _rule(index: int, fields: dict[str, Any]) -> Rule:
    rest = {name: value for name, value in fields.items() if name not in ("method", "nth")}
    try:
        which = convert(fields, _RuleScope)
        do = convert(rest, _RuleAction)
    except msgspec.ValidationError as error:
        where = f"`$.rules[{index}]"
        said = str(error)
        raise msgspec.ValidationError(said.replace("`$", where) if "`$" in said else f"{said} - at {where}`") from None
    return Rule(which.method, _action(do), which.nth)


def _action(do: _RuleAction) -> Action:
    match do:
        case _AnswerRule():
            return Answer(do.result)
        case _RefuseRule():
            return Refuse(Refusal(do.code, do.message, do.data))
        case _:
            return do


_BYTE: Final = re.compile(r"\(byte (\d+)\)")
_FIELD: Final = re.compile(r"field `([^`]+)`")
_PATH: Final = re.compile(r"`\$([^`]*)`$")


def _line(text: bytes, message: str) -> int:
    """Return the line of an error, from the offset, path or field that it names."""
    byte, field, path = _BYTE.search(message), _FIELD.search(message), _PATH.search(message)
    if byte is not None:
        return text.count(b"\n", 0, int(byte[1])) + 1
    try:
        steps = steps_of_words(message) if path is None else steps_of(path[1])
        return line_of(text.decode(), steps, field[1] if field is not None else "")
    except UnicodeDecodeError as error:
        return text.count(b"\n", 0, error.start) + 1
