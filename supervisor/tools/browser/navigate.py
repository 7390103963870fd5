"""The tools `browser_navigate` and `browser_back`, and the way that a change of the page takes."""

from __future__ import annotations

import asyncio
import contextlib
import re
from asyncio import get_running_loop
from collections.abc import Coroutine
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import CDPError, TargetCrashed
from cdp_typed.protocol import page, runtime
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.chromium import ABORTED
from supervisor.core.vocabulary.errors import BlockedByDialog, CallError, NavigationFailed, NoPage
from supervisor.core.vocabulary.values import PendingDialog, SupervisorSnapshot
from supervisor.tools.framework.policy import stopped
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText, QuotedLines
from supervisor.tools.page.outline import outline
from supervisor.tools.page.outline_parts import OutlineOptions
from supervisor.tools.page.page_frames import run

from .dialog import answer_it
from .evaluate import Timeout
from .showing import settle_document

_WITHOUT_SCHEME = re.compile(r"(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
"""A host, where Chromium would take `localhost:` for the scheme, and only say that it aborted."""


class NothingBehind(CallError):
    """The page's history has nothing before the present page."""

    def __init__(self) -> None:
        super().__init__("there is no page to go back to", maybe_executed=False)


class NothingAhead(CallError):
    """The page's history has nothing after the present page."""

    def __init__(self) -> None:
        super().__init__("there is no page to go forward to", maybe_executed=False)


class NavigateArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_navigate`."""

    url: str
    """Absolute URL."""
    timeout: Timeout = 30.0
    """Seconds."""
    snapshot: bool = False
    """Show the page."""


class BackArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_back`."""

    timeout: Timeout = 30.0
    """Seconds."""
    snapshot: bool = False
    """Show the page."""


class Navigated(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The page after a navigation."""

    title: PageText = ""
    url: PageText
    loaded: bool = True
    """False: something of it, such as a picture, still loads, or it was not there in time, or a dialog opened."""
    still_changing: bool = False
    """The page had not come to rest in time: look again."""
    opened_dialog: str = ""
    """The id of the dialog that the new page opened: it is in `pending_dialogs`."""
    hint: str = ""
    """The next step."""
    cursor: str | None = None
    """There is more: browser_snapshot shows it with this cursor."""
    page: QuotedLines = ""
    """The page as text, if it was asked for."""


@tool(toolset="browser", leaves_pages=True, destructive=True)
async def browser_navigate(context: ToolContext, arguments: NavigateArguments) -> Navigated:
    """Load an address in the current page."""
    check_scheme(arguments.url)
    context.check_url(arguments.url)
    journey = Journey(context, arguments.timeout)
    await _end_endless_script(context.supervisor)
    done = await journey.follow(context.supervisor.navigate(arguments.url, timeout_s=journey.left_s))
    return await _shown(context, done) if arguments.snapshot else done


def check_scheme(url: str) -> None:
    """Raise `InvalidArgument` for an address that begins with its host."""
    if _WITHOUT_SCHEME.match(url):
        raise InvalidArgument("url", "expected an address with its scheme, such as http://localhost:3000")


@tool(toolset="browser", leaves_pages=True, destructive=True)
async def browser_back(context: ToolContext, arguments: BackArguments) -> Navigated:
    """Go back."""
    done = await go_in_history(context, -1, arguments.timeout)
    return await _shown(context, done) if arguments.snapshot else done


async def go_in_history(context: ToolContext, step: int, timeout_s: float) -> Navigated:
    """Go so many pages forward, or back for a negative number (`Page.navigateToHistoryEntry`).

    Raises `NothingBehind`, `NothingAhead`, `PolicyRefused`, and what `Journey` raises.
    """
    journey = Journey(context, timeout_s)
    history = await context.supervisor.send(page.GetNavigationHistory(), timeout_s=journey.left_s)
    index = history.current_index + step
    if not 0 <= index < len(history.entries):
        raise NothingBehind if step < 0 else NothingAhead
    entry = history.entries[index]
    context.check_url(entry.url)
    await _end_endless_script(context.supervisor)
    await context.supervisor.send(page.NavigateToHistoryEntry(entry_id=entry.id), timeout_s=journey.left_s)
    return await journey.end(is_loaded=await journey.arrive(is_elsewhere=True))


async def _end_endless_script(supervisor: AsyncSupervisor) -> None:
    """End the script of a page that does not respond (`Runtime.terminateExecution`).

    Chromium loads another document of the same site in the same process, where the script would hold it up.
    """
    if any(tab.is_current and tab.status == "unresponsive" for tab in supervisor.snapshot().pages):
        with contextlib.suppress(CDPError):
            await supervisor.send(runtime.TerminateExecution(), timeout_s=END_S)


async def _shown(context: ToolContext, done: Navigated) -> Navigated:
    """The same with the page, unless a dialog hides it."""
    if done.opened_dialog:
        return done
    seen = await outline(context.supervisor, OutlineOptions())
    return replace(done, page=seen.page, cursor=seen.cursor)


END_S = 1.0
"""The time that an endless script has to end."""

LOAD_S = 2.0
"""The time that pictures and the like have once the document can be used."""

WHY_S = 0.5
"""The time in which the browser tells why a navigation was aborted."""

PARSE_S = 5.0
"""The time after which a document that is still being sent can be used, if it shows a text."""

_USABLE = f"""new Promise(done => {{
    if (document.readyState !== 'loading') done(0);
    document.addEventListener('DOMContentLoaded', () => done(0), {{once: true}});
    const look = () => document.body?.innerText.trim() ? done(0) : setTimeout(look, 500);
    setTimeout(look, {PARSE_S * 1000});
}})"""


class Journey:
    """One change of the current page's document: begins when nothing blocks it, ends when it has loaded."""

    def __init__(self, context: ToolContext, timeout_s: float) -> None:
        now = context.supervisor.snapshot()
        self._context = context
        self._deadline = get_running_loop().time() + timeout_s
        self._cursor = now.cursor
        self._dialogs = frozenset(dialog.id for dialog in now.pending_dialogs)
        if now.frame_tree.top is None:
            raise NoPage
        self._before = now.frame_tree.top
        for dialog in _dialogs(now):
            if dialog.answerable:  # to go elsewhere would answer it without being asked to
                raise BlockedByDialog(dialog, maybe_executed=False)

    @property
    def left_s(self) -> float:
        return max(0.1, self._deadline - get_running_loop().time())

    async def follow(self, going: Coroutine[Any, Any, None]) -> Navigated:
        """Await a call that loads another document, and return the page that it led to.

        Raises what the call raises, `PolicyRefused`, and `BlockedByDialog` when the page before opens a dialog, unless
        that asks whether the page may be left.
        """
        try:
            await going
            is_loaded = await self.arrive()
        except BlockedByDialog as blocked:
            if not self.is_asked(blocked.dialog):
                raise
            is_loaded = False
        except NavigationFailed as failed:
            self.check()
            if failed.error_text == ABORTED:
                await self.check_alive()
            raise
        return await self.end(is_loaded=is_loaded)

    async def arrive(self, *, is_elsewhere: bool = False) -> bool:
        """Wait until the document can be used, with `is_elsewhere` another one, or another address, than before.

        What still loads then, such as pictures, has `LOAD_S`. False when it did not come in time, when it opens a
        dialog, when the page before asks whether to leave it, and when something still loads. Raises `BlockedByDialog`
        when the page before opens another dialog.
        """
        supervisor = self._context.supervisor
        loaded = asyncio.ensure_future(
            supervisor.wait_for(
                lambda now: self._is_there(now, is_elsewhere) or self._opened(now) is not None, timeout_s=self.left_s
            )
        )
        usable = asyncio.ensure_future(self._usable(is_elsewhere))
        try:
            await asyncio.wait([loaded, usable], return_when=asyncio.FIRST_COMPLETED)
            now = await asyncio.wait_for(loaded, LOAD_S)
        except TimeoutError:
            return False
        finally:
            usable.cancel()
            await asyncio.gather(usable, return_exceptions=True)
        opened = self._opened(now)
        if opened is None:
            return True
        top = now.frame_tree.top
        is_old = top is None or top.loader_id == self._before.loader_id
        if is_old and not self.is_asked(opened):
            raise BlockedByDialog(opened, maybe_executed=True)
        return False

    async def _usable(self, is_elsewhere: bool) -> None:
        """Wait until the new document is complete but for what it loads besides (`DOMContentLoaded`), or `PARSE_S`."""
        supervisor = self._context.supervisor
        await supervisor.wait_for(lambda now: self._is_new(now, is_elsewhere), timeout_s=self.left_s)
        with contextlib.suppress(CDPError):
            await run(supervisor, self._before.frame_id, _USABLE)

    async def end(self, *, is_loaded: bool) -> Navigated:
        """Return the page that the navigation led to.

        Raises `PolicyRefused` when the policy does not allow it, or a redirect on the way.
        """
        self.check()
        is_changing = await settle_document(self._context.supervisor, loads=is_loaded)
        self.check()
        url, title = await _address(self._context.supervisor, self.left_s)
        opened = self._opened(self._context.supervisor.snapshot())
        done = Navigated(url=url, title=title, loaded=is_loaded, still_changing=is_changing)
        if opened is None:
            return done
        leaving = "accept leaves the page, and the navigation goes on; " if self.is_asked(opened) else ""
        return replace(done, opened_dialog=opened.id, hint=answer_it(self._context, f"{leaving}do not navigate again"))

    def is_asked(self, dialog: PendingDialog) -> bool:
        """Whether the page before asks, since the navigation began, if it may be left."""
        return dialog.type == "beforeunload" and dialog.id not in self._dialogs

    async def check_alive(self) -> None:
        """Raise `TargetCrashed` when the page crashed on the way, which the browser tells a moment later."""
        supervisor, page_id = self._context.supervisor, self._before.frame_id
        why = {"crash", "download"}
        with contextlib.suppress(TimeoutError):
            now = await supervisor.wait_for(
                lambda now: any(e.kind in why and e.target_id == page_id for e in now.blockers), timeout_s=WHY_S
            )
            if any(entry.kind == "crash" and entry.target_id == page_id for entry in now.blockers):
                raise TargetCrashed(self._before.session_id)

    def check(self) -> None:
        """Raise `PolicyRefused` when the page went, or was about to go, where it may not."""
        changes = self._context.supervisor.changes_since(self._cursor).changes
        own = [change for change in changes if change.subject == self._before.frame_id]
        for change in (change for change in own if change.kind == "navigation_refused"):
            raise stopped(change)
        for change in (change for change in own if change.kind == "frame_navigated"):
            self._context.policy.check_url(change.text)

    def _is_there(self, now: SupervisorSnapshot, is_elsewhere: bool) -> bool:
        return now.frame_tree.top is not None and not now.frame_tree.top.is_loading and self._is_new(now, is_elsewhere)

    def _is_new(self, now: SupervisorSnapshot, is_elsewhere: bool) -> bool:
        top, before = now.frame_tree.top, self._before
        return top is not None and (not is_elsewhere or (top.loader_id, top.url) != (before.loader_id, before.url))

    def _opened(self, now: SupervisorSnapshot) -> PendingDialog | None:
        return next((dialog for dialog in _dialogs(now) if dialog.id not in self._dialogs), None)


def _dialogs(now: SupervisorSnapshot) -> tuple[PendingDialog, ...]:
    current = [page.target_id for page in now.pages if page.is_current]
    return tuple(dialog for dialog in now.pending_dialogs if dialog.target_id in current)


async def _address(supervisor: AsyncSupervisor, timeout_s: float) -> tuple[str, str]:
    """The current page's address and title, which the browser tells whatever the page does."""
    history = await supervisor.send(page.GetNavigationHistory(), timeout_s=timeout_s)
    entry = history.entries[history.current_index]
    return entry.url, entry.title
