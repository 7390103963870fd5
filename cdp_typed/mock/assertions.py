"""Assertions about the traffic of a mock, and readable differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, TypeGuard, cast

import msgspec

from cdp_typed._base import Command, Event
from cdp_typed.conversions import convert
from cdp_typed.mock.control.call_log import Received, ReceivedCommands
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.server.async_server import MockServer
from cdp_typed.mock.server.threaded_server import ThreadedMockServer
from cdp_typed.spelling import closest

__all__ = ["absence", "assert_no_pending", "assert_no_refusals", "assert_received", "differences"]

_Message = Command[Any] | Event
_Mock = MockBrowser | MockServer | ThreadedMockServer
_ABSENT = object()
_SHOWN: Final = 20
"""The number of received calls that a failed assertion lists."""


def assert_received(mock: _Mock, *commands: Command[Any]) -> None:
    """Fail unless the mock has received these calls in this order, with any other calls between them.

    The failure shows the call that is missing, the received one that is most like it, and all that was received.
    """
    __tracebackhide__ = True
    calls = _browser_of(mock).calls
    at = 0
    for command in commands:
        found = next((index for index in range(at, len(calls)) if _is_call_of(calls[index], command)), None)
        if found is None:
            after = f" after call {at}" if at else ""
            lines = [f"{_whole(command)} was not received{after}", *_nearly(command, calls[at:]), *_log(calls)]
            raise AssertionError("\n".join(lines))
        at = found + 1


def assert_no_pending(mock: _Mock) -> None:
    """Fail, listing the pending calls, unless every call that the mock has received was answered.

    A call that a dialog blocks waits; so does one whose answer a test dropped or made unreadable.
    """
    __tracebackhide__ = True
    browser = _browser_of(mock)
    if waiting := browser.pending:
        lines = "".join(f"\n  {_call(received)}" for received in waiting)
        raise AssertionError(f"{len(waiting)} of {len(browser.calls)} calls have no answer:{lines}")


def assert_no_refusals(*mocks: _Mock, but: Sequence[str] = ()) -> None:
    """Fail, listing them, if a mock refused calls or scripts because it does not model them.

    `but` are the expected refusals: parts of the lines that the failure would list. Fails, too, if one does not occur.
    """
    __tracebackhide__ = True
    refused = [str(refusal) for mock in mocks for refusal in _browser_of(mock).refusals]
    if others := [line for line in refused if not any(part in line for part in but)]:
        often = "once" if len(others) == 1 else f"{len(others)} times"
        lines = "".join(f"\n  {line}" for line in others)
        raise AssertionError(f"the mock refused what it does not model, {often}:{lines}")
    for part in but:
        if not any(part in line for line in refused):
            raise AssertionError(f"{part!r} was expected to be refused, and was not; refused: {refused}")


def differences(left: object, right: object) -> list[str] | None:
    """Return the differences of two commands or events, or of two sequences of them; None for other values.

    Fields are shown under their wire names, and only those that are sent.
    """
    if _is_message(left) and _is_message(right):
        return [f"{left.METHOD} == {right.METHOD}", *_indented(_compare(left, right))]
    left_messages, right_messages = _messages(left), _messages(right)
    if left_messages is None or right_messages is None or not (left_messages or right_messages):
        return None
    lines = [f"{len(left_messages)} in a {_kind(left)} == {len(right_messages)} in a {_kind(right)}"]
    for index, (left_message, right_message) in enumerate(zip_longest(left_messages, right_messages)):
        if left_message is None:
            lines.append(f"[{index}] only right: {_whole(right_message)}")
        elif right_message is None:
            lines.append(f"[{index}] only left: {_whole(left_message)}")
        elif left_message != right_message:
            lines += [f"[{index}] {left_message.METHOD}", *_indented(_compare(left_message, right_message))]
    if len(lines) == 1:
        return [*lines, "the messages are equal, the sequences are of two types"]
    for side, other in ((left, right_messages), (right, left_messages)):
        if isinstance(side, ReceivedCommands):
            missing = [message for message in other if message not in side]
            # Of as many as were expected each is compared above.
            if len(side) != len(other) and missing and isinstance(missing[0], Command):
                lines += _nearly(missing[0], side.calls)
            lines += _log(side.calls)
    return lines


def absence(command: object, received: object) -> list[str] | None:
    """Explain why a command is not among the received calls; None for other values."""
    if not _is_command(command) or not isinstance(received, ReceivedCommands):
        return None
    first = f"{_whole(command)} in {len(received)} received of {received.method}"
    return [first, *_nearly(command, received.calls), *_log(received.calls)]


def _kind(value: object) -> str:
    return "tuple" if isinstance(value, ReceivedCommands) else type(value).__name__


def _browser_of(mock: _Mock) -> MockBrowser:
    return mock if isinstance(mock, MockBrowser) else mock.browser


def _is_call_of(call: Received, command: Command[Any]) -> bool:
    return call.method == command.METHOD and convert(call.params, type(command)) == command


def _nearly(command: Command[Any], calls: Sequence[Received]) -> list[str]:
    """Return the call that is most like the command, with the fields that differ; else one of a similar name."""
    alike = [call for call in calls if call.method == command.METHOD]
    if alike:
        wanted = _fields(command)
        differing = [
            [name for name in {**wanted, **call.params} if not _agrees(wanted, call.params, name)] for call in alike
        ]
        index = min(range(len(alike)), key=lambda at: (len(differing[at]), -at))
        lines = (f"{name}: {_shown(alike[index].params, name)} != {_shown(wanted, name)}" for name in differing[index])
        return [f"nearly: {_call(alike[index])}", *_indented(lines)]
    return [f"nearly: {method}" for method in closest(command.METHOD, {call.method for call in calls})]


def _agrees(wanted: dict[str, object], got: dict[str, object], name: str) -> bool:
    return wanted.get(name, _ABSENT) == got.get(name, _ABSENT)


def _log(calls: Sequence[Received]) -> list[str]:
    if not calls:
        return ["nothing was received"]
    earlier = [f"    ({len(calls) - _SHOWN} earlier ones)"] if len(calls) > _SHOWN else []
    return [f"received, {len(calls)} in all:", *earlier, *(f"    {_call(call)}" for call in calls[-_SHOWN:])]


def _call(received: Received) -> str:
    session = "" if received.session is None else f" in session {received.session}"
    return f"{received.method} {received.params} from connection {received.connection}{session}"


def _is_command(value: object) -> TypeGuard[Command[Any]]:
    return isinstance(value, Command)


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
