"""Scripts, isolated worlds and lifecycle events that clients request for every new document."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.runtime.expressions import program_of
from cdp_typed.mock.state.browser_state import (
    CDPSession,
    CommandCall,
    FrameNode,
    LoadState,
    NewDocumentScript,
    ScriptRun,
)
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step

_REACHED: Final[dict[LoadState, tuple[str, ...]]] = {
    "frames": ("commit", "DOMContentLoaded"),
    "on_load": ("commit", "DOMContentLoaded"),
    "done": ("commit", "DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle"),
}
"""The lifecycle events of a document that has already loaded so far, without those of painting."""


def emit_lifecycle(step: Step, frame: FrameNode, *names: str) -> None:
    """Emit `Page.lifecycleEvent` on the sessions that have enabled it."""
    listeners = [session for session in step.enabled(frame.target, "Page") if session.lifecycle]
    for name in names:
        params = {"frameId": frame.id, "loaderId": frame.loader, "name": name, "timestamp": step.now}
        step.emit(listeners, "Page.lifecycleEvent", params)


def set_lifecycle(step: Step, session: CDPSession, call: CommandCall) -> None:
    """`Page.setLifecycleEventsEnabled`: repeats the past events before it replies."""
    wanted: bool = call.params["enabled"]
    session = replace(session, lifecycle=wanted)
    step.put_session(session)
    frames = [frame for frame in step.state.frames.values() if frame.target == session.target]
    for frame in frames if wanted else ():
        for name in _REACHED.get(frame.loading, ("commit",)):
            params = {"frameId": frame.id, "loaderId": frame.loader, "name": name, "timestamp": step.now}
            step.emit([session], "Page.lifecycleEvent", params)
    step.reply(call)


def add_script(step: Step, session: CDPSession, call: CommandCall) -> None:
    """`Page.addScriptToEvaluateOnNewDocument`."""
    params = call.params
    number = session.scripts_added + 1
    script = NewDocumentScript(str(number), params["source"], params.get("worldName", ""))
    scripts = (*session.new_document, script)
    step.put_session(replace(session, new_document=scripts, scripts_added=number))
    step.reply(call, {"identifier": script.id})
    if params.get("runImmediately", False):
        for frame in [frame for frame in step.state.frames.values() if frame.target == session.target]:
            _run(step, frame.id, script)


def remove_script(step: Step, session: CDPSession, call: CommandCall) -> None:
    """`Page.removeScriptToEvaluateOnNewDocument`."""
    kept = tuple(script for script in session.new_document if script.id != call.params["identifier"])
    if kept == session.new_document:
        step.refuse(call, Text.NO_SCRIPT)
        return
    step.put_session(replace(session, new_document=kept))
    step.reply(call)


def run_scripts(step: Step, frame: FrameNode) -> None:
    """Run the scripts of every session of the target in a new document, before its own."""
    for session in list(step.sessions_of(frame.target)):
        for script in session.new_document:
            _run(step, frame.id, script)


def _run(step: Step, frame_id: str, script: NewDocumentScript) -> None:
    frame = step.state.frames[frame_id]
    context = next((item for item in frame.contexts if item.name == script.world), None)
    if context is None:
        context = add_context(step, frame, script.world, is_default=False)
    step.enqueue(ScriptRun(frame_id, context.unique_id, program_of(step.state.expressions, script.source)))
