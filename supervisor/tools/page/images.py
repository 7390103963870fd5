"""The images of a page."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from msgspec import Meta, Struct

from cdp_typed.conversions import convert
from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.results import rows_that_fit
from supervisor.tools.framework.untrusted_text import PageText

from .element_errors import say
from .page_frames import run, top_frame
from .refs import all_frames

MOST = 100


class ImagesArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_get_images`."""

    min_size: Annotated[int, Meta(ge=0)] = 1
    """In CSS pixels, at least."""
    limit: Annotated[int, Meta(ge=1, le=500)] | None = None
    """At most; else what fits."""


class ImageView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An `img` element."""

    src: PageText
    """A `data:` URL is cut."""
    alt: PageText = ""
    width: int
    height: int
    """As shown, in CSS pixels."""
    natural_width: int | None = None
    natural_height: int | None = None
    """Of the file, where it is another size; 0 while it is not loaded, and when it cannot be."""
    frame_id: str = ""
    """Omitted for the top frame of the page."""


class UnreadFrame(Struct, frozen=True, kw_only=True):
    """A frame that was not looked at."""

    frame_id: str
    why: str


class Images(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The `img` elements of the page, those in open shadow roots included; no CSS backgrounds."""

    images: list[ImageView]
    total: int | None = None
    """How many there are, where these are not all."""
    unread: list[UnreadFrame] = []


class _Found(Struct, frozen=True, rename="camel"):
    src: str
    alt: str
    width: int
    height: int
    natural_width: int
    natural_height: int


_FIND = """(() => {
    const found = [], roots = [document];
    while (roots.length) {
        for (const node of the(roots.pop()).querySelectorAll('*')) {
            if (node.shadowRoot) roots.push(node.shadowRoot);
            if (!(node instanceof HTMLImageElement)) continue;
            const box = node.getBoundingClientRect(), src = node.currentSrc || node.src;
            found.push({
                src: src.startsWith('data:') ? src.slice(0, 64) : src.slice(0, 2000), alt: node.alt.slice(0, 2000),
                width: Math.round(box.width), height: Math.round(box.height),
                naturalWidth: node.naturalWidth, naturalHeight: node.naturalHeight,
            });
        }
    }
    return found;
})()"""


async def images(supervisor: AsyncSupervisor, arguments: ImagesArguments) -> Images:
    """The images of the current page in all its frames, the top one first. A frame that cannot be asked is named.

    Raises `NoPage`.
    """
    top_frame(supervisor)
    frames = all_frames(supervisor.snapshot().frame_tree)
    answers = await asyncio.gather(*(_ask(supervisor, frame) for frame in frames))
    images = [
        _view(image, "" if frame is frames[0] else frame.frame_id)
        for frame, answer in zip(frames, answers, strict=True)
        if not isinstance(answer, str)
        for image in answer
        if min(image.width, image.height) >= arguments.min_size
    ]
    unread = [
        UnreadFrame(frame_id=frame.frame_id, why=answer)
        for frame, answer in zip(frames, answers, strict=True)
        if isinstance(answer, str)
    ]
    limit = arguments.limit or rows_that_fit(images, MOST)
    total = len(images) if len(images) > limit else None
    return Images(images=images[:limit], total=total, unread=unread)


def _view(image: _Found, frame_id: str) -> ImageView:
    is_scaled = (image.width, image.height) != (image.natural_width, image.natural_height)
    return ImageView(
        src=image.src,
        alt=image.alt,
        width=image.width,
        height=image.height,
        natural_width=image.natural_width if is_scaled else None,
        natural_height=image.natural_height if is_scaled else None,
        frame_id=frame_id,
    )


async def _ask(supervisor: AsyncSupervisor, frame: FrameInfo) -> list[_Found] | str:
    """Return a frame's images, or the reason why they are not known."""
    try:
        answer: Any = await run(supervisor, frame.frame_id, _FIND)
    except CDPError as error:
        return say(error)
    return convert(answer, list[_Found])
