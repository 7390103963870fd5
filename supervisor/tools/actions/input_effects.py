"""Effects of a click or a key: a dialog, a navigation, a new tab."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TypeAlias
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import NoPage
from supervisor.core.vocabulary.values import FrameInfo, PendingDialog, SupervisorSnapshot
from supervisor.tools.framework.tool_errors import sending
from supervisor.tools.framework.untrusted_text import PageText, QuotedLines
from supervisor.tools.page.element_errors import ElementError
from supervisor.tools.page.page_frames import find, top_frame
from supervisor.tools.page.refs import Element

from .positions import held_modifiers
from .settling import LIMIT_S, Settling

INPUT_S = 10.0
"""Seconds for a page to take an event of the mouse or the keyboard. Chromium replies when the page's handlers have run,
so after an endless one never."""


SeePointer: TypeAlias = Callable[[float, float, bool], None]
"""Called with a point of the page's viewport in CSS pixels, and whether something is pressed there."""

_SEES_POINTER: WeakKeyDictionary[AsyncSupervisor, SeePointer] = WeakKeyDictionary()


def watch_pointer(supervisor: AsyncSupervisor, see: SeePointer | None) -> None:
    """Have each event of the mouse, a drag or a finger shown to `see` before the page gets it; None: no longer."""
    if see is None:
        _SEES_POINTER.pop(supervisor, None)
    else:
        _SEES_POINTER[supervisor] = see


def show_pointer(supervisor: AsyncSupervisor, x: float, y: float, *, pressed: bool = False) -> None:
    """Show an event of the mouse, a drag or a finger to whoever watches the pointer."""
    see = _SEES_POINTER.get(supervisor)
    if see is not None:
        see(x, y, pressed)


async def send_input(
    supervisor: AsyncSupervisor, event: input_.DispatchMouseEvent | input_.DispatchKeyEvent, frame_id: str
) -> None:
    """Send an event of the mouse or the keyboard, with the modifier keys that are held in the page.

    Raises what `send` raises, `CallTimeout` after `INPUT_S`.
    """
    event = replace(event, modifiers=(event.modifiers or 0) | held_modifiers(supervisor, frame_id))
    if isinstance(event, input_.DispatchMouseEvent):
        show_pointer(supervisor, event.x, event.y, pressed=event.type == "mousePressed")
    is_move = isinstance(event, input_.DispatchMouseEvent) and event.type == "mouseMoved"
    with contextlib.nullcontext() if is_move else sending():
        await supervisor.send(event, frame_id, timeout_s=min(supervisor.seconds(None), INPUT_S))


class ActionResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The effects that followed at once."""

    loading: bool = False
    """A document began to load, in the page or in a frame of it; browser_wait waits for it."""
    still_changing: bool = False
    """The page had not come to rest in time: look again."""
    opened: list[str] = []
    """The target ids of tabs that opened meanwhile; browser_tabs selects one."""
    opened_dialog: str = ""
    """The id of the dialog that opened: it is in `pending_dialogs`."""
    hint: str = ""
    """The next step."""
    maybe_executed: bool = False
    """Whether the element got the input is not known: the hint says why."""
    title: PageText = ""
    url: PageText = ""
    """Of the document that loaded, where the page is shown."""
    cursor: str | None = None
    """There is more: browser_snapshot shows it with this cursor."""
    lines_left: int = 0
    """How many lines more."""
    page: QuotedLines = ""
    """The changes of the page, or the new page, if the call asked for it."""


class Watch:
    """Begins before the input on a page, without one the current page; `end` tells what came of it.

    Chromium may say that an input was delivered before the page's script has run, and long before a link is followed:
    a snapshot taken at once would show the old page.
    """

    def __init__(self, supervisor: AsyncSupervisor, page_id: str | None = None, *, limit_s: float = LIMIT_S) -> None:
        now = supervisor.snapshot()
        self._supervisor = supervisor
        self._page_id = page_id
        self._limit_s = limit_s
        self._tabs = _tabs(now)
        self._loading = _loading(now)
        self._documents = _documents(now)
        self._dialogs = frozenset(dialog.id for dialog in now.pending_dialogs)
        self._settling: Settling | None = None

    async def begin(self, ref: str | None = None) -> None:
        """Watch the page, and the frame of the element that gets the input, before it gets it.

        Not called where a dialog keeps the page from being watched.
        """
        with contextlib.suppress(NoPage):  # the input says so
            element = self._element(ref)
            top = self._page_id or top_frame(self._supervisor).frame_id
            self._settling = Settling(self._supervisor, *(() if element is None else (element.frame.frame_id,)), top)
            await self._settling.begin(element=element)

    async def end(self, frame_id: str | None = None) -> ActionResult:
        """Wait until the input's frame (without one, the page) has handled it, and rests: see `settling`.

        Ends at once when a dialog opens, a document begins to load, or a tab opens.
        """
        settled = asyncio.ensure_future(self._settled(frame_id))
        shown = asyncio.ensure_future(self._supervisor.wait_for(self._shows, timeout_s=self._limit_s))
        try:
            await asyncio.wait([settled, shown], timeout=self._limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            shown.cancel()
            was_settled = settled.done() or not settled.cancel()
            await asyncio.gather(settled, shown, return_exceptions=True)
        now = self._supervisor.snapshot()
        dialog = self._opened_dialog(now)
        return ActionResult(
            loading=self._loads(now),
            still_changing=not self._shows(now) and (not was_settled or settled.result()),
            opened=sorted(_tabs(now) - self._tabs),
            opened_dialog="" if dialog is None else dialog.id,
        )

    async def _settled(self, frame_id: str | None) -> bool:
        if self._settling is not None:
            return await self._settling.end(limit_s=self._limit_s)
        settling = Settling(self._supervisor, frame_id or self._page_id or top_frame(self._supervisor).frame_id)
        await settling.begin()
        return await settling.end(expects=True, limit_s=self._limit_s)

    def _element(self, ref: str | None) -> Element | None:
        with contextlib.suppress(ElementError):
            return None if ref is None else find(self._supervisor, ref)
        return None

    def _shows(self, now: SupervisorSnapshot) -> bool:
        return self._loads(now) or bool(_tabs(now) - self._tabs) or self._opened_dialog(now) is not None

    def _loads(self, now: SupervisorSnapshot) -> bool:
        return bool(_loading(now) - self._loading or _documents(now) - self._documents)

    def _opened_dialog(self, now: SupervisorSnapshot) -> PendingDialog | None:
        """On the page of the input; those of other pages stop nothing here."""
        top = now.frame_tree.top
        pages = [page_id for page_id in (self._page_id, top.frame_id if top is not None else None) if page_id]
        new = (dialog for dialog in now.pending_dialogs if dialog.id not in self._dialogs)
        return next((dialog for dialog in new if dialog.target_id in pages), None)


def _frames(now: SupervisorSnapshot) -> tuple[FrameInfo, ...]:
    tree = now.frame_tree
    return (tree.top, *tree.children) if tree.top is not None else ()


def _tabs(now: SupervisorSnapshot) -> frozenset[str]:
    return frozenset(tab.target_id for tab in now.pages)


def _loading(now: SupervisorSnapshot) -> frozenset[str]:
    return frozenset(frame.frame_id for frame in _frames(now) if frame.is_loading)


def _documents(now: SupervisorSnapshot) -> frozenset[tuple[str, str]]:
    return frozenset((frame.frame_id, frame.loader_id) for frame in _frames(now))
