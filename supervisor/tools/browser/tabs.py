"""The tool `browser_tabs`."""

from __future__ import annotations

import contextlib
from typing import Annotated, Literal

from msgspec import Meta, Struct

from cdp_typed.errors import CDPError
from cdp_typed.protocol import target
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import PageStatus
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText, QuotedLines
from supervisor.tools.page.outline import Outline, outline
from supervisor.tools.page.outline_parts import OutlineOptions

from .navigate import check_scheme
from .showing import settle_document

TITLES_S = 2.0
"""The time that the browser has to tell the titles."""


class TabsArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_tabs`."""

    action: Literal["list", "open", "open_behind", "select", "close"] = "list"
    target_id: str | None = None
    """For select; close without it: the current tab."""
    url: str = "about:blank"
    """For open."""
    context: Annotated[str, Meta(min_length=1)] | None = None
    """For open: separate cookies and storage, under this name."""
    snapshot: bool = False
    """Show the page."""


class TabView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page."""

    target_id: str
    title: PageText = ""
    """Not given where the browser makes it of the address."""
    url: PageText
    status: PageStatus = "ok"
    is_current: bool = False
    """Calls that name no frame go there."""
    context: str | None = None
    """The name of its separate cookies and storage."""


class Tabs(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The pages there are now."""

    tabs: list[TabView]
    opened: str = ""
    """The target id of the page that was opened; it is also the id of its top frame."""
    cursor: str | None = None
    """There is more: browser_snapshot shows it with this cursor."""
    page: QuotedLines = ""
    """The current page as text, if it was asked for."""


@tool(toolset="browser", works_during_dialog=True, leaves_pages=True, destructive=True)
async def browser_tabs(context: ToolContext, arguments: TabsArguments) -> Tabs:
    """List, open, select or close tabs."""
    supervisor, opened = context.supervisor, ""
    is_opening = arguments.action in ("open", "open_behind")
    if arguments.context is not None:
        if not is_opening:
            raise InvalidArgument("context", "only a tab that is opened takes it")
        context.policy.check_method(target.CreateBrowserContext.METHOD)
    if is_opening:
        check_scheme(arguments.url)
        context.check_url(arguments.url)
        select = arguments.action == "open"
        opened = (await supervisor.open_page(arguments.url, select=select, context=arguments.context)).target_id
    elif arguments.action == "select":
        if arguments.target_id is None:
            raise InvalidArgument("target_id", "missing; needed for select")
        await supervisor.select_page(arguments.target_id)
    elif arguments.action == "close":
        await supervisor.close_page(arguments.target_id or _current(supervisor))
    if arguments.snapshot or arguments.action == "open":
        with contextlib.suppress(CDPError):  # no page, or one that is gone; the next call tells
            await settle_document(supervisor)
    seen = await _page(supervisor) if arguments.snapshot else Outline(page="")
    titles = await _titles(supervisor)
    views = [
        TabView(
            target_id=page.target_id,
            title=titles.get(page.target_id, ""),
            url=page.url,
            status=page.status,
            is_current=page.is_current,
            context=page.context,
        )
        for page in supervisor.snapshot().pages
    ]
    return Tabs(tabs=views, opened=opened, page=seen.page, cursor=seen.cursor)


async def _page(supervisor: AsyncSupervisor) -> Outline:
    try:
        return await outline(supervisor, OutlineOptions())
    except CDPError:
        return Outline(page="")


async def _titles(supervisor: AsyncSupervisor) -> dict[str, str]:
    """The titles of pages by target id (`Target.getTargets`), which the browser tells whatever the pages do."""
    try:
        infos = (await supervisor.send(target.GetTargets(), timeout_s=TITLES_S)).target_infos
    except CDPError:
        return {}
    return {info.target_id: info.title for info in infos if not _is_of_address(info.title, info.url)}


def _is_of_address(title: str, url: str) -> bool:
    """Whether the browser made the title of the address, or of the file's name at its end."""
    whole = url.partition("://")[2] or url
    return title.rstrip("/") in (url.rstrip("/"), whole.rstrip("/"), whole.removeprefix("www.").rstrip("/"), "")


def _current(supervisor: AsyncSupervisor) -> str:
    current = next((page.target_id for page in supervisor.snapshot().pages if page.is_current), None)
    if current is None:
        raise InvalidArgument("target_id", "missing; there is no current page to close")
    return current
