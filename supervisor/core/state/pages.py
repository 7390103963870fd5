"""Sessions of pages and out-of-process iframes, which pages are ours, and what is switched on in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.protocol import browser, target
from supervisor.core.vocabulary.chromium import LACKS
from supervisor.core.vocabulary.inputs import EventReceived
from supervisor.core.vocabulary.requests import OpenRequested
from supervisor.core.vocabulary.values import PageStatus


class Session(Struct, frozen=True, kw_only=True):
    """An attached target: a page, or an out-of-process iframe somewhere below one."""

    session_id: str
    target_id: str
    is_iframe: bool
    parent_session_id: str | None
    page_id: str
    """The target id of the page at the root."""
    opener_page_id: str | None = None
    """The page whose script may reach this one, for a popup that was not opened with `noopener`."""
    browser_context_id: str | None = None
    seeded: bool = False
    """Its frame tree has arrived."""
    complete: bool = False
    """The sessions directly below it have been announced."""
    unresponsive: bool = False
    crashed: bool = False
    refusals: int = 0
    """How often it refused to tell its frames."""
    since: float = 0.0
    """When it crashed, or was found not to respond; in seconds since the epoch."""
    stale: bool = False
    """It belonged to a connection that is lost, and its target has not been seen since."""

    @property
    def is_known(self) -> bool:
        """All that was in it when we came has been seen."""
        return self.seeded and self.complete

    @property
    def is_settled(self) -> bool:
        """Nothing more is to be waited for before the session can be shown."""
        return self.is_known or self.unresponsive or self.crashed

    @property
    def status(self) -> PageStatus:
        """In a word."""
        if self.crashed:
            return "crashed"
        if self.unresponsive:
            return "unresponsive"
        return "ok" if self.seeded else "attaching"


class Targets(Struct, frozen=True):
    """All sessions by id, in the order in which they were attached, and the current page."""

    sessions: Mapping[str, Session] = {}
    current: str | None = None
    """The target id of the page that calls without a frame go to."""
    spares: Mapping[str, target.AttachedToTarget] = {}
    """Further sessions of pages that have one. All they are used for is to answer dialogs, until the first one ends."""

    def pages(self) -> Iterator[Session]:
        """The sessions of the pages, oldest first."""
        return (session for session in self.sessions.values() if not session.is_iframe)

    def page(self, target_id: str) -> Session | None:
        """The session of the page with this target id."""
        return next((session for session in self.pages() if session.target_id == target_id), None)

    def heir(self, session_id: str) -> target.AttachedToTarget | None:
        """The session that takes the place of this one when it ends."""
        session = self.sessions.get(session_id)
        if session is None or session.is_iframe:
            return None
        return next((one for one in self.spares.values() if one.target_info.target_id == session.target_id), None)

    @property
    def listening(self) -> Targets:
        """With the spare sessions: they hear of dialogs as well."""
        spare = {
            key: Session(
                session_id=key,
                target_id=one.target_info.target_id,
                is_iframe=False,
                parent_session_id=None,
                page_id=one.target_info.target_id,
            )
            for key, one in self.spares.items()
        }
        return replace(self, sessions={**self.sessions, **spare}) if spare else self

    def subtree(self, session_id: str) -> frozenset[str]:
        """The session and all sessions below it."""
        found = {session_id}
        for session in self.sessions.values():  # attached in order: a parent always stands before its children
            if session.parent_session_id in found:
                found.add(session.session_id)
        return frozenset(found)

    def browsing_group(self, page_id: str) -> str:
        """The page at the end of the chain of openers: pages of one group can script each other."""
        seen: set[str] = set()
        while page_id not in seen:
            seen.add(page_id)
            session = self.page(page_id)
            if session is None or session.opener_page_id is None:
                break
            page_id = session.opener_page_id
        return page_id


PAGES_ONLY = [target.FilterEntry(type="page")]
"""Browser level: no tabs, workers or `browser_ui` (the default filter attaches the omnibox popups of Chromium 156)."""


Scope: TypeAlias = Literal["browser", "tab", "own"]
"""`browser`: every page. `tab`: one page and the popups it opens. `own`: a page that we open, and its popups."""


BLANK = "about:blank"


class Tabs(Struct, frozen=True, kw_only=True):
    """What is ours."""

    scope: Scope = "browser"
    target_id: str | None = None
    """The page of the scope `tab`."""
    wants_context: bool = False
    """Pages that we open are to live in a browser context of our own, with cookies, storage and cache of its own."""
    context_id: browser.BrowserContextID | None = None
    opened: frozenset[str] = frozenset()
    """The target ids of the pages that we opened."""
    given: frozenset[str] = frozenset()
    """Those of the pages that a caller selected, and of popups of managed pages."""
    first: str | None = None
    """That of the page which was current at the start: managed until another client shows itself there."""
    has_begun: bool = False
    """A page was announced."""
    occupied: frozenset[str] = frozenset()
    """Those of the pages to which another client was attached when we came."""
    opens_first: bool = False
    """The page that the supervisor needs to begin with is being opened."""
    asked: Mapping[str, OpenRequested] = {}
    """The calls under way that have a page created."""
    held: tuple[EventReceived, ...] = ()
    """Pages that were announced while we open one: whether they are ours is not known yet."""

    def manages(self, target_id: str) -> bool:
        """Whether a page may be acted on without a call."""
        return self.scope != "browser" or target_id in self.opened or target_id in self.given or target_id == self.first

    def claims(self, info: target.TargetInfo, targets: Targets) -> bool:
        """Whether a page is ours."""
        if self.scope == "browser" or info.target_id in self.opened or info.target_id == self.target_id:
            return True
        if self.context_id is not None and info.browser_context_id == self.context_id:
            return True
        return any(targets.page(known) is not None for known in (info.target_id, info.opener_id) if known)


class Switches(Struct, frozen=True, kw_only=True):
    """What is on in one session."""

    focus: bool = False
    """The page behaves as if it were in front (`Emulation.setFocusEmulationEnabled`)."""
    file_choosers: bool = False
    """File choosers are announced, and not shown to a person (`Page.setInterceptFileChooserDialog`)."""
    debugger: bool = False
    """Scripts stop at `debugger` statements (`Debugger.enable`)."""


OFF = Switches()


class SessionSettings(Struct, frozen=True, kw_only=True):
    """What is wanted for managed pages, and what each session was told."""

    wanted: Switches = Switches(focus=True, file_choosers=True)
    told: Mapping[str, Switches] = {}


class Capabilities(Struct, frozen=True, kw_only=True):
    """By name (see `LACKS`): whether the browser was seen to have it. What is not there was not seen yet."""

    seen: Mapping[str, bool] = {}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What it was seen not to have, in sentences."""
        return tuple(text for name, text in LACKS.items() if self.seen.get(name) is False)
