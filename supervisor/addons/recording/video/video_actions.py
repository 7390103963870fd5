"""The actions of `browser_recording` for a video."""

from __future__ import annotations

from cdp_typed.helpers.shared.video.scenes import Written
from cdp_typed.helpers.shared.video.video import Video
from cdp_typed.protocol import page
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools.framework.redaction import TrafficRedaction
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument

from .run_video import LARGEST, Marks, RunVideo, running_video
from .video_options import VideoOptions, options_of

CHAPTER_S = 2.0


async def start_video(context: ToolContext, files: NamedFiles, name: str, options: str) -> None:
    """Begin a video. Raises `InvalidArgument`, `VideoLibrariesMissing`, and what the connection raises."""
    chosen = options_of("video", options)
    context.policy.check_method(page.StartScreencast.METHOD)
    if running_video(context.supervisor) is not None:
        raise InvalidArgument("action", "a video is running: stop_video ends it")
    supervisor = context.supervisor

    def hide(text: str) -> str:
        return TrafficRedaction(context.policy.redact).text(supervisor.redaction.text(text))

    video = RunVideo(supervisor, _video(files, name, chosen), hide, Marks(pointer=chosen.cursor != "off"))
    await video.begin(supervisor, context.policy.url_rules, max(chosen.size or (LARGEST,)))


def _video(files: NamedFiles, name: str, chosen: VideoOptions) -> Video:
    Video.check()
    return Video(files.write(f"{name}.webm", b""), fps=chosen.fps or 25, size=chosen.size)


async def stop_video(context: ToolContext) -> Written:
    """End the video, and return what was written. Raises `VideoNotWritten`."""
    return await _running(context).stop()


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
    try:
        running.video.mark(color=chosen.color, position=chosen.position)
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
