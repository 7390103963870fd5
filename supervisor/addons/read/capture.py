"""The tool `browser_capture`."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from cdp_typed import base64_bytes
from cdp_typed.helpers.shared.paper import on_paper
from cdp_typed.protocol import page
from supervisor.saved_state.named_files import NamedFiles, checked_name
from supervisor.tools.framework.redaction import TrafficRedaction
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, name_in
from supervisor.tools.framework.untrusted_text import LongPageText
from supervisor.tools.page.locators import refs_for, with_refs
from supervisor.tools.page.outline import read_tree
from supervisor.tools.page.page_frames import check_no_dialog, run, top_frame
from supervisor.tools.page.screenshots import VisionArguments, take

from .comparison import compare_lines, compare_pictures


class CaptureArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_capture`."""

    name: str
    """Of the file."""
    format: Literal["pdf", "png", "jpeg", "webp", "txt"] = "pdf"
    """txt: the lines of a snapshot."""
    since: str | None = None
    """Name of an earlier one: show what changed. Nothing is written if nothing did."""
    tolerance: Annotated[float, Meta(ge=0, le=1)] = 0
    """Part of the pixels that may differ."""
    ref: str | None = None
    """Not for pdf."""
    quality: Annotated[int, Meta(ge=1, le=100)] = 80
    """Of a jpeg or webp."""
    paper: Literal["A4", "Letter"] = "A4"
    landscape: bool = False
    """Of a pdf."""


class Captured(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The file that was written; none when nothing has changed since the earlier one."""

    path: str = ""
    """On the machine of the supervisor."""
    size: int = 0
    """In bytes."""
    width: int | None = None
    height: int | None = None
    """Of a picture, in CSS pixels."""
    is_cut: bool = False
    """True when there is more than is shown."""
    has_changed: bool | None = None
    """Since the earlier capture."""
    part: float | None = None
    """The part of the pixels that differ, from 0 to 1."""
    box: tuple[int, int, int, int] | None = None
    """The left, top, right and bottom edge of the area with these pixels, in pixels of the picture."""
    changes: str = ""
    """The path of a picture that has these pixels in red."""
    lines: LongPageText = ""
    """The lines that differ: `-` before those of the earlier text, `+` before those of this one."""
    lines_left: int = 0
    """The lines of the difference that are left out."""


@tool(toolset="browser-read", idempotent=True)
async def browser_capture(context: ToolContext, arguments: CaptureArguments) -> Captured:
    """Write the whole page, or an element, to a file."""
    with name_in("name"):
        name = f"{checked_name(arguments.name)}.{arguments.format}"
    files = NamedFiles("captures")
    before = _earlier(files, arguments)
    if arguments.format == "pdf":
        data = await _printed(context, arguments)
        return Captured(path=str(files.write(name, data)), size=len(data))
    if arguments.landscape:
        raise InvalidArgument("landscape", f"{arguments.format} has the form of what it shows; choose pdf")
    if arguments.format == "txt":
        text = await _text(context, arguments.ref)
        seen = Captured() if before is None else await asyncio.to_thread(_changed_lines, before, text)
        data = text.encode()
    else:
        seen, data = await _picture(context, arguments, arguments.format)
        if before is not None:
            seen = await asyncio.to_thread(_changed_pixels, files, before, data, seen, arguments)
    if seen.has_changed is False:
        return seen
    return replace(seen, path=str(files.write(name, data)), size=len(data))


def _earlier(files: NamedFiles, arguments: CaptureArguments) -> bytes | None:
    """Return the capture to compare with. Raises `InvalidArgument` when it cannot be read."""
    if arguments.since is None:
        return None
    if arguments.format == "pdf":
        raise InvalidArgument("since", "a PDF is not compared; choose txt or a picture")
    name = f"{arguments.since.removesuffix(f'.{arguments.format}')}.{arguments.format}"
    try:
        with name_in("since"):
            return files.path(name).read_bytes()
    except OSError:
        raise InvalidArgument("since", f"no capture {name}") from None


async def _text(context: ToolContext, ref: str | None) -> str:
    """The lines of the page or of an element, without refs, which differ from one document to the next."""
    supervisor = context.supervisor
    await check_no_dialog(supervisor)
    await run(supervisor, top_frame(supervisor).frame_id, "0")  # a page that crashed has no answer
    element = None if ref is None else (await refs_for(supervisor, [ref]))[0]
    lines = [f"{line.without_ref}\n" for line in await read_tree(supervisor, element)]
    return TrafficRedaction(context.policy.redact).known("".join(lines))


def _changed_lines(before: bytes, now: str) -> Captured:
    found = compare_lines(before.decode(errors="replace"), now)
    return Captured(has_changed=bool(found.text), lines=found.text, lines_left=found.lines_left)


async def _picture(
    context: ToolContext, arguments: CaptureArguments, format: Literal["png", "jpeg", "webp"]
) -> tuple[Captured, bytes]:
    context.policy.check_method(page.CaptureScreenshot.METHOD)
    wanted = VisionArguments(full_page=True, ref=arguments.ref, quality=arguments.quality)
    seen = await take(context.supervisor, await with_refs(context.supervisor, wanted), format=format)
    return Captured(width=seen.width, height=seen.height, is_cut=seen.is_cut), base64_bytes(seen.image.data)


def _changed_pixels(
    files: NamedFiles, before: bytes, now: bytes, seen: Captured, arguments: CaptureArguments
) -> Captured:
    found = compare_pictures(before, now)
    has_changed = found.part > arguments.tolerance
    path = str(files.write(f"{arguments.name}.changes.png", found.picture)) if has_changed else ""
    return replace(seen, has_changed=has_changed, part=round(found.part, 6), box=found.box, changes=path)


async def _printed(context: ToolContext, arguments: CaptureArguments) -> bytes:
    """The page as a PDF (`Page.printToPDF`), with its backgrounds."""
    if arguments.ref is not None:
        raise InvalidArgument("ref", "a PDF has the whole page; choose png or jpeg for an element")
    context.policy.check_method(page.PrintToPDF.METHOD)
    command = on_paper(page.PrintToPDF(print_background=True, landscape=arguments.landscape), arguments.paper)
    printed = await context.supervisor.send(command, top_frame(context.supervisor).frame_id)
    return base64_bytes(printed.data)
