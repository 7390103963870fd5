"""Blockers, console messages, network requests, and the log of changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from cdp_typed.protocol import dom, fed_cm, fetch, network
from supervisor.core.vocabulary.console_values import ConsoleMessage, ConsoleSlice
from supervisor.core.vocabulary.values import Blocker, Change, ChangeSlice, EndedDownload, FailedRequest

REFUSED = 400
"""The lowest HTTP status of a refusal."""


class BlockerEntry(Struct, frozen=True, kw_only=True):
    """A blocker, and the browser's ids for it."""

    info: Blocker
    backend_node_id: dom.BackendNodeId | None = None
    guid: str = ""
    path: str = ""
    """The file of a download that has ended."""
    told_by: tuple[str, ...] = ()
    """The sessions that announced a download."""
    outlives_tab: bool = False
    """The browser itself tells of this download."""
    request_id: fetch.RequestId | None = None
    holds_document: bool = False
    """The document of its frame waits for it."""
    dialog_id: str = ""
    """The id of an account chooser (`FedCm.dialogShown`)."""
    accounts: tuple[fed_cm.Account, ...] = ()
    """The accounts of an account chooser."""
    preview_session_id: str = ""
    """The session of the print preview."""


class Blockers(Struct, frozen=True, kw_only=True):
    """The present blockers, oldest first."""

    owns_browser: bool = False
    """The browser is asked about its downloads: it reports their files, and their ends after a tab has closed."""
    entries: tuple[BlockerEntry, ...] = ()
    count: int = 0
    """The number of all blockers so far; the source of their ids."""
    dropped: int = 0
    ended_downloads: tuple[EndedDownload, ...] = ()
    """The newest, oldest first."""
    ending: Mapping[str, str] = {}
    """Pending calls that end a blocker: call id -> blocker id."""

    def login(self, frame_id: str) -> Blocker | None:
        """Return the login for which the next document of this frame waits."""
        return next(
            (entry.info for entry in self.entries if entry.holds_document and entry.info.frame_id == frame_id), None
        )

    def pause(self, session_id: str) -> Blocker | None:
        """Return the blocker that holds up the scripts of this session: a breakpoint, or a print preview."""
        for entry in self.entries:
            if entry.info.kind in ("debugger", "print") and entry.info.session_id == session_id:
                return entry.info
        return None

    def print_preview(self, page_id: str) -> str | None:
        """Return the session of the print preview that `window.print()` of this page shows."""
        return next(
            (
                entry.preview_session_id
                for entry in self.entries
                if entry.info.kind == "print" and entry.info.target_id == page_id
            ),
            None,
        )


MessageSource: TypeAlias = tuple[str, str]
"""A target id, and the domain of the event (`Runtime` or `Log`): each domain replays its own messages in order."""


class LatestMessages(Struct, frozen=True):
    """The messages of a source that have the latest timestamp."""

    timestamp: float
    said: frozenset[str]

    def is_after(self, timestamp: float, said: str) -> bool:
        """Return True for a message that is not newer than these."""
        return said in self.said if timestamp == self.timestamp else timestamp < self.timestamp


class ReplayFilter(Struct, frozen=True):
    """The latest messages of each source, now and when each new session was attached."""

    collected: Mapping[MessageSource, LatestMessages] = {}
    before: Mapping[str, Mapping[MessageSource, LatestMessages]] = {}
    """By session id, until `Log.enable` is answered: after that, only new messages come."""


class ConsoleLog(Struct, frozen=True, kw_only=True):
    """The newest console messages, oldest first, and the number of all."""

    capacity: int = 50
    messages: tuple[ConsoleMessage, ...] = ()
    count: int = 0
    counts: Mapping[str, int] = {}
    """The number of all messages, by level."""
    documents: Mapping[str, int] = {}
    """By page, how many messages there were when its document began."""
    replay_filter: ReplayFilter = ReplayFilter()

    @property
    def dropped(self) -> int:
        """Messages that are no longer held."""
        return self.count - len(self.messages)

    def since(self, cursor: int, page_id: str | None = None) -> ConsoleSlice:
        """Return the messages after this sequence number, and where the document of a page began."""
        held = self.messages[max(0, cursor - self.dropped) :]
        missed, document = max(0, self.count - cursor - len(held)), self.documents.get(page_id or "", 0)
        return ConsoleSlice(messages=held, missed=missed, cursor=self.count, document=document)


class RequestInFlight(Struct, frozen=True, kw_only=True):
    """A network request that has not ended."""

    url: str
    method: str
    type: str
    frame_id: str | None
    started_at: float
    status: int | None = None


class SeenRequest(Struct, frozen=True, kw_only=True):
    """A request, and its response as far as it has come."""

    session_id: str
    request_id: network.RequestId
    frame_id: str | None
    type: str
    request: network.Request
    initiator: network.Initiator
    started_at: float
    ended_at: float | None = None
    response: network.Response | None = None
    error: str = ""
    size: float | None = None
    """The bytes of the response on the wire."""
    is_redirect: bool = False
    """The response was a redirect; another request, with the same `request_id`, follows it."""

    @property
    def worth(self) -> int:
        """2 for a failure, 1 for JSON, 0 for all others: those are given up first."""
        if self.error or (self.response is not None and self.response.status >= REFUSED):
            return 2
        return int(self.response is not None and "json" in self.response.mime_type)


class NetworkRequests(Struct, frozen=True, kw_only=True):
    """Requests in flight, by session id and request id, and the failed ones, oldest first."""

    is_watched: bool = False
    under_way: Mapping[tuple[str, str], RequestInFlight] = {}
    failed: tuple[FailedRequest, ...] = ()
    count: int = 0
    """The number of all failed requests."""
    keeps_since: float | None = None
    """The time from which all requests are kept, in seconds since the epoch; None: they are not kept."""
    recent: Mapping[int, SeenRequest] = {}
    """The newest requests by number, oldest first."""
    seen: int = 0
    """The number of all requests that were kept."""


class ChangeLog(Struct, frozen=True):
    """The newest changes, oldest first, and the number of all."""

    changes: tuple[Change, ...] = ()
    count: int = 0

    def since(self, cursor: int) -> ChangeSlice:
        """Return the changes after this sequence number."""
        held = self.changes[max(0, cursor - self.count + len(self.changes)) :]
        return ChangeSlice(changes=held, missed=max(0, self.count - cursor - len(held)), cursor=self.count)
