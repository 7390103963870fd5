"""Execution contexts of frames."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.runtime.bindings import bindings_for
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.browser_state import ExecutionContext, FrameNode, Target
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step, origin_url_of

_UNIQUE_ID: Final = re.compile(r"-?\d+\.-?\d+")


def describe(frame: FrameNode, context: ExecutionContext) -> dict[str, Any]:
    """Return the `Runtime.ExecutionContextDescription` of a context of `frame`."""
    kind = "default" if context.is_default else "isolated"
    of_frame = {"auxData": {"isDefault": context.is_default, "type": kind, "frameId": frame.id}}
    return {
        "id": context.id,
        "origin": frame.url if frame.thread else origin_of(origin_url_of(frame)),
        "name": context.name,
        "uniqueId": context.unique_id,
        # A worker's context has no frame.
        **({} if frame.thread else of_frame),
    }


def add_context(step: Step, frame: FrameNode, name: str = "", *, is_default: bool = True) -> ExecutionContext:
    """Add a context to the frame, numbered within its process, and emit it."""
    key = step.process_key(frame)
    process = step.process(key)
    step.put_process(key, replace(process, next_context=process.next_context + 1))
    number = step.number()
    bound = bindings_for(step, frame.target, name)
    context = ExecutionContext(process.next_context, _unique_id(number), name, is_default, bound)
    step.put_frame(replace(frame, contexts=(*frame.contexts, context)))
    announce_context(step, frame, context)
    return context


def announce_context(step: Step, frame: FrameNode, context: ExecutionContext) -> None:
    """Emit `Runtime.executionContextCreated`."""
    step.emit_if_enabled(frame.target, "Runtime.executionContextCreated", {"context": describe(frame, context)})


def clear_contexts(step: Step, target: str) -> None:
    """Emit `Runtime.executionContextsCleared` on the sessions of a target."""
    step.emit_if_enabled(target, "Runtime.executionContextsCleared")


def put_context(step: Step, frame: FrameNode, context: ExecutionContext) -> None:
    """Replace the context of that unique id."""
    contexts = tuple(context if old.unique_id == context.unique_id else old for old in frame.contexts)
    step.put_frame(replace(frame, contexts=contexts))


def find_context(
    step: Step, target: Target, number: int | None, unique: str | None
) -> tuple[FrameNode, ExecutionContext] | Text:
    """Return the context that a call on a session of `target` names, or Chrome's error."""
    if number is not None and unique is not None:
        return Text.TWO_CONTEXTS
    if number is None and unique is None:
        frame = step.state.frames.get(target.id)
        if frame is None or frame.target != target.id or not frame.contexts:
            return Text.NO_DEFAULT_CONTEXT
        return frame, frame.contexts[0]
    for frame in step.state.frames.values():
        if frame.target == target.id:
            for context in frame.contexts:
                if context.id == number or context.unique_id == unique:
                    return frame, context
    return Text.NO_CONTEXT if unique is None else _unknown(step, unique)


def _unique_id(number: int) -> str:
    return f"{number * 7919}.-{number * 104729}"


def _unknown(step: Step, unique: str) -> Text:
    """Return Chrome's error for a unique id that no context has: of a wrong form, never given, or of a context gone."""
    if not _UNIQUE_ID.fullmatch(unique):
        return Text.BAD_UNIQUE_CONTEXT
    elsewhere = any(context.unique_id == unique for frame in step.state.frames.values() for context in frame.contexts)
    given = not elsewhere and any(unique == _unique_id(number) for number in range(1, step.state.serial + 1))
    return Text.NO_CONTEXT if given else Text.NO_UNIQUE_CONTEXT
