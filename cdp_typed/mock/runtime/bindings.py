"""`Runtime.addBinding`: functions of clients in execution contexts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.js.values import Binding
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, ExecutionContext, FrameNode
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step


def bindings_for(step: Step, target: str, world: str) -> dict[str, Binding]:
    """Return the bindings of a new context of a target, in the world of that name."""
    bindings = [binding for session in step.sessions_of(target) for binding in session.bindings]
    return {name: Binding(name) for name, bound_world in bindings if bound_world in ("", world)}


def call_binding(step: Step, frame: FrameNode, context: ExecutionContext, name: str, payload: str) -> None:
    """Emit `Runtime.bindingCalled` for a script's call."""
    params = {"name": name, "payload": payload, "executionContextId": context.id}
    listening = [
        session
        for session in step.enabled(frame.target, "Runtime")
        if any(
            bound_name == name and world in ("", context.name, context.unique_id)
            for bound_name, world in session.bindings
        )
    ]
    step.emit(listening, "Runtime.bindingCalled", params)


def _add(step: Step, session: CDPSession, call: CommandCall) -> None:
    params = call.params
    name: str = params["name"]
    world: str = params.get("executionContextName", "")
    number = params.get("executionContextId")
    if number is not None and world:
        step.refuse(call, Text.TWO_CONTEXTS_TO_BIND)
        return
    frames = [frame for frame in step.state.frames.values() if frame.target == session.target]
    contexts = [(frame, context) for frame in frames for context in frame.contexts]
    if number is not None and all(context.id != number for _, context in contexts):
        step.refuse(call, Text.NO_CONTEXT_TO_BIND)
        return
    for frame, context in contexts:
        if context.id == number:
            # A binding of one context is not added to later ones.
            world = context.unique_id
        if context.id == number or (number is None and world in ("", context.name)):
            _bind(step, frame.id, context, name)
    step.put_session(replace(session, bindings=(*session.bindings, (name, world))))
    step.reply(call)


def _bind(step: Step, frame_id: str, context: ExecutionContext, name: str) -> None:
    frame = step.state.frames[frame_id]
    bound = replace(context, variables={**context.variables, name: Binding(name)})
    contexts = tuple(bound if old.unique_id == context.unique_id else old for old in frame.contexts)
    step.put_frame(replace(frame, contexts=contexts))


def _remove(step: Step, session: CDPSession, call: CommandCall) -> None:
    # As in Chrome, the function stays; its calls emit no events any more.
    kept = tuple(binding for binding in session.bindings if binding[0] != call.params["name"])
    step.put_session(replace(session, bindings=kept))
    step.reply(call)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Runtime.addBinding": _add,
    "Runtime.removeBinding": _remove,
}
