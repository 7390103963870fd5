"""Remote objects: the values behind the object ids of clients."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.js.navigation_api import location_by_value
from cdp_typed.mock.js.shown.remote_values import remote_object
from cdp_typed.mock.state.browser_state import CDPSession, ExecutionContext, FrameNode, RemoteObject, ReplyTo
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step

_OBJECT_ID: Final = re.compile(r"-?\d+\.(\d+)\.\d+")


def to_remote_object(
    step: Step,
    frame: FrameNode,
    context: ExecutionContext,
    value: Any,
    *,
    by_value: bool = False,
    reply: ReplyTo | None = None,
) -> dict[str, Any]:
    """Return the value as a `Runtime.RemoteObject`, stored under a new object id where Chrome gives one.

    It belongs to the session and the group of the `reply`; without one all sessions receive it. Raises `NotByValue`.
    """
    number = step.number()
    object_id = f"{number * 7919}.{context.id}.{number}"
    location = location_by_value(frame.url) if by_value and not (frame.parent or frame.unreachable) else None
    shown = remote_object(value, object_id=object_id, by_value=by_value, location=location)
    if "objectId" in shown:
        owner, group = (None, "") if reply is None else (reply.session, reply.object_group)
        remote = RemoteObject(frame.target, frame.id, context.unique_id, value, owner, group)
        step.state = replace(step.state, remote_objects={**step.state.remote_objects, object_id: remote})
    return shown


def find_object(step: Step, session: CDPSession, object_id: str) -> RemoteObject | Text:
    """Return the object of an id on a session of its target, or Chrome's error."""
    parts = _OBJECT_ID.fullmatch(object_id)
    if parts is None:
        return Text.INVALID_OBJECT
    remote = step.state.remote_objects.get(object_id)
    if remote is not None:
        # Another target has another isolate, and its contexts are not those of this session.
        if remote.target != session.target:
            return Text.NO_CONTEXT
        return remote if remote.owner in (None, session.key) else Text.NO_SUCH_OBJECT
    frames = [frame for frame in step.state.frames.values() if frame.target == session.target]
    known = any(str(context.id) == parts[1] for frame in frames for context in frame.contexts)
    return Text.NO_SUCH_OBJECT if known else Text.NO_CONTEXT


def release_object(step: Step, object_id: str) -> None:
    """Release an object."""
    kept = {key: remote for key, remote in step.state.remote_objects.items() if key != object_id}
    step.state = replace(step.state, remote_objects=kept)


def release_group(step: Step, session: CDPSession, group: str) -> None:
    """Release the objects that a session has put into a group."""
    kept = {
        key: remote
        for key, remote in step.state.remote_objects.items()
        if (remote.owner, remote.group) != (session.key, group)
    }
    step.state = replace(step.state, remote_objects=kept)


def release_objects_of_frame(step: Step, frame: str) -> None:
    """Release the objects of a document that is replaced."""
    kept = {key: remote for key, remote in step.state.remote_objects.items() if remote.frame != frame}
    step.state = replace(step.state, remote_objects=kept)
