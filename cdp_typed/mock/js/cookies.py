"""`document.cookie` of the mock's pages."""

from __future__ import annotations

from typing import NoReturn

from cdp_typed.mock.js.effects import Bakes, Recalls
from cdp_typed.mock.js.interpreter_state import Machine

__all__ = ["bake", "read_cookies"]


def read_cookies(machine: Machine, column: int) -> str:
    """`document.cookie`; a SecurityError where the document has no origin."""
    found: str | None = machine.answered(Recalls())
    if found is None:
        _deny(machine, "read", "from", column)
    return found


def bake(machine: Machine, text: str, column: int) -> None:
    """`document.cookie = text`; a SecurityError where the document has no origin."""
    allowed: bool = machine.answered(Bakes(text))
    if not allowed:
        _deny(machine, "set", "on", column)


def _deny(machine: Machine, verb: str, side: str, column: int) -> NoReturn:
    why = "Access is denied for this document."
    if machine.url.startswith("data:"):
        why = "Cookies are disabled inside 'data:' URLs."
    message = f"Failed to {verb} the 'cookie' property {side} 'Document': {why}"
    machine.throw("SecurityError", message, column, class_name="DOMException")
