"""The tool `browser_recording`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from supervisor.saved_state.named_files import NamedFiles, checked_name
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText
from supervisor.tools.handlers.call_observers import observe, observer_of, stop_observing

from .playwright_code import playwright_python, playwright_typescript
from .pytest_code import pytest_code
from .replay_code import replay_code
from .run_recorder import RunRecorder

FOLDER = "CDP_RECORDING_FOLDER"
"""The variable that names the folder of the files; by default it is `cdp-typed/recordings` in the user's folder for
program state."""

_LANGUAGES = {
    "pytest": (pytest_code, "test_{}.py"),
    "playwright-python": (playwright_python, "test_{}_playwright.py"),
    "playwright-typescript": (playwright_typescript, "{}.spec.ts"),
    "replay": (replay_code, "{}.replay.json"),
}
Language = Literal["pytest", "playwright-python", "playwright-typescript", "replay"]


class RecordingArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_recording`."""

    action: Literal["start", "stop"]
    name: str = "run"
    """For start: the name of the test."""
    show: Language | None = None
    """For stop: the code to return. All are written to files. replay is for Puppeteer and Chrome's Recorder."""


class Recorded(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The recording so far, or as it was written."""

    steps: int = 0
    files: list[str] = []
    """Their paths on the machine of the supervisor."""
    variables: list[str] = []
    """Environment variables with the secrets that the code needs."""
    left_out: list[str] = []
    """One sentence for each call or step that is not in the code, or not in one language."""
    code: LongPageText = ""


@tool(toolset="browser-recording", reads_only=True, works_during_dialog=True)
async def browser_recording(context: ToolContext, arguments: RecordingArguments) -> Recorded:
    """Record your calls from start to stop as code: tests for pytest and Playwright, and a replay. browser_verify
    becomes an assertion. Passwords become environment variables."""
    recorder = observer_of(context.supervisor)
    if arguments.action == "start":
        if isinstance(recorder, RunRecorder):
            raise InvalidArgument("action", "a recording is running: stop it first")
        name = checked_name(arguments.name)
        recorder = RunRecorder(context.supervisor, name)
        await recorder.begin()
        observe(context.supervisor, recorder)
        return Recorded()
    if not isinstance(recorder, RunRecorder):
        raise InvalidArgument("action", "nothing is being recorded: start first")
    stop_observing(context.supervisor)
    run, files, left_out, shown = recorder.run, NamedFiles("recordings", FOLDER), list(recorder.left_out), ""
    paths: list[str] = []
    for language, (write, pattern) in _LANGUAGES.items():
        code = write(run)
        name = run.name.translate(str.maketrans("-.", "__")) if pattern.endswith(".py") else run.name
        paths.append(str(files.write(pattern.format(name), code.text.encode())))
        left_out += [f"{language}: {sentence}" for sentence in code.left_out]
        shown = code.text if language == arguments.show else shown
    return Recorded(steps=len(run.steps), files=paths, variables=list(run.secrets), left_out=left_out, code=shown)
