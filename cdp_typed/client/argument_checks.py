"""Explains common mistakes of callers, each in one sentence that says what to write instead."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from cdp_typed._base import Command, Event
from cdp_typed.client.subscriptions import ALL
from cdp_typed.errors import NoEventLoop

B = TypeVar("B")

_COMMAND = "a command such as page.Enable()"
_EVENTS = "classes of events"


def require_event_loop() -> None:
    """Raise `NoEventLoop` where no asyncio event loop runs: in plain code, or under trio."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise NoEventLoop from None


def not_a_command(value: object) -> TypeError | None:
    """Return the error for a value that was sent in place of a command; None if it is a command."""
    if isinstance(value, Command):
        return None
    command = _class_of(value, Command)
    if command is not None:
        name = _name(command)
        given = "..." if any(field.required for field in msgspec.structs.fields(command)) else ""
        return TypeError(f"{name} is a class; send an instance of it: send({name}({given}))")
    event = _class_of(value, Event)
    if event is not None:
        name = _name(event)
        return TypeError(f"{name} is an event, to be awaited: expect({name}) or events({name})")
    if isinstance(value, str):
        return TypeError(f"{value!r} is a text; send {_COMMAND}, or send_raw({value!r})")
    if inspect.iscoroutine(value):
        return TypeError(f"a coroutine is awaited, not sent; send takes {_COMMAND}")
    if isinstance(value, list | tuple):
        return TypeError("send takes one command; send_many([...]) sends several")
    return TypeError(f"send takes {_COMMAND}, not {_shown(value)}")


def check_commands(commands: object) -> None:
    """Raise `TypeError` for an argument of `send_many` that is one command, or no sequence at all."""
    if isinstance(commands, Command):
        raise TypeError("send_many takes several commands, as send_many([first, second]); send sends one")
    if not isinstance(commands, Iterable):
        raise not_a_command(commands) or TypeError(f"send_many takes commands, not {_shown(commands)}")


def check_events(method: str, types: Iterable[object]) -> None:
    """Raise `TypeError` for an argument of `listen`, `events` or `expect` that is no class of events."""
    for kind in types:
        if _class_of(kind, Event) is not kind:
            raise TypeError(f"{method} takes {_EVENTS} such as page.LoadEventFired{_instead(method, kind)}")


def check_callback(callback: object) -> None:
    """Raise `TypeError` for a first argument of `listen` that is no function to be called."""
    event = _class_of(callback, Event)
    if event is not None or not callable(callback):
        name = "page.LoadEventFired" if event is None else _name(event)
        raise TypeError(
            f"listen takes a function, and then {_EVENTS}: listen(callback, {name}); to iterate, use events({name})"
        )


def _instead(method: str, kind: object) -> str:
    if kind is ALL:
        return "; ALL is none: without any, it receives every event of the session, or of all, for a connection"
    if isinstance(kind, list | tuple | set | frozenset):
        return f", one by one: {method}(*types)"
    command, event = _class_of(kind, Command), _class_of(kind, Event)
    if event is not None:
        return f"; give the class {_name(event)}, not an instance of it"
    if command is not None:
        return f"; {_name(command)} is a command, which is sent: send({_name(command)}(...))"
    return f", not {_shown(kind)}"


def _class_of(value: object, base: type[B]) -> type[B] | None:
    """Return the value, if it is a class below `base`, or its class if that is; else None."""
    kind = value if isinstance(value, type) else type(value)
    return kind if issubclass(kind, base) else None


def _name(kind: type[Any]) -> str:
    """Return the name of a generated class as users write it: `page.Navigate`."""
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"


def _shown(value: object) -> str:
    return f"the text {value!r}" if isinstance(value, str) else f"an object of type {type(value).__name__}"
