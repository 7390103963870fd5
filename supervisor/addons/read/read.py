"""The tool `browser_read`."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct

from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText, PageText
from supervisor.tools.page.locators import frame_meant, refs_for
from supervisor.tools.page.page_frames import find, run, run_on, top_frame

from .markdown import in_parts, markdown_of

_HTML = """function(root) {
    const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'IFRAME', 'CANVAS', 'INPUT', 'HEAD']);
    const kept = ['alt', 'colspan', 'rowspan', 'role', 'start', 'reversed'];
    const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
    const quoted = text => escaped(text).replace(/"/g, '&quot;');
    const children = node => node.localName === 'slot' && node.assignedNodes().length ? node.assignedNodes()
        : the(node.shadowRoot ?? node).childNodes;
    const labelled = node => node.innerText?.trim() || node.ariaLabel || node.title;
    const tags = (node, style) => {
        const name = node.localName.includes('-') ? (style.display === 'inline' ? 'span' : 'div') : node.localName;
        const attributes = kept.filter(each => node.hasAttribute(each)).map(each => [each, node.getAttribute(each)]);
        if (name === 'a' && /^https?:/.test(node.href) && labelled(node)) attributes.push(['href', node.href]);
        if (name === 'code') attributes.push(['class', node.className]);
        return [`<${name}${attributes.map(([each, value]) => ` ${each}="${quoted(value)}"`).join('')}>`, `</${name}>`];
    };
    const parts = [], rest = [[root, true, 0]];  // a list, because a script can nest elements deeper than calls
    while (rest.length) {
        const [node, isShown, depth] = rest.pop();
        if (typeof node === 'string') { parts.push(node); continue; }
        if (node.nodeType === Node.TEXT_NODE) { if (isShown) parts.push(escaped(node.data)); continue; }
        if (node.nodeType !== Node.ELEMENT_NODE || skipped.has(node.tagName.toUpperCase())) continue;
        const style = getComputedStyle(node);
        if (style.display === 'none') continue;
        const [start, end] = depth < %d ? tags(node, style) : [' ', ' '];
        parts.push(start);
        rest.push([end]);
        if (['textarea', 'select'].includes(node.localName)) parts.push(escaped(node.value));
        else if (node.localName === 'a' && !node.innerText?.trim()) parts.push(escaped(labelled(node) || ''));
        else for (const child of [...children(node)].reverse())
            rest.push([child, style.visibility === 'visible', depth + 1]);
    }
    return parts.join('');
}"""
_DEEPEST = 300
"""Elements below this depth are read without their tags: the library leaves out what is nested some thousand deep."""


async def html_of_frame(supervisor: AsyncSupervisor, frame_id: str) -> str:
    """Return what a frame's document displays, open shadow trees included and iframes left out."""
    html: str = await run(supervisor, frame_id, f"({_HTML % _DEEPEST})(document.body ?? document.documentElement)")
    return html


async def html_of_element(supervisor: AsyncSupervisor, ref: str) -> str:
    """Return what an element displays; `ref` is a ref or a locator. Raises what `refs_for` and `find` raise."""
    (named,) = await refs_for(supervisor, [ref])
    html: str = await run_on(supervisor, find(supervisor, named), f"function() {{ return ({_HTML % _DEEPEST})(this) }}")
    return html


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
