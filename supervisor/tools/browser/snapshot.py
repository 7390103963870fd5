"""The tool `browser_snapshot`: what the supervisor knows without asking the page, and the page itself as text."""

from __future__ import annotations

from msgspec import Struct

from supervisor.core.vocabulary.values import ClosedBy, ConnectionPhase, DialogRecord, FrameInfo, FrameTree
from supervisor.tools.framework.results import DialogView, dialog_view
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import LongPageText, PageText, fence
from supervisor.tools.page.outline import Outline, OutlineOptions, outline


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
    parent_frame_id: str | None = None
    url: PageText
    origin: PageText
    name: PageText = ""
    is_oopif: bool
    """It has a process of its own."""
    session_id: str


class FrameTreeView(Struct, frozen=True, kw_only=True):
    """The frames of the current page."""

    top: FrameView | None
    children: list[FrameView]
    """Every frame below the top one, depth first."""
    truncated: bool
    """There are more."""


class PageState(Struct, frozen=True, kw_only=True):
    """The browser as the supervisor knows it."""

    state: ConnectionPhase
    url: PageText
    pending_dialogs: list[DialogView]
    recent_dialogs: list[ClosedDialogView]
    """The last 20, oldest first."""
    frame_tree: FrameTreeView
    page: LongPageText
    """The page as text: a line per element, with role, name, and the ref that other tools take, as [ref=e12]."""
    cursor: str | None
    """There is more: ask for it with this cursor."""
    lines_left: int
    """How many lines more."""


@tool(toolset="browser", reads_only=True, idempotent=True, works_during_dialog=True)
async def browser_snapshot(context: ToolContext, arguments: OutlineOptions) -> PageState:
    """See the current page: all its frames as text with refs of elements, its dialogs, and the ids of its frames."""
    top = context.supervisor.snapshot().frame_tree.top
    seen = await outline(context.supervisor, arguments) if top else Outline(page="", cursor=None, lines_left=0)
    now = context.supervisor.snapshot()
    return PageState(
        state=now.state,
        url=next((page.url for page in now.pages if page.is_current), ""),
        pending_dialogs=[dialog_view(dialog) for dialog in now.pending_dialogs],
        recent_dialogs=[closed_view(record) for record in now.recent_dialogs],
        frame_tree=tree_view(now.frame_tree),
        page=fence(seen.page, top.origin or top.url) if top else "",
        cursor=seen.cursor,
        lines_left=seen.lines_left,
    )


def closed_view(record: DialogRecord) -> ClosedDialogView:
    """As it is shown to an agent."""
    return ClosedDialogView(**{name: getattr(record, name) for name in ClosedDialogView.__struct_fields__})


def tree_view(tree: FrameTree) -> FrameTreeView:
    """As it is shown to an agent."""
    return FrameTreeView(
        top=_frame_view(tree.top) if tree.top else None,
        children=[_frame_view(frame) for frame in tree.children],
        truncated=tree.truncated,
    )


def _frame_view(frame: FrameInfo) -> FrameView:
    return FrameView(
        frame_id=frame.frame_id,
        parent_frame_id=frame.parent_id,
        url=frame.url,
        origin=frame.origin,
        name=frame.name,
        is_oopif=frame.is_oopif,
        session_id=frame.session_id,
    )
