"""The tool `browser_tabs`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from supervisor.core.vocabulary.values import PageStatus
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText


class TabsArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_tabs`."""

    action: Literal["list", "open", "select", "close"] = "list"
    target_id: str | None = None
    """The page to select or close."""
    url: str = "about:blank"
    """For open."""


class TabView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page."""

    target_id: str
    url: PageText
    status: PageStatus = "ok"
    is_current: bool = False
    """Calls that name no frame go there."""


class Tabs(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The pages there are now."""

    tabs: list[TabView]
    opened: str = ""
    """The target id of the page that was opened; it is also the id of its top frame."""


@tool(toolset="browser", works_during_dialog=True, destructive=True)
async def browser_tabs(context: ToolContext, arguments: TabsArguments) -> Tabs:
    """List tabs, open one and make it the current one, select another, or close one, with its dialogs."""
    supervisor, opened = context.supervisor, ""
    if arguments.action == "open":
        context.check_url(arguments.url)
        opened = (await supervisor.open_page(arguments.url)).target_id
    elif arguments.action == "select":
        await supervisor.select_page(_named(arguments))
    elif arguments.action == "close":
        await supervisor.close_page(_named(arguments))
    views = [
        TabView(target_id=page.target_id, url=page.url, status=page.status, is_current=page.is_current)
        for page in supervisor.snapshot().pages
    ]
    return Tabs(tabs=views, opened=opened)


def _named(arguments: TabsArguments) -> str:
    if arguments.target_id is None:
        raise InvalidArgument("target_id", f"missing; needed for {arguments.action}")
    return arguments.target_id
