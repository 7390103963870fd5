"""Remote objects: the values behind the object ids that clients hold."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.js.values import remote_object
from cdp_typed.mock.state.browser_state import CDPSession, ExecutionContext, FrameNode, RemoteObject
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step

__all__ = ["find_object", "forget_objects", "release", "shown"]

_OBJECT_ID: Final = re.compile(r"-?\d+\.(\d+)\.\d+")


def shown(
    step: Step, frame: FrameNode, context: ExecutionContext, value: Any, *, by_value: bool = False
) -> dict[str, Any]:
    """The value as a `Runtime.RemoteObject`, held under an id of its own where Chrome would give one."""
    number = step.number()
    held = f"{number * 7919}.{context.id}.{number}"
    made = remote_object(value, object_id=held, by_value=by_value)
    if "objectId" in made:
        holding = RemoteObject(frame.target, frame.id, context.unique_id, value)
        step.state = replace(step.state, objects={**step.state.objects, held: holding})
    return made


def find_object(step: Step, session: CDPSession, object_id: str) -> RemoteObject | Text:
    """What an object id stands for on a session of its target, or Chrome's refusal."""
    parts = _OBJECT_ID.fullmatch(object_id)
    if parts is None:
        return Text.INVALID_OBJECT
    held = step.state.objects.get(object_id)
    if held is not None:
        # Another target has another isolate, and its contexts are not those of this session.
        return held if held.target == session.target else Text.NO_CONTEXT
    frames = [frame for frame in step.state.frames.values() if frame.target == session.target]
    known = any(str(context.id) == parts[1] for frame in frames for context in frame.contexts)
    return Text.NO_SUCH_OBJECT if known else Text.NO_CONTEXT


def release(step: Step, object_id: str) -> None:
    """The client does not need the object any more."""
    kept = {key: held for key, held in step.state.objects.items() if key != object_id}
    step.state = replace(step.state, objects=kept)


def forget_objects(step: Step, frame: str) -> None:
    """The frame's document is replaced, and its objects with it."""
    kept = {key: held for key, held in step.state.objects.items() if held.frame != frame}
    step.state = replace(step.state, objects=kept)
