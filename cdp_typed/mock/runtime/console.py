"""Console messages and exceptions of scripts, sent at once and stored for sessions that enable Runtime later."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.js import effects as js
from cdp_typed.mock.js.shown.previews import preview
from cdp_typed.mock.js.values import Failure
from cdp_typed.mock.runtime.remote_objects import to_remote_object
from cdp_typed.mock.state.browser_state import ExecutionContext, FrameNode, Params, StoredConsoleEvent
from cdp_typed.mock.state.step import Step

MAX_CONSOLE_ENTRIES: Final = 1_000
"""The number of console messages of a target that Chrome repeats to a session that enables Runtime."""


def add_console_entry(step: Step, target: str, method: str, params: Params, now: Params | None = None) -> None:
    """Emit an event, and store it for sessions that enable its domain later.

    `now` are the parameters that are sent at once, if they differ from the stored ones.
    """
    entries = [entry for entry in step.state.console_entries if entry.target == target]
    others = [entry for entry in step.state.console_entries if entry.target != target]
    entries = [*entries, StoredConsoleEvent(target, method, params)][-MAX_CONSOLE_ENTRIES:]
    step.state = replace(step.state, console_entries=(*others, *entries))
    step.emit_if_enabled(target, method, params if now is None else now)


def log_console_call(step: Step, frame: FrameNode, context: ExecutionContext, effect: js.ConsoleCall, url: str) -> None:
    """Emit `Runtime.consoleAPICalled`; the previews of objects are not stored."""
    arguments = [to_remote_object(step, frame, context, argument) for argument in effect.arguments]
    with_previews = [
        with_preview(shown, value, nested=effect.level == "table")
        for shown, value in zip(arguments, effect.arguments, strict=True)
    ]
    params = {
        "type": effect.level,
        "args": arguments,
        "executionContextId": context.id,
        "timestamp": step.now * 1000,
        "stackTrace": {"callFrames": [_call_frame("1", url, effect.column)]},
    }
    add_console_entry(step, frame.target, "Runtime.consoleAPICalled", params, {**params, "args": with_previews})


def with_preview(shown: dict[str, Any], value: Any, *, nested: bool = False) -> dict[str, Any]:
    """Add the preview that an array, an object or an error has."""
    object_preview = preview(value, nested=nested)
    return shown if object_preview is None else {**shown, "preview": object_preview}


def _call_frame(script: str, url: str, column: int) -> dict[str, Any]:
    return {"functionName": "", "scriptId": script, "url": url, "lineNumber": 0, "columnNumber": column}


def exception_details(
    step: Step, where: FrameNode, context: ExecutionContext, outcome: js.Threw, url: str = ""
) -> dict[str, Any]:
    """Return the `Runtime.ExceptionDetails` of an exception of the script at `url`."""
    number = step.number()
    script = str(number)
    column = outcome.value.column if isinstance(outcome.value, Failure) else outcome.column
    began = not isinstance(outcome.value, Failure) or outcome.value.stack
    return {
        "exceptionId": number,
        "text": "Uncaught",
        "lineNumber": 0,
        "columnNumber": outcome.column,
        "scriptId": script,
        **({"url": url} if url else {}),
        **({"stackTrace": {"callFrames": [_call_frame(script, url, column)]}} if began else {}),
        "exception": to_remote_object(step, where, context, outcome.value),
    }


def report_exception(step: Step, frame: FrameNode, context: ExecutionContext, outcome: js.Threw, url: str) -> None:
    """Emit `Runtime.exceptionThrown` for an uncaught exception."""
    _report(step, frame, context, exception_details(step, frame, context, outcome, url), outcome.value)


def report_rejection(step: Step, frame: FrameNode, context: ExecutionContext, value: Any) -> None:
    """Emit `Runtime.exceptionThrown` for an unhandled rejection."""
    details = exception_details(step, frame, context, js.Threw(value, 0))
    _report(step, frame, context, {**details, "text": "Uncaught (in promise)"}, value)


def _report(step: Step, frame: FrameNode, context: ExecutionContext, details: dict[str, Any], value: Any) -> None:
    details = {**details, "executionContextId": context.id}
    params: Params = {"timestamp": step.now * 1000, "exceptionDetails": details}
    seen = {**details, "exception": with_preview(details["exception"], value)}
    add_console_entry(step, frame.target, "Runtime.exceptionThrown", params, {**params, "exceptionDetails": seen})
