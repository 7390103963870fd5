"""Effects of a click or a key: a dialog, a navigation, a new tab."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from msgspec import Struct

from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo, PendingDialog, SupervisorSnapshot
from supervisor.tools.framework.untrusted_text import PageText, QuotedLines
from supervisor.tools.page.page_frames import run, top_frame

LIMIT_S = 2.0
"""The time that a page has to handle an input."""

_HANDLED = """new Promise(done => {
    requestAnimationFrame(() => setTimeout(() => done(0), 5));
    setTimeout(() => done(0), 100);
})"""
"""A script: ends when the page has drawn what came of the input, and has done what it put off until after that.

On Chromium 156 whatever a click sets off is known by then: a link that is followed, a form that is sent, a tab that
opens, a location that a script sets, and what a timer of no time does.
"""


class Aftermath(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The effects that followed at once."""

    loading: bool = False
    """A document began to load, in the page or in a frame of it; browser_wait waits for it."""
    opened: list[str] = []
    """The target ids of tabs that opened meanwhile; browser_tabs selects one."""
    opened_dialog: str = ""
    """The id of the dialog that opened: it is in `pending_dialogs`."""
    hint: str = ""
    """The next step."""
    title: PageText = ""
    url: PageText = ""
    """Of the document that loaded, where the page is shown."""
    page: QuotedLines = ""
    """What changed on the page, or the new page, if it was asked for."""
    cursor: str | None = None
    """There is more: browser_snapshot shows it with this cursor."""


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

    async def end(self, frame_id: str | None = None) -> Aftermath:
        """Wait until the input's frame (without one, the page) has handled it, at most 2 seconds.

        Ends at once when a dialog opens.
        """
        steps: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(self._handled(frame_id)),
            asyncio.ensure_future(self._supervisor.wait_for(self._shows, timeout_s=self._limit_s)),
        ]
        try:
            await asyncio.wait(steps, timeout=self._limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for step in steps:
                step.cancel()
            await asyncio.gather(*steps, return_exceptions=True)
        now = self._supervisor.snapshot()
        dialog = self._opened_dialog(now)
        return Aftermath(
            loading=self._loads(now),
            opened=sorted(_tabs(now) - self._tabs),
            opened_dialog="" if dialog is None else dialog.id,
        )

    async def _handled(self, frame_id: str | None) -> None:
        with contextlib.suppress(CDPError):  # a dialog, a document that is gone: the snapshot tells
            await run(self._supervisor, frame_id or self._page_id or top_frame(self._supervisor).frame_id, _HANDLED)

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
