"""Slice: what the consoles of all sessions said, in a bounded ring."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from cdp_typed.protocol import log, runtime

from .inputs import EventReceived, Input
from .values import ConsoleMessage

CAPACITY = 50
TEXT_LIMIT = 2_000


class Console(Struct, frozen=True):
    """The newest messages, oldest first, and how many older ones are gone."""

    messages: tuple[ConsoleMessage, ...] = ()
    dropped: int = 0


def reduce(console: Console, received: Input) -> Console:
    """Keep what a page logs, what it throws, and what the browser logs about it."""
    match received:
        case EventReceived(str() as session_id, runtime.ConsoleAPICalled() as event):
            return _add(console, _from_call(session_id, event))
        case EventReceived(str() as session_id, runtime.ExceptionThrown() as event):
            return _add(console, _from_exception(session_id, event))
        case EventReceived(str() as session_id, log.EntryAdded() as event):
            return _add(console, _from_entry(session_id, event.entry))
        case _:
            return console


def _add(console: Console, message: ConsoleMessage) -> Console:
    messages = (*console.messages, message)
    return Console(messages[-CAPACITY:], console.dropped + max(0, len(messages) - CAPACITY))


def _from_call(session_id: str, event: runtime.ConsoleAPICalled) -> ConsoleMessage:
    frames = event.stack_trace.call_frames if event.stack_trace else []
    text, length = _cut(" ".join(describe(argument) for argument in event.args))
    return ConsoleMessage(
        level=event.type,
        text=text,
        text_length=length,
        url=frames[0].url if frames else "",
        line=frames[0].line_number if frames else None,
        frame_id=None,
        session_id=session_id,
        timestamp=event.timestamp,
    )


def _from_exception(session_id: str, event: runtime.ExceptionThrown) -> ConsoleMessage:
    details = event.exception_details
    text, length = _cut(exception_text(details))
    return ConsoleMessage(
        level="exception",
        text=text,
        text_length=length,
        url=details.url or "",
        line=details.line_number,
        frame_id=None,
        session_id=session_id,
        timestamp=event.timestamp,
    )


def _from_entry(session_id: str, entry: log.LogEntry) -> ConsoleMessage:
    text, length = _cut(entry.text)
    return ConsoleMessage(
        level=entry.level,
        text=text,
        text_length=length,
        url=entry.url or "",
        line=entry.line_number,
        frame_id=None,
        session_id=session_id,
        timestamp=entry.timestamp,
    )


def exception_text(details: runtime.ExceptionDetails) -> str:
    """The message of an exception, with its stack where the browser gives one."""
    thrown = details.exception
    if thrown is None:
        return details.text
    return thrown.description or f"{details.text} {describe(thrown)}"


def describe(argument: runtime.RemoteObject) -> str:
    """A console argument as a developer would read it in the console."""
    if isinstance(argument.value, str):
        return argument.value
    if argument.unserializable_value:
        return argument.unserializable_value
    if argument.description is not None:
        return argument.description
    if argument.value is None:
        return "undefined" if argument.type == "undefined" else "null"
    return _compact(argument.value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> tuple[str, int]:
    return text[:TEXT_LIMIT], len(text)
