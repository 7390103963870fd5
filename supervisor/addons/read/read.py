"""The tool `browser_read`."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct

from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText, PageText
from supervisor.tools.page.locators import frame_meant
from supervisor.tools.page.page_frames import run, top_frame

from .markdown import in_parts, markdown_of
from .page_html import html_of_element, html_of_frame


class ReadArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_read`."""

    ref: str | None = None
    """Only this element: a ref or locator."""
    frame_id: str | None = None
    """An iframe's ref, or an id."""
    all: bool = False
    """With navigation, asides and footers."""
    part: Annotated[int, Meta(ge=1)] = 1
    """Of a long page."""


class Reading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page as Markdown."""

    title: PageText = ""
    parts: int = 1
    """The number of parts. Ask for the others with `part`."""
    markdown: LongPageText


@tool(toolset="browser-read", reads_only=True, idempotent=True)
async def browser_read(context: ToolContext, arguments: ReadArguments) -> Reading:
    """Read a page, frame or element as Markdown. Shorter than browser_snapshot, without refs."""
    if arguments.ref is not None and arguments.frame_id is not None:
        raise InvalidArgument("frame_id", "give ref or frame_id, not both")
    supervisor = context.supervisor
    title: str = ""
    if arguments.ref is not None:
        html = await html_of_element(supervisor, arguments.ref)
    else:
        frame_id = await frame_meant(supervisor, arguments.frame_id) or top_frame(supervisor).frame_id
        title = await run(supervisor, frame_id, "document.title")
        html = await html_of_frame(supervisor, frame_id)
    is_whole = arguments.all or arguments.ref is not None
    text = await asyncio.to_thread(markdown_of, html, with_boilerplate=is_whole)
    parts = in_parts(text)
    if arguments.part > len(parts):
        raise InvalidArgument("part", f"the page has {len(parts)} parts")
    return Reading(title=title, markdown=parts[arguments.part - 1], parts=len(parts))
