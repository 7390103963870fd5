"""Slice: the console messages of all sessions, in a bounded ring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from cdp_typed.protocol import log, page, runtime
from supervisor.core.state.frames import Frames
from supervisor.core.state.observed import ConsoleLog, ReplayFilter
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.console_values import (
    ConsoleArgument,
    ConsoleMessage,
    StackFrame,
    describe,
    exception_text,
)
from supervisor.core.vocabulary.effects import Effects
from supervisor.core.vocabulary.inputs import EventReceived, Input

from . import console_replay

TEXT_LIMIT = 2_000
ARGUMENT_LIMIT = 500
MAX_ARGUMENTS = 10
MAX_STACK = 10
MAX_LEVELS = 30
"""Levels that are counted by name; Chromium 156 has 18. Further ones count as `other`."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Add console calls, uncaught exceptions and log entries."""
    return replace(world, console=_reduce(world.console, received, world.targets, world.frames)), ()


def _reduce(console: ConsoleLog, received: Input, targets: Targets, frames: Frames) -> ConsoleLog:
    """Add console calls, uncaught exceptions and log entries. The slices are as after this input."""
    seq = console.count + 1
    match received:
        case EventReceived(str() as session_id, runtime.ConsoleAPICalled() as event):
            return _add_if_new(console, "Runtime", _from_call(seq, session_id, event, frames), targets)
        case EventReceived(str() as session_id, runtime.ExceptionThrown() as event):
            return _add_if_new(console, "Runtime", _from_exception(seq, session_id, event, frames), targets)
        case EventReceived(str() as session_id, log.EntryAdded() as event):
            return _add_if_new(console, "Log", _from_entry(seq, session_id, event.entry), targets)
        case EventReceived(str() as session_id, page.FrameNavigated(frame=frame)) if frame.parent_id is None:
            return replace(console, documents=_begun(console, session_id, targets))
        case _:
            return replace(console, replay_filter=console_replay.reduce(console.replay_filter, received, targets))


def _begun(console: ConsoleLog, session_id: str, targets: Targets) -> Mapping[str, int]:
    session = targets.sessions.get(session_id)
    if session is None or session.is_iframe:  # an iframe's process has a frame without a parent, too
        return console.documents
    present = {each.page_id for each in targets.sessions.values()}
    known = {page_id: count for page_id, count in console.documents.items() if page_id in present}
    return {**known, session.page_id: console.count}


def _add_if_new(console: ConsoleLog, domain: str, message: ConsoleMessage, targets: Targets) -> ConsoleLog:
    session = targets.sessions.get(message.session_id)
    source = (session.target_id if session else "", domain)
    replay_filter, is_new = console_replay.add_message(
        console.replay_filter, message.session_id, source, message.timestamp, message.text
    )
    return _add(console, message, replay_filter) if is_new else console


def _add(console: ConsoleLog, message: ConsoleMessage, replay_filter: ReplayFilter) -> ConsoleLog:
    known = message.level in console.counts or len(console.counts) < MAX_LEVELS
    level = message.level if known else "other"
    return replace(
        console,
        messages=(*console.messages, message)[-console.capacity :],
        count=message.seq,
        counts={**console.counts, level: console.counts.get(level, 0) + 1},
        replay_filter=replay_filter,
    )


def _from_call(seq: int, session_id: str, event: runtime.ConsoleAPICalled, frames: Frames) -> ConsoleMessage:
    stack = _stack(event.stack_trace)
    texts = [describe(argument) for argument in event.args]
    text, length = _join(texts)
    return ConsoleMessage(
        seq=seq,
        level=event.type,
        text=text,
        text_length=length,
        arguments=tuple(map(_argument, event.args[:MAX_ARGUMENTS], texts)),
        stack=stack,
        url=stack[0].url if stack else "",
        line=stack[0].line if stack else None,
        column=stack[0].column if stack else None,
        frame_id=frames.frame_of_context(session_id, event.execution_context_id),
        session_id=session_id,
        timestamp=event.timestamp,
    )


def _from_exception(seq: int, session_id: str, event: runtime.ExceptionThrown, frames: Frames) -> ConsoleMessage:
    details = event.exception_details
    text, length = _join([exception_text(details)])
    context_id = details.execution_context_id
    return ConsoleMessage(
        seq=seq,
        level="exception",
        text=text,
        text_length=length,
        stack=_stack(details.stack_trace),
        url=details.url or "",
        line=details.line_number,
        column=details.column_number,
        frame_id=None if context_id is None else frames.frame_of_context(session_id, context_id),
        session_id=session_id,
        timestamp=event.timestamp,
    )


def _from_entry(seq: int, session_id: str, entry: log.LogEntry) -> ConsoleMessage:
    text, length = _join([entry.text])
    return ConsoleMessage(
        seq=seq,
        level=entry.level,
        text=text,
        text_length=length,
        stack=_stack(entry.stack_trace),
        url=entry.url or "",
        line=entry.line_number,
        frame_id=None,
        session_id=session_id,
        timestamp=entry.timestamp,
    )


def _argument(argument: runtime.RemoteObject, text: str) -> ConsoleArgument:
    is_whole = isinstance(argument.value, bool | int | float) or (
        isinstance(argument.value, str) and text == argument.value
    )
    fits = len(text) <= ARGUMENT_LIMIT
    return ConsoleArgument(
        type=argument.subtype or argument.type,
        text=text[:ARGUMENT_LIMIT],
        value=argument.value if is_whole and fits else None,
    )


def _stack(trace: runtime.StackTrace | None) -> tuple[StackFrame, ...]:
    calls = trace.call_frames[:MAX_STACK] if trace else ()
    return tuple(
        StackFrame(function=call.function_name, url=call.url, line=call.line_number, column=call.column_number)
        for call in calls
    )


def _join(texts: Iterable[str]) -> tuple[str, int]:
    """Join texts to a line that is cut at the limit, and return its full length; long texts are not copied."""
    kept, length, spaces = "", 0, -1
    for text in texts:
        length, spaces = length + len(text), spaces + 1
        if len(kept) <= TEXT_LIMIT:
            kept += (" " if spaces else "") + text[: TEXT_LIMIT + 1]
    return kept[:TEXT_LIMIT], length + max(0, spaces)
