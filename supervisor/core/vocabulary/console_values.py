"""The public values of the console, all frozen, and readable text for values of a page (`Runtime.RemoteObject`)."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from cdp_typed.protocol import runtime


class ConsoleArgument(Struct, frozen=True, kw_only=True):
    """One argument of a console call (`Runtime.RemoteObject`)."""

    type: str
    """`string`, `number`, `object`, `array`, `error`, ...: the object's subtype where it has one."""
    text: str
    """As a developer would read it: untrusted, cut at 500 characters."""
    value: Any = None
    """The JSON value of a number, a boolean, or a text that is not cut; `None` otherwise."""


class StackFrame(Struct, frozen=True, kw_only=True):
    """A frame of a stack trace (`Runtime.CallFrame`)."""

    function: str
    """Empty for code outside of any function."""
    url: str
    line: int
    """Zero-based, as in the protocol."""
    column: int


class ConsoleMessage(Struct, frozen=True, kw_only=True):
    """One line of a console (`Runtime.consoleAPICalled`, `Runtime.exceptionThrown`, `Log.entryAdded`)."""

    seq: int
    """A number made by the supervisor: 1 for the first message. One supervisor never uses it twice. Also a cursor for
    `console_since`."""
    level: str
    """`log`, `warning`, `error`, ... as the protocol has it; an uncaught exception is `exception`."""
    text: str
    """The page's own text: untrusted, cut at 2,000 characters."""
    text_length: int
    """The length before the cut, in characters."""
    arguments: tuple[ConsoleArgument, ...] = ()
    """The first ten of a console call; none for an exception and for what the browser itself logged."""
    stack: tuple[StackFrame, ...] = ()
    """The innermost ten frames, where the browser gives a stack."""
    url: str
    line: int | None
    """Zero-based, as in the protocol."""
    column: int | None = None
    frame_id: str | None
    """The frame whose script said it, as far as that is known; `None` for what the browser logged about a page."""
    session_id: str
    timestamp: float
    """Milliseconds since the epoch, from the page's clock."""


class ConsoleSlice(Struct, frozen=True, kw_only=True):
    """The console messages after a cursor, oldest first."""

    messages: tuple[ConsoleMessage, ...]
    missed: int
    """Messages after the cursor that are no longer held."""
    cursor: int
    """Ask with this one next time."""
    document: int = 0
    """The cursor at which the document of the current page began; 0 when it was there before."""


def exception_text(details: runtime.ExceptionDetails) -> str:
    """Return the message of an exception, with its stack if the browser gives one."""
    thrown = details.exception
    if thrown is None:
        return details.text
    return thrown.description or f"{details.text} {describe(thrown)}"


def describe(argument: runtime.RemoteObject) -> str:
    """Return a value as the DevTools console shows it."""
    if isinstance(argument.value, str):
        return argument.value
    if argument.unserializable_value:
        return argument.unserializable_value
    if argument.preview is not None and argument.subtype in (None, "array"):
        return _preview(argument.preview)
    if argument.description is not None:
        return argument.description
    if argument.value is None:
        return "undefined" if argument.type == "undefined" else "null"
    return _compact(argument.value)


def _preview(preview: runtime.ObjectPreview) -> str:
    """Return the properties of a preview, which the browser has chosen."""
    is_array = preview.subtype == "array"
    shown = [prop.value or "" if is_array else f"{prop.name}: {prop.value or ''}" for prop in preview.properties]
    inside = ", ".join([*shown, "..."] if preview.overflow else shown)
    if is_array:
        return f"[{inside}]"
    name = preview.description if preview.description not in (None, "Object") else ""
    return f"{name} {{{inside}}}".strip()


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
