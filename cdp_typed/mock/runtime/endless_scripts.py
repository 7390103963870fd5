"""Endless scripts: they block their renderer, and `Runtime.terminateExecution` ends them."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.site import site_of
from cdp_typed.mock.state.browser_state import (
    AwaitingCall,
    BrowserState,
    CDPSession,
    CommandCall,
    FrameNode,
    Navigation,
    ScriptRun,
)
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step, origin_url_of


def begin_loop(step: Step, frame: FrameNode, script_run: ScriptRun) -> None:
    """Block the renderer by a script that never ends."""
    key = step.process_key(frame)
    step.put_process(key, replace(step.process(key), blocked="busy", then=script_run.stage))
    if script_run.reply is not None:
        step.state = replace(
            step.state,
            awaiting_calls=(*step.state.awaiting_calls, AwaitingCall(frame.id, script_run.reply, loops=True)),
        )


def terminates_loop(step: Step, key: str, method: str) -> bool:
    """Return whether the call ends a loop in a blocked renderer; not while a navigation waits for it."""
    process = step.process(key)
    leaving = any(isinstance(work, Navigation) for work in process.queue)
    return method == "Runtime.terminateExecution" and process.blocked == "busy" and not leaving


def leaves_loop_behind(step: Step, navigation: Navigation, key: str) -> bool:
    """Return whether a navigation does not wait for an endless script: another site's document needs another renderer.

    The renderer of `about:blank` is any site's, and so its loop blocks every document.
    """
    frame = step.state.frames.get(navigation.frame)
    if frame is None or frame.parent is not None or step.process(key).blocked != "busy":
        return False
    return bool(site_of(origin_url_of(frame))) and step.renderer_key(frame.page, navigation.url) != key


def terminate(step: Step, session: CDPSession, call: CommandCall) -> None:
    """`Runtime.terminateExecution`: fails the call that loops, and performs the queued work."""
    step.reply(call)
    frame = step.state.frames.get(session.target or "")
    if frame is None or step.process(step.process_key(frame)).blocked != "busy":
        return
    _end_loop(step, step.process_key(frame))


def next_deadline(state: BrowserState) -> float | None:
    """Return when the next loop reaches the `timeout` of its call; None if none does."""
    deadlines = [awaiting.reply.deadline for awaiting in state.awaiting_calls if awaiting.loops]
    return min((deadline for deadline in deadlines if deadline is not None), default=None)


def end_overdue_loops(step: Step) -> None:
    """End the loops that have reached the `timeout` of their call."""
    for awaiting in step.state.awaiting_calls:
        deadline = awaiting.reply.deadline
        if awaiting.loops and deadline is not None and deadline <= step.now and awaiting.frame in step.state.frames:
            _end_loop(step, step.process_key(step.state.frames[awaiting.frame]))


def _end_loop(step: Step, key: str) -> None:
    process = step.process(key)
    step.put_process(key, replace(process, blocked="", queue=(), then=None))
    for awaiting in step.state.awaiting_calls:
        if awaiting.loops and _is_in(step, awaiting.frame, key):
            step.refuse(awaiting.reply, Text.TERMINATED)
    kept = tuple(item for item in step.state.awaiting_calls if not (item.loops and _is_in(step, item.frame, key)))
    step.state = replace(step.state, awaiting_calls=kept)
    if process.then is not None:
        step.enqueue(process.then)
    for work in process.queue:
        step.enqueue(work)


def _is_in(step: Step, frame_id: str, key: str) -> bool:
    frame = step.state.frames.get(frame_id)
    return frame is not None and step.process_key(frame) == key
