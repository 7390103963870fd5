"""Pictures of a page, for models that see."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from cdp_typed._base import Base64, Command
from cdp_typed.errors import CDPError
from cdp_typed.protocol import page
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.chromium import DRAW_TAB
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.tool import Image
from supervisor.tools.framework.untrusted_text import LongPageText

from .element_errors import NotShown
from .geometry import Box
from .hit_testing import locate, seen_of
from .page_frames import find, top_frame

MAX_SIDE = 8_000
"""CSS pixels of a picture's longer side; a longer page is cut, and that is said."""


DRAW_S = 1.0
"""Seconds after which a screencast that keeps the tab drawn starts again."""


class VisionArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_vision`: the viewport, the whole page, or one element."""

    full_page: bool = False
    """The whole page, not only what is in view; without `ref`."""
    ref: str | None = None
    """Only this element, by its ref: it is brought into view first."""
    question: str | None = None
    """What to look for, where pictures are described."""
    format: Literal["png", "jpeg"] = "png"
    quality: Annotated[int, Meta(ge=1, le=100)] = 80
    """Of a jpeg."""


class Vision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A picture: page content, all of it untrusted."""

    image: Image
    width: int
    height: int
    """In CSS pixels."""
    is_cut: bool = False
    """True when there is more than is shown."""
    description: LongPageText | None = None
    """What `Describe` said of it, if there is one."""


Describe: TypeAlias = Callable[[Image, str | None], Awaitable[str] | str]
"""Tells in words what is in a picture; gets the caller's question, if there is one."""


async def take(supervisor: AsyncSupervisor, arguments: VisionArguments, describe: Describe | None = None) -> Vision:
    """Return a picture of the current page (`Page.captureScreenshot`), with a description if `describe` is given.

    Raises an `ElementError` when the element has no place on the page, and `BlockedByDialog` while a dialog freezes the
    page.
    """
    top = top_frame(supervisor)
    box, is_whole = await _box(supervisor, top, arguments)
    shown = Box(box.left, box.top, min(box.right, box.left + MAX_SIDE), min(box.bottom, box.top + MAX_SIDE))
    width, height = shown.right - shown.left, shown.bottom - shown.top
    command = page.CaptureScreenshot(
        format=arguments.format,
        quality=arguments.quality if arguments.format == "jpeg" else None,
        clip=page.Viewport(x=shown.left, y=shown.top, width=width, height=height, scale=1),
        capture_beyond_viewport=arguments.full_page and arguments.ref is None,
    )
    data = await _captured(supervisor, command, top.frame_id)
    image = Image(mime_type=f"image/{arguments.format}", data=data)
    said = None if describe is None else describe(image, arguments.question)
    return Vision(
        image=image,
        width=round(width),
        height=round(height),
        is_cut=not is_whole or shown != box,
        description=await said if inspect.isawaitable(said) else said,
    )


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
    element_box, is_whole = None, True
    if arguments.ref is not None:
        element = find(supervisor, arguments.ref)
        await locate(supervisor, element)
        element_box, is_whole = await seen_of(supervisor, element)
    seen = await supervisor.send(page.GetLayoutMetrics(), top.frame_id)
    viewport, content = seen.css_layout_viewport, seen.css_content_size
    if element_box is None and arguments.full_page:
        return Box(0, 0, content.width, content.height), True
    view = Box(0, 0, viewport.client_width, viewport.client_height)
    if element_box is None:
        return view.moved(viewport.page_x, viewport.page_y), True
    shown = element_box.within(view)
    if shown is None:
        raise NotShown(str(arguments.ref))
    return shown.moved(viewport.page_x, viewport.page_y), is_whole and shown == element_box
