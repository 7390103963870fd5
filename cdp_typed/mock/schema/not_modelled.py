"""The refusal of commands that the mock does not model: it contains the line with which a test answers them."""

from __future__ import annotations

from cdp_typed.mock.state.error_texts import Refusal
from cdp_typed.protocol.registry import COMMANDS, DOMAINS
from cdp_typed.schema import load_schema


def not_modelled(method: str, *, with_others: bool = False) -> Refusal:
    """Return the error for a command of the schema that the mock does not model; `with_others` it does."""
    what = f"{method} with these parameters" if with_others else method
    message = f"cdp_typed.mock does not model {what}; say what it answers: {line_to_write(method)}"
    return Refusal(-32000, message, f"in a scenario file: {rule_to_write(method)}")


def line_to_write(method: str) -> str:
    """Return the line of Python that answers the command: `mock.browser.on(dom.QuerySelector, {"nodeId": ...})`."""
    domain = method.partition(".")[0]
    fields = _fields(method)
    result = "{" + ", ".join(f'"{name}": ...' for name in fields) + "}"
    takes_nothing = not load_schema().commands[method].returns
    return f"mock.browser.on({DOMAINS[domain]}.{COMMANDS[method]}, {None if takes_nothing else result})"


def rule_to_write(method: str) -> str:
    """Return the rule of a scenario file that answers the command."""
    result = "{" + ", ".join(f'"{name}": ...' for name in _fields(method)) + "}"
    return f'{{"do": "answer", "method": "{method}", "result": {result}}}'


def _fields(method: str) -> list[str]:
    return [field.name for field in load_schema().commands[method].returns if not field.optional]
