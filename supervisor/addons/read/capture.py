"""The tool `browser_capture`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from cdp_typed import base64_bytes
from cdp_typed.helpers.shared.paper import on_paper
from cdp_typed.protocol import page
from supervisor.saved_state.named_files import NamedFiles, checked_name
from supervisor.tools.framework.redaction import TrafficRedaction
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, name_in
from supervisor.tools.page.locators import refs_for, with_refs
from supervisor.tools.page.outline import read_tree
from supervisor.tools.page.page_frames import check_no_dialog, run, top_frame
from supervisor.tools.page.screenshots import VisionArguments, take


class CaptureArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_capture`."""

    name: str
    """Of the file."""
    format: Literal["pdf", "png", "jpeg", "webp", "txt"] = "pdf"
    """txt: the lines of a snapshot."""
    ref: str | None = None
    """Not for pdf."""
    quality: Annotated[int, Meta(ge=1, le=100)] = 80
    """Of a jpeg or webp."""
    paper: Literal["A4", "Letter"] = "A4"
    landscape: bool = False
    """Of a pdf."""


class Captured(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The file that was written."""

    path: str
    """On the machine of the supervisor."""
    size: int
    """In bytes."""
    width: int | None = None
    height: int | None = None
    """Of a picture, in CSS pixels."""
    is_cut: bool = False
    """True when there is more than is shown."""


@tool(toolset="browser-read", idempotent=True)
async def browser_capture(context: ToolContext, arguments: CaptureArguments) -> Captured:
    """Write the whole page, or an element, to a file."""
    with name_in("name"):
        name = f"{checked_name(arguments.name)}.{arguments.format}"
    files = NamedFiles("captures")
    if arguments.format == "pdf":
        data = await _printed(context, arguments)
        return Captured(path=str(files.write(name, data)), size=len(data))
    if arguments.landscape:
        raise InvalidArgument("landscape", f"{arguments.format} has the form of what it shows; choose pdf")
    if arguments.format == "txt":
        data = (await _text(context, arguments.ref)).encode()
        return Captured(path=str(files.write(name, data)), size=len(data))
    context.policy.check_method(page.CaptureScreenshot.METHOD)
    wanted = VisionArguments(full_page=True, ref=arguments.ref, quality=arguments.quality)
    seen = await take(context.supervisor, await with_refs(context.supervisor, wanted), format=arguments.format)
    data = base64_bytes(seen.image.data)
    path = str(files.write(name, data))
    return Captured(path=path, size=len(data), width=seen.width, height=seen.height, is_cut=seen.is_cut)


async def _text(context: ToolContext, ref: str | None) -> str:
    """The lines of the page or of an element, without refs, which differ from one document to the next."""
    supervisor = context.supervisor
    await check_no_dialog(supervisor)
    await run(supervisor, top_frame(supervisor).frame_id, "0")  # a page that crashed has no answer
    element = None if ref is None else (await refs_for(supervisor, [ref]))[0]
    lines = [f"{line.without_ref}\n" for line in await read_tree(supervisor, element)]
    return TrafficRedaction(context.policy.redact).known("".join(lines))


async def _printed(context: ToolContext, arguments: CaptureArguments) -> bytes:
    """The page as a PDF (`Page.printToPDF`), with its backgrounds."""
    if arguments.ref is not None:
        raise InvalidArgument("ref", "a PDF has the whole page; choose png or jpeg for an element")
    context.policy.check_method(page.PrintToPDF.METHOD)
    command = on_paper(page.PrintToPDF(print_background=True, landscape=arguments.landscape), arguments.paper)
    printed = await context.supervisor.send(command, top_frame(context.supervisor).frame_id)
    return base64_bytes(printed.data)
