"""The calls, navigations and closes of callers that have not ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.protocol import runtime
from supervisor.core.vocabulary.requests import ClosePage, Evaluate, NavigatePage, ReloadPage

from .frames import Context, Frame


class Call(Struct, frozen=True, kw_only=True):
    """A call that has not ended: waiting for its frame's document, or sent."""

    call_id: str
    work: Evaluate | Command[Any]
    timeout_s: float
    begun_at: float
    """Seconds since the epoch."""
    context: Context | None = None
    """The script context that it was sent to, where it was sent to one."""
    frame: Frame | None
    """The frame that it runs in, as it was at the call or its sending; None for a command of the browser."""
    is_aimed: bool = False
    """The caller named the frame: the command must reach that frame alone."""
    sent: bool = False
    handle: runtime.RemoteObject | None = None
    """The result of its expression, while `Runtime.callFunctionOn` fetches the value."""
    tolerated: frozenset[str] = frozenset()
    """Ids of dialogs, and of a breakpoint, that were there before the call and do not stop it."""
    stopped: bool = False
    """`Runtime.terminateExecution` was sent to its session while it ran."""
    ends: frozenset[str] = frozenset()
    """The target ids of the pages that the command closes."""


class Calls(Struct, frozen=True):
    """The calls that have not ended, by id."""

    pending: Mapping[str, Call] = {}
    closing: frozenset[str] = frozenset()
    """The target ids of the pages that pending calls will close as soon as they are sent."""

    def with_call(self, call: Call) -> Calls:
        """Add or replace a call."""
        return self._with_pending({**self.pending, call.call_id: call}, call)

    def without(self, call: Call) -> Calls:
        """Remove a call."""
        pending = dict(self.pending)
        del pending[call.call_id]
        return self._with_pending(pending, call)

    def _with_pending(self, pending: Mapping[str, Call], changed: Call) -> Calls:
        if not changed.ends:
            return replace(self, pending=pending)
        closing = frozenset[str]().union(*(call.ends for call in pending.values() if not call.sent))
        return Calls(pending, closing)


class HangProbes(Struct, frozen=True):
    """Sessions that were sent a `HangProbe` and have not answered."""

    sessions: frozenset[str] = frozenset()


class PageNavigation(Struct, frozen=True, kw_only=True):
    """A caller's navigation, reload or close of a page that has not ended. A close is one of them, because the same
    dialogs and scripts block it."""

    call_id: str
    page_id: str
    work: ReloadPage | NavigatePage | ClosePage
    timeout_s: float
    begun_at: float
    """Seconds since the epoch."""
    before: frozenset[str]
    """The ids of dialogs that were open when it began and that the browser ends with the page, and of a login for which
    an earlier navigation waits."""
    was_frozen: bool = False
    """The page did not respond when it began. Measured: the dialog of a new document may then be announced before the
    document."""
    is_sent: bool = False
    retries: bool = False
    """A `NavigationRetry` timer was armed: the command was refused during a replacement, or may be forgotten."""
    is_at_blank: bool = False
    """`about:blank`, the first of two navigations, is there."""
    goes_by_blank: bool = False
    """The page is navigated to `about:blank` first: a dialog or print preview is open on it."""
    closes_preview: bool = False
    """The command that closes the page's print preview was sent."""
    former_loader_id: str = ""
    """The loader id of the document that the page had when the command was sent."""
    discarded_loader_id: str = ""
    """The loader id that `Page.reload` named when the browser refused it."""
    loader_id: str | None = None
    """The loader id in the reply to `Page.navigate`."""
    is_accepted: bool = False
    """The browser has replied that it loads the document."""
    started: Mapping[str, str] = {}
    """Loader id -> address, of each `Page.frameStartedNavigating` since the command was sent; none on Chrome 131."""
    unreachable_url: str = ""
    """The address in whose place the newest document is an error page: the last one of a redirect."""
    error_text: str | None = None
    """The error in that reply. The error page, which has that loader id, follows."""
    new_loader_ids: tuple[str, ...] = ()
    """The loader ids of other documents that the page has shown since the command was sent."""

    @property
    def has_arrived(self) -> bool:
        """True when `Page.frameNavigated` has announced the document that the last command asked for.

        The reply to `Page.navigate` comes before that event, or, when the document opens a dialog at once, long after.
        """
        names_document = isinstance(self.work, NavigatePage) or self.is_on_detour
        return self.loader_id in self.new_loader_ids if names_document else bool(self.new_loader_ids)

    @property
    def is_on_detour(self) -> bool:
        """True until `about:blank`, the first of two navigations, is there."""
        return self.goes_by_blank and not self.is_at_blank


class PageNavigations(Struct, frozen=True):
    """Navigations, reloads and closes that have not ended, by call id."""

    pending: Mapping[str, PageNavigation] = {}

    @property
    def closing(self) -> frozenset[str]:
        """The target ids of the pages whose `Target.closeTarget` is not sent yet."""
        pending = self.pending.values()
        return frozenset(
            navigation.page_id
            for navigation in pending
            if isinstance(navigation.work, ClosePage) and not navigation.is_sent
        )
