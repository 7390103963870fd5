"""The tool `browser_snapshot`: what the supervisor knows without asking the page, and the page itself as text."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from msgspec import Struct

from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import ClosedBy, ConnectionPhase, DialogRecord, FrameTree, SupervisorSnapshot
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import PageText, QuotedLines
from supervisor.tools.page.locators import with_refs
from supervisor.tools.page.outline import Outline, outline
from supervisor.tools.page.outline_parts import OutlineOptions


class ClosedDialogView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dialog that is closed."""

    id: str
    type: str
    message: PageText
    opened_at: float
    closed_at: float
    closed_by: ClosedBy
    accepted: bool
    user_input: PageText = ""
    note: str = ""


class FrameView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A frame."""

    frame_id: str
    parent_frame_id: str = ""
    """The frame that contains it. Omitted when that is the top frame."""
    url: PageText
    origin: PageText
    name: PageText = ""
    is_oopif: bool = False
    """It has a separate process."""


class FrameTreeView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The frames of the current page."""

    children: list[FrameView]
    """Every frame below the top one, depth first."""
    truncated: bool = False
    """There are more."""


class PageState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The browser as the supervisor knows it."""

    title: PageText = ""
    url: PageText = ""
    state: ConnectionPhase = "ready"
    cursor: str | None = None
    """There is more: ask for it with this cursor."""
    lines_left: int = 0
    """How many lines more."""
    page: QuotedLines
    """The page as text: a line per element, with role, name, and the ref that other tools take, as [ref=e12]."""
    frame_tree: FrameTreeView | None = None
    """Only for a page with frames."""
    recent_dialogs: list[ClosedDialogView] = []
    """Those that were closed since the last snapshot, oldest first, at most 20."""


@tool(toolset="browser", reads_only=True, idempotent=True, works_during_dialog=True)
async def browser_snapshot(context: ToolContext, arguments: OutlineOptions) -> PageState:
    """See the current page as text, with refs for other tools."""
    arguments = await with_refs(context.supervisor, arguments)
    has_page = context.supervisor.snapshot().frame_tree.top is not None
    seen = await outline(context.supervisor, arguments) if has_page else Outline(page="")
    now = context.supervisor.snapshot()
    return PageState(
        title=seen.title,
        url=next((page.url for page in now.pages if page.is_current), ""),
        state=now.state,
        page=seen.page,
        cursor=seen.cursor,
        lines_left=seen.lines_left,
        frame_tree=tree_view(now.frame_tree) if now.frame_tree.children else None,
        recent_dialogs=_news(context.supervisor, now),
    )


_TOLD: WeakKeyDictionary[AsyncSupervisor, str] = WeakKeyDictionary()
"""The last closed dialog that a snapshot told."""


def _news(supervisor: AsyncSupervisor, now: SupervisorSnapshot) -> list[ClosedDialogView]:
    """The dialogs that were closed since the last snapshot."""
    ids = [record.id for record in now.recent_dialogs]
    reported = _TOLD.get(supervisor)
    start = ids.index(reported) + 1 if reported in ids else 0
    if ids:
        _TOLD[supervisor] = ids[-1]
    return [closed_view(record) for record in now.recent_dialogs[start:]]


def closed_view(record: DialogRecord) -> ClosedDialogView:
    """In the form that an agent sees."""
    return ClosedDialogView(**{name: getattr(record, name) for name in ClosedDialogView.__struct_fields__})


def tree_view(tree: FrameTree) -> FrameTreeView:
    """In the form that an agent sees."""
    return FrameTreeView(
        children=[
            FrameView(
                frame_id=frame.frame_id,
                parent_frame_id="" if tree.top and frame.parent_id == tree.top.frame_id else frame.parent_id or "",
                url=frame.url,
                origin=frame.origin,
                name=frame.name,
                is_oopif=frame.is_oopif,
            )
            for frame in tree.children
        ],
        truncated=tree.truncated,
    )
