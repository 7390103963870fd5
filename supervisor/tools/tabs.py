"""The tool `browser_tabs`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cdp_typed.protocol import target
from supervisor.core.values import PageInfo, PageStatus, SupervisorSnapshot

from .errors import InvalidArgument
from .tool import ToolContext, tool
from .untrusted import PageText


class TabsArguments(Struct, frozen=True, kw_only=True):
    """What to do."""

    action: Literal["list", "open", "close"] = "list"
    target_id: str | None = None
    """The page to close."""
    url: str = "about:blank"
    """For open."""


class TabView(Struct, frozen=True, kw_only=True):
    """A page."""

    target_id: str
    url: PageText
    status: PageStatus
    is_current: bool
    """Calls that name no frame go there."""


class Tabs(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The pages there are now."""

    tabs: list[TabView]
    opened: str = ""
    """The target id of the page that was opened; it is also the id of its top frame."""


@tool(toolset="browser", works_during_dialog=True, destructive=True)
async def browser_tabs(context: ToolContext, arguments: TabsArguments) -> Tabs:
    """List, open and close pages (tabs). Closing one takes its dialogs with it, unanswered."""
    supervisor, opened = context.supervisor, ""
    if arguments.action == "open":
        context.policy.check_url(arguments.url)
        created = await supervisor.send(target.CreateTarget(url=arguments.url))
        opened = created.target_id
        await supervisor.wait_for(lambda now: _find(now, opened) is not None)
    elif arguments.action == "close":
        closing = arguments.target_id
        if closing is None or _find(supervisor.snapshot(), closing) is None:
            raise InvalidArgument("target_id", "not the id of a page; see the action list")
        await supervisor.close_page(closing)
    views = [
        TabView(target_id=one.target_id, url=one.url, status=one.status, is_current=one.is_current)
        for one in supervisor.snapshot().pages
    ]
    return Tabs(tabs=views, opened=opened)


def _find(now: SupervisorSnapshot, target_id: str) -> PageInfo | None:
    return next((one for one in now.pages if one.target_id == target_id), None)
