"""Pictures of a page, for models that see."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from cdp_typed import base64_bytes
from cdp_typed._base import Base64, Command
from cdp_typed.errors import CDPError
from cdp_typed.protocol import page
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.chromium import DRAW_TAB
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.tool import Image
from supervisor.tools.framework.untrusted_text import LongPageText

from .boxes import seen_of
from .element_errors import NotShown
from .geometry import Box
from .hit_testing import locate
from .marks import Mark, draw, marked_within
from .page_frames import find, run_on, top_frame

MAX_SIDE = 8_000
"""CSS pixels of a picture's longer side; a longer page is cut, and that is said."""


DRAW_S = 1.0
"""Seconds after which a screencast that keeps the tab drawn starts again."""

_UNCLIPPED = """function() {
    const above = node => node.assignedSlot || node.parentElement || the(node.parentNode)?.host;
    let {position} = getComputedStyle(this), box = [-1e6, -1e6, 1e6, 1e6];
    for (let node = above(this); node && node !== document.body && position !== 'fixed'; node = above(node)) {
        const style = getComputedStyle(node);
        if (position === 'absolute' && style.position === 'static') continue;
        position = style.position;
        if (style.overflow === 'visible') continue;
        const {left, top, right, bottom} = node.getBoundingClientRect();
        box = [Math.max(box[0], left), Math.max(box[1], top), Math.min(box[2], right), Math.min(box[3], bottom)];
    }
    return box;
}"""
"""A function: the part of the viewport, and of what is out of view, in which scrolling boxes show an element."""


class VisionArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_vision`: the viewport, the whole page, or one element."""

    full_page: bool = False
    """Also what is out of view."""
    ref: str | None = None
    """Only this element."""
    refs: bool = False
    """Write refs on it."""
    format: Literal["webp", "jpeg", "png"] = "webp"
    quality: Annotated[int, Meta(ge=1, le=100)] = 80
    """Not of PNG."""


class QuestionArguments(VisionArguments, frozen=True, kw_only=True):
    """The same, where pictures are described."""

    question: str | None = None
    """Details to find."""


class Vision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A picture: page content, all of it untrusted."""

    image: Image
    width: int
    height: int
    """In CSS pixels."""
    scale: float = 1
    """Pixels of the picture for each CSS pixel."""
    left: float = 0
    top: float = 0
    """The picture's upper left corner, in CSS pixels of the page's viewport. The picture's point `x` is the page's
    point `left + x / scale`."""
    marks: list[Mark] = []
    """The refs on the picture."""
    is_cut: bool = False
    """True when there is more than is shown."""
    description: LongPageText | None = None
    """The description by `Describe`, if one is set."""


Describe: TypeAlias = Callable[[Image, str | None], Awaitable[str] | str]
"""Tells in words what is in a picture; gets the caller's question, if there is one."""


async def take(
    supervisor: AsyncSupervisor,
    arguments: VisionArguments,
    describe: Describe | None = None,
    *,
    format: Literal["png", "jpeg", "webp"] | None = None,
) -> Vision:
    """Return a picture of the current page (`Page.captureScreenshot`), with a description if `describe` is given.

    `format` takes the place of the one in the arguments. Raises an `ElementError`
    when the element has no place on the page, and `BlockedByDialog` while a dialog freezes the page.
    """
    top, format = top_frame(supervisor), format or arguments.format
    box, is_whole = await _box(supervisor, top, arguments)
    shown = Box(box.left, box.top, min(box.right, box.left + MAX_SIDE), min(box.bottom, box.top + MAX_SIDE))
    width, height = shown.right - shown.left, shown.bottom - shown.top
    scrolled = (await supervisor.send(page.GetLayoutMetrics(), top.frame_id)).css_layout_viewport
    area = shown.moved(-scrolled.page_x, -scrolled.page_y)
    marked = await marked_within(supervisor, area) if arguments.refs else ()
    command = page.CaptureScreenshot(
        format=format,
        quality=None if format == "png" else arguments.quality,
        clip=page.Viewport(x=shown.left, y=shown.top, width=width, height=height, scale=1),
        capture_beyond_viewport=arguments.full_page,
    )
    image = Image(mime_type=f"image/{format}", data=await _captured(supervisor, command, top.frame_id))
    if marked:
        image = await draw(supervisor, image, area, marked)
    said = None if describe is None else describe(image, getattr(arguments, "question", None))
    return Vision(
        image=image,
        width=round(width),
        height=round(height),
        scale=_scale(image, width),
        left=round(area.left, 2),
        top=round(area.top, 2),
        marks=[each.mark for each in marked],
        is_cut=not is_whole or shown != box,
        description=await said if inspect.isawaitable(said) else said,
    )


def _scale(image: Image, width: float) -> float:
    """The pixels of a picture for each of `width` CSS pixels: a dense screen has two or more."""
    data = base64_bytes(image.data)
    if data.startswith(b"\x89PNG"):
        return round(int.from_bytes(data[16:20]) / width, 2) or 1
    if data.startswith(b"RIFF"):
        return round(_width_of_webp(data) / width, 2) or 1
    at = 2
    while at + 9 < len(data):  # the segments of a JPEG; a frame header has the size
        if 0xC0 <= data[at + 1] <= 0xC2:
            return round(int.from_bytes(data[at + 7 : at + 9]) / width, 2) or 1
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return 1


def _width_of_webp(data: bytes) -> int:
    """By the kind of its first chunk: lossy, lossless or extended."""
    match data[12:16]:
        case b"VP8 ":
            return int.from_bytes(data[26:28], "little") & 0x3FFF
        case b"VP8L":
            return (int.from_bytes(data[21:23], "little") & 0x3FFF) + 1
        case _:
            return int.from_bytes(data[24:27], "little") + 1


async def _captured(supervisor: AsyncSupervisor, command: page.CaptureScreenshot, frame_id: str) -> Base64:
    """Capture the tab, also behind others. A screencast keeps it drawn, and starts again each second.

    The end of another picture, such as one for a recording, ends the screencast.
    """
    capture = asyncio.ensure_future(_drawn(supervisor, command, frame_id))
    try:
        while not (await asyncio.wait([capture], timeout=DRAW_S))[0]:
            await _switch(supervisor, DRAW_TAB, frame_id)
        return (await capture).data
    finally:
        capture.cancel()
        await _switch(supervisor, page.StopScreencast(), frame_id)


async def _drawn(
    supervisor: AsyncSupervisor, command: page.CaptureScreenshot, frame_id: str
) -> page.CaptureScreenshotResult:
    await _switch(supervisor, DRAW_TAB, frame_id)
    return await supervisor.send(command, frame_id)


async def _switch(supervisor: AsyncSupervisor, command: Command[Any], frame_id: str) -> None:
    """Start or end the screencast. A browser without screencasts takes pictures of tabs in front."""
    with contextlib.suppress(CDPError):
        await supervisor.send(command, frame_id, timeout_s=DRAW_S)


async def _box(supervisor: AsyncSupervisor, top: FrameInfo, arguments: VisionArguments) -> tuple[Box, bool]:
    """Return the area to capture in document coordinates, as `clip` takes it, and True when it is complete."""
    element = None if arguments.ref is None else find(supervisor, arguments.ref)
    if element is not None:
        await locate(supervisor, element)
    seen = await supervisor.send(page.GetLayoutMetrics(), top.frame_id)
    viewport, content = seen.css_layout_viewport, seen.css_content_size
    area = Box(0, 0, viewport.client_width, viewport.client_height)
    if arguments.full_page:
        area = Box(0, 0, content.width, content.height).moved(-viewport.page_x, -viewport.page_y)
    if element is None:
        return area.moved(viewport.page_x, viewport.page_y), True
    beyond = None
    if arguments.full_page and element.frame.parent_id is None:
        beyond = Box(*await run_on(supervisor, element, _UNCLIPPED)).within(area)
    element_box, is_whole = await seen_of(supervisor, element, beyond)
    shown = element_box.within(area)
    if shown is None:
        raise NotShown(element.ref)
    return shown.moved(viewport.page_x, viewport.page_y), is_whole and shown == element_box
