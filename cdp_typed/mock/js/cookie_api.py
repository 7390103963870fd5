"""`document.cookie` of the mock's pages."""

from __future__ import annotations

from typing import NoReturn

from cdp_typed.mock.js.effects import ReadCookies, WriteCookie
from cdp_typed.mock.js.interpreter_state import InterpreterState

__all__ = ["read_cookies", "write_cookie"]


def read_cookies(state: InterpreterState, column: int) -> str:
    """Return `document.cookie`; throw a SecurityError in a document without an origin."""
    cookies: str | None = state.answered(ReadCookies())
    if cookies is None:
        _throw_security_error(state, "read", "from", column)
    return cookies


def write_cookie(state: InterpreterState, text: str, column: int) -> None:
    """Perform `document.cookie = text`; throw a SecurityError in a document without an origin."""
    allowed: bool = state.answered(WriteCookie(text))
    if not allowed:
        _throw_security_error(state, "set", "on", column)


def _throw_security_error(state: InterpreterState, verb: str, side: str, column: int) -> NoReturn:
    why = "Access is denied for this document."
    if state.url.startswith("data:"):
        why = "Cookies are disabled inside 'data:' URLs."
    message = f"Failed to {verb} the 'cookie' property {side} 'Document': {why}"
    state.throw("SecurityError", message, column, class_name="DOMException")
