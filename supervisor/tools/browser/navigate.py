"""The tools `browser_navigate` and `browser_back`."""

from __future__ import annotations

from asyncio import get_running_loop

from msgspec import Struct

from cdp_typed.protocol import page
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog, CallError, NavigationFailed, NoPage
from supervisor.core.vocabulary.values import PendingDialog, SupervisorSnapshot
from supervisor.tools.framework.policy import stopped
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import PageText

from .evaluate import Timeout


class NothingBehind(CallError):
    """The page's history has nothing before the present page."""

    def __init__(self) -> None:
        super().__init__("there is no page to go back to", maybe_executed=False)


class NavigateArguments(Struct, frozen=True, kw_only=True):
    """Where to."""

    url: str
    """With its scheme."""
    timeout: Timeout = 30.0
    """Seconds until the page must have loaded."""


class BackArguments(Struct, frozen=True, kw_only=True):
    """How long it may take."""

    timeout: Timeout = 30.0
    """Seconds until the page must have loaded."""


class Navigated(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the page is now."""

    url: PageText
    title: PageText = ""
    loaded: bool
    """False: it was still loading when the time was over."""


@tool(toolset="browser", destructive=True)
async def browser_navigate(context: ToolContext, arguments: NavigateArguments) -> Navigated:
    """Load an address in the current page and wait for it. Ends at once when a dialog is open or opens."""
    context.policy.check_url(arguments.url)
    journey = _Journey(context, arguments.timeout)
    try:
        await context.supervisor.navigate(arguments.url, timeout_s=journey.left_s)
    except NavigationFailed:
        journey.check()
        raise
    return await journey.end(loaded=await journey.arrive())


@tool(toolset="browser", destructive=True)
async def browser_back(context: ToolContext, arguments: BackArguments) -> Navigated:
    """Go back to the page before, as the browser's button does."""
    journey = _Journey(context, arguments.timeout)
    history = await context.supervisor.send(page.GetNavigationHistory(), timeout_s=journey.left_s)
    if history.current_index == 0:
        raise NothingBehind
    entry = history.entries[history.current_index - 1]
    context.policy.check_url(entry.url)
    await context.supervisor.send(page.NavigateToHistoryEntry(entry_id=entry.id), timeout_s=journey.left_s)
    return await journey.end(loaded=await journey.arrive(is_elsewhere=True))


class _Journey:
    """One change of the current page's document: begins where nothing stands in the way, ends when it has loaded."""

    def __init__(self, context: ToolContext, timeout_s: float) -> None:
        now = context.supervisor.snapshot()
        self._context = context
        self._deadline = get_running_loop().time() + timeout_s
        self._cursor = now.cursor
        self._dialogs = frozenset(one.id for one in now.pending_dialogs)
        if now.frame_tree.top is None:
            raise NoPage
        self._before = now.frame_tree.top
        for dialog in _dialogs(now):
            if dialog.answerable:  # to go elsewhere would answer it without being asked to
                raise BlockedByDialog(dialog, maybe_executed=False)

    @property
    def left_s(self) -> float:
        return max(0.1, self._deadline - get_running_loop().time())

    async def arrive(self, *, is_elsewhere: bool = False) -> bool:
        """Wait until the document has loaded, with `is_elsewhere` another one, or another address, than before.

        False when it has not in time. Raises `BlockedByDialog` when a dialog opens meanwhile.
        """
        try:
            now = await self._context.supervisor.wait_for(
                lambda now: self._is_there(now, is_elsewhere) or self._opened(now) is not None, timeout_s=self.left_s
            )
        except TimeoutError:
            return False
        opened = self._opened(now)
        if opened is not None:
            raise BlockedByDialog(opened, maybe_executed=True)
        return True

    async def end(self, *, loaded: bool) -> Navigated:
        """Where it led to. Raises `Refused` when that is where it may not be, redirects included."""
        self.check()
        url, title = await _address(self._context.supervisor, self.left_s)
        return Navigated(url=url, title=title, loaded=loaded)

    def check(self) -> None:
        """Raise `Refused` when the page went, or was about to go, where it may not."""
        changes = self._context.supervisor.changes_since(self._cursor).changes
        mine = [one for one in changes if one.subject == self._before.frame_id]
        for change in (one for one in mine if one.kind == "navigation_refused"):
            raise stopped(change)
        for change in (one for one in mine if one.kind == "frame_navigated"):
            self._context.policy.check_url(change.text)

    def _is_there(self, now: SupervisorSnapshot, is_elsewhere: bool) -> bool:
        top, before = now.frame_tree.top, self._before
        if top is None or top.is_loading:
            return False
        return not is_elsewhere or (top.loader_id, top.url) != (before.loader_id, before.url)

    def _opened(self, now: SupervisorSnapshot) -> PendingDialog | None:
        return next((one for one in _dialogs(now) if one.id not in self._dialogs), None)


def _dialogs(now: SupervisorSnapshot) -> tuple[PendingDialog, ...]:
    current = [one.target_id for one in now.pages if one.is_current]
    return tuple(one for one in now.pending_dialogs if one.target_id in current)


async def _address(supervisor: AsyncSupervisor, timeout_s: float) -> tuple[str, str]:
    """The current page's address and title, which the browser tells whatever the page does."""
    history = await supervisor.send(page.GetNavigationHistory(), timeout_s=timeout_s)
    entry = history.entries[history.current_index]
    return entry.url, entry.title
