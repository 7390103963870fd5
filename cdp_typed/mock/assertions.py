"""Assertions about the traffic of a mock, and readable differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, TypeGuard, cast

import msgspec

from cdp_typed._base import Command, Event
from cdp_typed.mock.control.call_log import Received
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.server.async_server import MockServer
from cdp_typed.mock.server.threaded_server import ThreadedMockServer

__all__ = ["assert_no_pending", "differences"]

_Message = Command[Any] | Event
_ABSENT = object()


def assert_no_pending(mock: MockBrowser | MockServer | ThreadedMockServer) -> None:
    """Fail, listing the pending calls, unless every call that the mock has received was answered.

    A call that a dialog blocks waits; so does one whose answer a test dropped or made unreadable.
    """
    __tracebackhide__ = True
    browser = mock if isinstance(mock, MockBrowser) else mock.browser
    if waiting := browser.pending:
        lines = "".join(f"\n  {_call(received)}" for received in waiting)
        raise AssertionError(f"{len(waiting)} of {len(browser.calls)} calls have no answer:{lines}")


def differences(left: object, right: object) -> list[str] | None:
    """Return the differences of two commands or events, or of two sequences of them; None for other values.

    Fields are shown under their wire names, and only those that are sent.
    """
    if _is_message(left) and _is_message(right):
        return [f"{left.METHOD} == {right.METHOD}", *_indented(_compare(left, right))]
    left_messages, right_messages = _messages(left), _messages(right)
    if left_messages is None or right_messages is None or not (left_messages or right_messages):
        return None
    lines = [f"{len(left_messages)} in a {type(left).__name__} == {len(right_messages)} in a {type(right).__name__}"]
    for index, (left_message, right_message) in enumerate(zip_longest(left_messages, right_messages)):
        if left_message is None:
            lines.append(f"[{index}] only right: {_whole(right_message)}")
        elif right_message is None:
            lines.append(f"[{index}] only left: {_whole(left_message)}")
        elif left_message != right_message:
            lines += [f"[{index}] {left_message.METHOD}", *_indented(_compare(left_message, right_message))]
    return lines if len(lines) > 1 else [*lines, "the messages are equal, the sequences are of two types"]


def _call(received: Received) -> str:
    session = "" if received.session is None else f" in session {received.session}"
    return f"{received.method} {received.params} from connection {received.connection}{session}"


def _is_message(value: object) -> TypeGuard[_Message]:
    return isinstance(value, Command | Event)


def _messages(value: object) -> Sequence[_Message] | None:
    if not isinstance(value, list | tuple):
        return None
    items = cast("Sequence[object]", value)
    messages = [item for item in items if _is_message(item)]
    return messages if len(messages) == len(items) else None


def _compare(left: _Message, right: _Message) -> Iterator[str]:
    if type(left) is not type(right):
        yield f"{_whole(left)} != {_whole(right)}"
        return
    left_fields, right_fields = _fields(left), _fields(right)
    for name in dict.fromkeys((*left_fields, *right_fields)):
        if left_fields.get(name, _ABSENT) != right_fields.get(name, _ABSENT):
            yield f"{name}: {_shown(left_fields, name)} != {_shown(right_fields, name)}"


def _shown(fields: dict[str, Any], name: str) -> str:
    return repr(fields[name]) if name in fields else "(not given)"


def _fields(message: _Message) -> dict[str, Any]:
    return cast("dict[str, Any]", msgspec.to_builtins(message))


def _whole(message: _Message | None) -> str:
    return "" if message is None else f"{message.METHOD} {_fields(message)}"


def _indented(lines: Iterator[str]) -> list[str]:
    return [f"    {line}" for line in lines]
