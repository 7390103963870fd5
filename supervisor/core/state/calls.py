"""The calls of callers that have not ended, and the pages that they leave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.protocol import runtime
from supervisor.core.vocabulary.requests import ClosePage, Evaluate, NavigatePage, ReloadPage

from .frames import Context, Frame


class Call(Struct, frozen=True, kw_only=True):
    """A call that has not ended: waiting for its frame's document, or sent."""

    call_id: str
    work: Evaluate | Command[Any]
    timeout_s: float
    context: Context | None = None
    """The script context that it was sent to, where it was sent to one."""
    frame: Frame | None
    """Where it runs, as the frame was when the call was made or sent; None for a command of the browser's own."""
    is_aimed: bool = False
    """The caller named the frame: the command must mean that one alone."""
    sent: bool = False
    handle: runtime.RemoteObject | None = None
    """What its expression came to, while its value is asked for."""
    tolerated: frozenset[str] = frozenset()
    """What was in the way before, for a call that is answered all the same: ids of dialogs and of a breakpoint."""
    stopped: bool = False
    """The scripts of its process were told to stop while it ran."""
    ends: frozenset[str] = frozenset()
    """The pages that it closes, if it is such a command."""


class Calls(Struct, frozen=True):
    """The calls that have not ended, by id."""

    pending: Mapping[str, Call] = {}

    @property
    def ending(self) -> frozenset[str]:
        """The pages that are about to be closed."""
        return frozenset[str]().union(*(call.ends for call in self.pending.values() if not call.sent))


class Hangs(Struct, frozen=True):
    """The sessions that were asked and have not answered."""

    asked: frozenset[str] = frozenset()


class Departure(Struct, frozen=True, kw_only=True):
    """A page that is being left, for a caller."""

    call_id: str
    page_id: str
    work: ReloadPage | NavigatePage | ClosePage
    timeout_s: float
    before: frozenset[str]
    """The dialogs that were open when it began and that the browser itself ends."""
    was_frozen: bool = False
    """The page did not respond when it began. Measured: it then may show a dialog of its new document before it tells
    of that document."""
    is_sent: bool = False
    retries: bool = False
    """The command came while the page was being replaced by another one, and may have to be sent again."""
    is_at_blank: bool = False
    """It went to `about:blank` first and has arrived there."""
    goes_by_blank: bool = False
    left_loader_id: str = ""
    """The document that is being left."""
    loader_id: str | None = None
    """The document that the browser says it will show."""
    seen: tuple[str, ...] = ()
    """The other documents that the page has shown since the command was sent."""

    @property
    def has_come(self) -> bool:
        """Whether the document is there that the last command asked for.

        Its event (`Page.frameNavigated`) tells. The reply to `Page.navigate` comes before it, or, when the document
        opens a dialog at once, long after it.
        """
        names_document = isinstance(self.work, NavigatePage) or self.is_on_detour
        return self.loader_id in self.seen if names_document else bool(self.seen)

    @property
    def is_on_detour(self) -> bool:
        """Whether it is on its way to `about:blank`."""
        return self.goes_by_blank and not self.is_at_blank


class Departures(Struct, frozen=True):
    """Those that have not ended, by call id."""

    pending: Mapping[str, Departure] = {}

    @property
    def closing(self) -> frozenset[str]:
        """The pages that are about to be closed."""
        pending = self.pending.values()
        return frozenset(one.page_id for one in pending if isinstance(one.work, ClosePage) and not one.is_sent)
