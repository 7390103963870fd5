"""The actions of `browser_recording` for a video."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from cdp_typed.conversions import convert
from cdp_typed.helpers.shared.video.scenes import Written
from cdp_typed.helpers.shared.video.video import Video
from cdp_typed.protocol import page
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools.framework.redaction import TrafficRedaction
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument

from .run_video import LARGEST, RunVideo, running_video

_KNOWN: Mapping[str, tuple[str, ...]] = {
    "video": ("fps", "size", "cursor"),
    "chapter": ("seconds",),
}
"""By action."""
_WANTED: Mapping[str, str] = {
    "fps": "fps=25, from 1 to 60",
    "size": "size=1280x720, each side from 16 to 4096",
    "cursor": "cursor=on or cursor=off",
    "seconds": "seconds=2, from 0.1 to 60",
}
_SIZE = re.compile(r"(\d+)x(\d+)", re.ASCII)


class VideoOptions(Struct, frozen=True, kw_only=True):
    """The options that a caller chose; None for the others."""

    fps: Annotated[int, Meta(ge=1, le=60)] | None = None
    size: tuple[Annotated[int, Meta(ge=16, le=4096)], Annotated[int, Meta(ge=16, le=4096)]] | None = None
    cursor: Literal["on", "off"] | None = None
    seconds: Annotated[float, Meta(ge=0.1, le=60)] | None = None


def options_of(action: str, text: str) -> VideoOptions:
    """Read the options of an action. Raises `InvalidArgument`, which names the options that the action has."""
    known = _KNOWN.get(action, ())
    given: dict[str, object] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        if name not in known:
            what = f"{action} has no such option" if known else f"{action} has no options"
            raise InvalidArgument("options", "; ".join([what, *(_WANTED[each] for each in known)]))
        size = _SIZE.fullmatch(value) if name == "size" else None
        try:
            read = convert({name: size.groups() if size else value}, VideoOptions, strict=False)
        except msgspec.ValidationError:
            raise InvalidArgument("options", f"expected {_WANTED[name]}") from None
        given[name] = getattr(read, name)
    return VideoOptions(**given)  # type: ignore[arg-type]  # each was read as what it is


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

    video = RunVideo(supervisor, _video(files, name, chosen), hide, has_pointer=chosen.cursor != "off")
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


def _running(context: ToolContext) -> RunVideo:
    running = running_video(context.supervisor)
    if running is None:
        raise InvalidArgument("action", "there is no video: the action video begins one")
    return running
