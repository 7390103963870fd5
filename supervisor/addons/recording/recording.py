"""The tool `browser_recording`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from supervisor.saved_state.named_files import NamedFiles, checked_name
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, name_in
from supervisor.tools.framework.untrusted_text import LongPageText
from supervisor.tools.handlers.call_observers import observe, observers_of, stop_observing

from .playwright_code import playwright_python, playwright_typescript
from .pytest_code import pytest_code
from .run_recorder import RunRecorder
from .video.video_actions import add_chapter, start_video, stop_video

NAME = "run"
"""The name of files that the caller does not name."""

_LANGUAGES = {
    "pytest": (pytest_code, "test_{}.py"),
    "playwright-python": (playwright_python, "test_{}_playwright.py"),
    "playwright-typescript": (playwright_typescript, "{}.spec.ts"),
}
Language = Literal["pytest", "playwright-python", "playwright-typescript"]


class RecordingArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_recording`."""

    action: Literal["start", "stop", "video", "stop_video", "chapter"]
    name: str | None = None
    """Of the files."""
    show: Language | None = None
    """Code to return on stop."""
    text: str | None = None
    """A chapter's title; further lines are its text."""
    options: str | None = None
    """video: fps=25 size=1280x720 cursor=off; chapter: seconds=2."""


class Recorded(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The recording or the video so far, or as it was written."""

    steps: int = 0
    files: list[str] = []
    """Their paths on the machine of the supervisor."""
    variables: list[str] = []
    """Environment variables with the secrets that the code needs."""
    left_out: list[str] = []
    """One sentence for each call or step that the code, or one language, does not have, and for what a video lacks."""
    code: LongPageText = ""
    seconds: float = 0
    """The duration of the video."""
    pictures: int = 0
    """The different pictures of pages in it."""


@tool(toolset="browser-recording", works_during_dialog=True)
async def browser_recording(context: ToolContext, arguments: RecordingArguments) -> Recorded:
    """Record your calls as code (pytest, Playwright), or a video. browser_verify: an assertion."""
    match arguments.action:
        case "start":
            await _start(context, _name(arguments))
        case "stop":
            return _stop(context, arguments.show)
        case "video":
            await start_video(context, _files(), _name(arguments), arguments.options or "")
        case "stop_video":
            written = await stop_video(context)
            return Recorded(
                files=[str(written.path)],
                left_out=list(written.left_out),
                seconds=written.seconds,
                pictures=written.pictures,
            )
        case "chapter":
            add_chapter(context, arguments.text or "", arguments.options or "")
    return Recorded()


def _name(arguments: RecordingArguments) -> str:
    with name_in("name"):
        return checked_name(arguments.name or NAME)


def _files() -> NamedFiles:
    return NamedFiles("recordings")


def _recorder(context: ToolContext) -> RunRecorder | None:
    return next((each for each in observers_of(context.supervisor) if isinstance(each, RunRecorder)), None)


async def _start(context: ToolContext, name: str) -> None:
    if _recorder(context) is not None:
        raise InvalidArgument("action", "a recording is running: stop it first")
    recorder = RunRecorder(context.supervisor, name)
    await recorder.begin()
    observe(context.supervisor, recorder)


def _stop(context: ToolContext, show: Language | None) -> Recorded:
    recorder = _recorder(context)
    if recorder is None:
        raise InvalidArgument("action", "nothing is being recorded: start first")
    stop_observing(context.supervisor, recorder)
    run, files, left_out, shown = recorder.run, _files(), list(recorder.left_out), ""
    paths: list[str] = []
    for language, (write, pattern) in _LANGUAGES.items():
        code = write(run)
        name = run.name.translate(str.maketrans("-.", "__")) if pattern.endswith(".py") else run.name
        paths.append(str(files.write(pattern.format(name), code.text.encode())))
        left_out += [f"{language}: {sentence}" for sentence in code.left_out]
        shown = code.text if language == show else shown
    return Recorded(steps=len(run.steps), files=paths, variables=list(run.secrets), left_out=left_out, code=shown)
