"""Refs written on a picture, by the browser and without a change of the page."""

from __future__ import annotations

import asyncio
import colorsys
import json
import re
from typing import Any

from msgspec import Struct

from cdp_typed._base import Base64
from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog
from supervisor.tools.framework.tool import Image

from .boxes import seen_of
from .geometry import Box
from .outline import outline
from .outline_parts import OutlineOptions
from .page_frames import find, run, top_frame

MOST = 200
"""Marks on one picture."""


class Mark(Struct, frozen=True, kw_only=True):
    """A ref that is written on the picture."""

    ref: str
    colour: str
    """Of its frame and label, such as `#d92626`."""
    x: int
    y: int
    """The middle of what the picture shows of the element, in CSS pixels of the page's viewport."""


class Marked(Struct, frozen=True):
    """A mark and the box around its element, in the page's viewport."""

    mark: Mark
    box: Box


async def marked_within(supervisor: AsyncSupervisor, area: Box) -> tuple[Marked, ...]:
    """The elements of an area that can be clicked or typed into, with colours; `MOST` at most.

    `area` is in the page's viewport. Raises `NoPage` and `BlockedByDialog`.
    """
    seen = await outline(supervisor, OutlineOptions(interactive_only=True, max_chars=90_000))
    refs = list(dict.fromkeys(re.findall(r"\[ref=(e\d+)\]", seen.page)))
    boxes = await asyncio.gather(*(_box(supervisor, ref, area) for ref in refs))
    shown = [
        (ref, part)
        for ref, box in zip(refs, boxes, strict=True)
        if box is not None and (part := box.within(area)) is not None
    ]
    return tuple(
        Marked(Mark(ref=ref, colour=_colour(number), x=round(box.middle.x), y=round(box.middle.y)), box)
        for number, (ref, box) in enumerate(shown[:MOST])
    )


async def draw(supervisor: AsyncSupervisor, image: Image, area: Box, marked: tuple[Marked, ...]) -> Image:
    """Write the refs on a picture of `area`, in our own script context and with nothing attached to the document.

    Raises `EvaluationFailed` in a browser without `OffscreenCanvas`.
    """
    marks = [
        {
            "label": each.mark.ref,
            "colour": each.mark.colour,
            "box": [
                each.box.left - area.left,
                each.box.top - area.top,
                each.box.right - each.box.left,
                each.box.bottom - each.box.top,
            ],
        }
        for each in marked
    ]
    arguments = json.dumps([str(image.data), image.mime_type, area.right - area.left, marks])
    data: Any = await run(supervisor, top_frame(supervisor).frame_id, f"({_DRAW})(...{arguments})")
    return Image(mime_type=image.mime_type, data=Base64(data))


async def _box(supervisor: AsyncSupervisor, ref: str, area: Box) -> Box | None:
    """The part of an element that is in the area; None when there is none, or when it is not known."""
    try:
        return (await seen_of(supervisor, find(supervisor, ref), area))[0]
    except BlockedByDialog:
        raise
    except CDPError:
        return None


def _colour(number: int) -> str:
    """A colour on which white text can be read; each number has another one (by the golden angle)."""
    rgb = colorsys.hls_to_rgb(number * 0.381966 % 1, 0.35, 0.8)
    return "#" + "".join(f"{round(part * 255):02x}" for part in rgb)


_DRAW = """async (data, type, width, marks) => {
    const bytes = Uint8Array.from(atob(data), character => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], {type}));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), on = canvas.getContext('2d');
    const scale = bitmap.width / width;
    on.drawImage(bitmap, 0, 0);
    on.scale(scale, scale);
    on.font = 'bold 12px sans-serif';
    on.lineWidth = 2;
    for (const {colour, box} of marks) {
        on.strokeStyle = colour;
        on.strokeRect(...box);
    }
    for (const {label, colour, box: [x, y]} of marks) {
        const across = on.measureText(label).width + 4;
        const left = Math.max(0, Math.min(x, width - across)), top = Math.max(0, y - 14);
        on.fillStyle = colour;
        on.fillRect(left, top, across, 14);
        on.fillStyle = 'white';
        on.fillText(label, left + 2, top + 11);
    }
    const blob = await canvas.convertToBlob({type, quality: 0.9}), reader = new FileReader();
    reader.readAsDataURL(blob);
    await new Promise(done => { reader.onloadend = done });
    return reader.result.split(',')[1];
}"""
