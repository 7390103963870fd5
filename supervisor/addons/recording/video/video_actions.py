"""The actions of `browser_recording` for a video."""

from __future__ import annotations

import time
from pathlib import Path

from cdp_typed.helpers.shared.video.scenes import Written
from cdp_typed.helpers.shared.video.video import Video, VideoLibrariesMissing
from cdp_typed.protocol import page
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools.framework.redaction import TrafficRedaction
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument

from .run_video import LARGEST, Marks, RunVideo, running_video
from .step_pictures import MOST, StepPictures
from .video_options import VideoOptions, options_of

CHAPTER_S = 2.0
NO_LIBRARIES = (
    "there is no video, because the extra 'video' is not installed (pip install 'cdp-typed[video]'); "
    "a picture is written after each step instead"
)


async def start_video(context: ToolContext, files: NamedFiles, name: str, options: str) -> str:
    """Begin a video, and return a hint, or "". Raises `InvalidArgument`, and what the connection raises."""
    chosen = options_of("video", options)
    context.policy.check_method(page.StartScreencast.METHOD)
    if running_video(context.supervisor) is not None:
        raise InvalidArgument("action", "a video is running: stop_video ends it")
    supervisor = context.supervisor

    def hide(text: str) -> str:
        return TrafficRedaction(context.policy.redact).text(supervisor.redaction.text(text))

    hint = ""
    try:
        target: Video | StepPictures = _video(files, name, chosen)
    except VideoLibrariesMissing:
        hint = NO_LIBRARIES
        target = StepPictures(files.path(f"{name}-{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 1000:03}"))
    video = RunVideo(supervisor, target, hide, Marks(pointer=chosen.cursor != "off"))
    await video.begin(supervisor, context.policy.url_rules, max(chosen.size or (LARGEST,)))
    return hint


def _video(files: NamedFiles, name: str, chosen: VideoOptions) -> Video:
    new = [files.path(f"{name}.webm"), *([] if chosen.sheet is None else [files.path(f"{name}.png")])]
    Video.check()
    for path in new:
        files.write(path.name, b"")
    return Video(new[0], fps=chosen.fps or 25, size=chosen.size, sheet=chosen.sheet)


async def stop_video(context: ToolContext) -> tuple[Written | None, list[Path], list[str]]:
    """End the video: what was written, the files, and a sentence for each thing that is missing."""
    running = _running(context)
    written = await running.stop()
    if written is not None:
        return written, [path for path in (written.path, written.sheet) if path is not None], [*written.left_out]
    assert isinstance(running.target, StepPictures)
    full = [f"there are no more than {MOST} pictures"] if running.target.is_full else []
    return None, running.target.files, [NO_LIBRARIES, *full]


def add_chapter(context: ToolContext, text: str, options: str) -> None:
    """Add a card: the first line is its title."""
    chosen = options_of("chapter", options)
    title, _, below = text.strip().partition("\n")
    if not title:
        raise InvalidArgument("text", "missing; expected the title of the chapter")
    _running(context).chapter(title, below.strip(), chosen.seconds or CHAPTER_S)


def show_actions(context: ToolContext, options: str) -> None:
    """Draw the pointer and the names of the steps from now on."""
    chosen, running = options_of("show_actions", options), _running(context)
    if isinstance(running.target, Video):
        try:
            running.target.mark(color=chosen.color, position=chosen.position)
        except ValueError:
            raise InvalidArgument("options", "unknown color; expected one of CSS, by name or as #e5484d") from None
    running.mark(names=True, pointer=chosen.cursor != "off", seconds=chosen.seconds)


def hide_actions(context: ToolContext, options: str) -> None:
    """Draw neither from now on."""
    options_of("hide_actions", options)
    _running(context).mark(names=False, pointer=False)


def _running(context: ToolContext) -> RunVideo:
    running = running_video(context.supervisor)
    if running is None:
        raise InvalidArgument("action", "there is no video: the action video begins one")
    return running
