"""The tool `browser_verify`."""

from __future__ import annotations

import json
from typing import Literal

from msgspec import Struct

from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText, PageText
from supervisor.tools.page.element_errors import ElementError, NotLocated, StaleRef
from supervisor.tools.page.locators import count_of, frame_meant, refs_for
from supervisor.tools.page.page_frames import find, run, run_on, top_frame

_TEXT = """(wanted => {
    const words = text => text.replace(/\\s+/g, ' ').trim();
    const text = words((document.body || document.documentElement).innerText || ''), at = text.indexOf(words(wanted));
    return at < 0 ? null : text.slice(Math.max(0, at - 40), at + words(wanted).length + 40);
})(%s)"""
_VISIBLE = """function() {
    const isVisible = this.checkVisibility?.({visibilityProperty: true}) ?? true;
    return this.isConnected && isVisible && this.getClientRects().length > 0;
}"""
_VALUE = """function() {
    if (this.type === 'password') return null;
    if (this.type === 'checkbox' || this.type === 'radio') return String(this.checked);
    return this.isContentEditable ? this.innerText : this.value ?? this.innerText ?? '';
}"""
_ITEMS = """function() {
    const items = [...this.querySelectorAll('li, option, tr, [role=listitem], [role=option], [role=row]')];
    const nested = item => items.some(other => other !== item && other.contains(item));
    return (items.length ? items.filter(item => !nested(item)) : [...this.children])
        .map(item => (item.innerText ?? item.textContent).replace(/\\s+/g, ' ').trim());
}"""
_REQUESTED = """(part => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
    .map(entry => entry.name).filter(name => name.includes(part)).slice(-5))(%s)"""

Check = Literal["visible", "text", "value", "list", "count", "url", "title", "console", "request"]
_PROBLEMS = ("error", "exception")
_NEEDS_REF = ("visible", "value", "list", "count")


class VerifyArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_verify`."""

    check: Check
    """value, list, title: equal. text, url, request (its address): contain. console: no error on this page."""
    ref: str | None = None
    """A ref or locator; for count a locator."""
    expected: str | tuple[str, ...] = ""
    """Text or number; for list: every item."""
    frame_id: str | None = None
    """For text and request: an iframe's ref, css= or id."""


class Verified(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the page is as expected, with evidence."""

    holds: bool
    found: LongPageText = ""
    """The value, or the text around the match."""
    items: list[PageText] = []
    """The items of the list, the messages of the console, or the addresses of the requests."""


@tool(toolset="browser-verify", reads_only=True, idempotent=True)
async def browser_verify(context: ToolContext, arguments: VerifyArguments) -> Verified:
    """Check the page now. `holds` is the answer, the rest is evidence."""
    supervisor, expected = context.supervisor, arguments.expected
    if arguments.check in _NEEDS_REF:
        if arguments.ref is None:
            raise InvalidArgument("ref", f"{arguments.check} needs an element")
        return await _verify_element(supervisor, arguments, arguments.ref)
    if not isinstance(expected, str):
        raise InvalidArgument("expected", f"{arguments.check} takes one text")
    match arguments.check:
        case "console":
            return await _verify_console(supervisor)
        case "url":
            url = top_frame(supervisor).url
            return Verified(holds=_required(expected) in url, found=url)
        case "title":
            title: str = await run(supervisor, top_frame(supervisor).frame_id, "document.title")
            return Verified(holds=title == expected, found=title)
        case _:
            frame_id = await frame_meant(supervisor, arguments.frame_id) or top_frame(supervisor).frame_id
            wanted = json.dumps(_required(expected))
            if arguments.check == "request":
                requests: list[str] = await run(supervisor, frame_id, _REQUESTED % wanted)
                return Verified(holds=bool(requests), items=requests)
            excerpt: str | None = await run(supervisor, frame_id, _TEXT % wanted)
            return Verified(holds=excerpt is not None, found=excerpt or "")


async def _verify_element(supervisor: AsyncSupervisor, arguments: VerifyArguments, ref: str) -> Verified:
    expected = arguments.expected
    if arguments.check == "count":
        if not isinstance(expected, str) or not expected.isdecimal():
            raise InvalidArgument("expected", "count takes a number")
        count = await count_of(supervisor, ref)
        return Verified(holds=count == int(expected), found=str(count))
    try:
        (named,) = await refs_for(supervisor, [ref])
        element = find(supervisor, named)
        match arguments.check:
            case "visible":
                is_shown: bool = await run_on(supervisor, element, _VISIBLE)
                return Verified(holds=is_shown, found="" if is_shown else "the element is hidden")
            case "list":
                items: list[str] = await run_on(supervisor, element, _ITEMS)
                wanted = [expected] if isinstance(expected, str) else list(expected)
                return Verified(holds=items == wanted, items=items)
            case _:
                value: str | None = await run_on(supervisor, element, _VALUE)
                if value is None:
                    raise ElementError(ref, "the value of a password field is not shown")
                return Verified(holds=value == expected, found=value)
    except (NotLocated, StaleRef) as error:
        return Verified(holds=False, found=error.problem)


async def _verify_console(supervisor: AsyncSupervisor) -> Verified:
    """Check the messages of the current document and its frames.

    Problems that the supervisor no longer holds count as well, where the document may have logged them.
    """
    now, kept = supervisor.snapshot(), supervisor.console_since(0).messages
    began: float = await run(supervisor, top_frame(supervisor).frame_id, "performance.timeOrigin")
    sessions = {frame.session_id for frame in (top_frame(supervisor), *now.frame_tree.children)}
    problems = [each for each in kept if each.level in _PROBLEMS]
    its = [each.text for each in problems if each.timestamp >= began and each.session_id in sessions]
    lost = sum(now.console_counts.get(level, 0) for level in _PROBLEMS) - len(problems)
    if lost and all(each.timestamp >= began for each in kept):
        return Verified(holds=False, found=f"{len(its)} to {len(its) + lost}", items=its[-10:])
    return Verified(holds=not its, found=str(len(its)), items=its[-10:])


def _required(expected: str) -> str:
    if not expected:
        raise InvalidArgument("expected", "missing; every page contains an empty text")
    return expected
