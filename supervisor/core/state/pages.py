"""Sessions of pages and out-of-process iframes, which pages are ours, and what is switched on in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.helpers.shared.emulation import Emulation, Setting
from cdp_typed.protocol import browser, page, target
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
    """The target id of the page that can script this one, for a popup that was not opened with `noopener`."""
    browser_context_id: str | None = None
    has_frame_tree: bool = False
    """`Page.getFrameTree` was answered."""
    children_announced: bool = False
    """The sessions directly below it have been announced."""
    unresponsive: bool = False
    crashed: bool = False
    refusals: int = 0
    """The number of refused `Page.getFrameTree` commands."""
    since: float = 0.0
    """The time at which it crashed or was found not to respond; in seconds since the epoch."""
    stale: bool = False
    """Its connection was lost, and its target has not been announced since."""

    @property
    def is_known(self) -> bool:
        """All frames and child sessions that existed when it was attached are known."""
        return self.has_frame_tree and self.children_announced

    @property
    def is_settled(self) -> bool:
        """Its set-up has ended: it is known, does not respond, or has crashed."""
        return self.is_known or self.unresponsive or self.crashed

    @property
    def status(self) -> PageStatus:
        """The page status of this session alone."""
        if self.crashed:
            return "crashed"
        if self.unresponsive:
            return "unresponsive"
        return "ok" if self.has_frame_tree else "attaching"


class Targets(Struct, frozen=True):
    """All sessions by id, in the order in which they were attached, and the current page."""

    sessions: Mapping[str, Session] = {}
    current: str | None = None
    """The target id of the page that calls without a frame go to."""
    spares: Mapping[str, target.AttachedToTarget] = {}
    """Further sessions of pages that have one. They only receive dialog events, until the first session ends."""

    def pages(self) -> Iterator[Session]:
        """The sessions of the pages, oldest first."""
        return (session for session in self.sessions.values() if not session.is_iframe)

    def page(self, target_id: str) -> Session | None:
        """The session of the page with this target id."""
        return next((session for session in self.pages() if session.target_id == target_id), None)

    def successor(self, session_id: str) -> target.AttachedToTarget | None:
        """Return the spare session that takes the place of this one when it ends."""
        session = self.sessions.get(session_id)
        if session is None or session.is_iframe:
            return None
        return next((spare for spare in self.spares.values() if spare.target_info.target_id == session.target_id), None)

    @property
    def listening(self) -> Targets:
        """The same with the spare sessions as sessions: they receive dialog events as well."""
        spares = {
            key: Session(
                session_id=key,
                target_id=spare.target_info.target_id,
                is_iframe=False,
                parent_session_id=None,
                page_id=spare.target_info.target_id,
            )
            for key, spare in self.spares.items()
        }
        return replace(self, sessions={**self.sessions, **spares}) if spares else self

    def subtree(self, session_id: str) -> frozenset[str]:
        """The session and all sessions below it."""
        subtree = {session_id}
        for session in self.sessions.values():  # attached in order: a parent always comes before its children
            if session.parent_session_id in subtree:
                subtree.add(session.session_id)
        return frozenset(subtree)

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


Scope: TypeAlias = Literal["browser", "shared", "tab", "own"]
"""`browser`: every page. `shared`: every page, without managing the first one. `tab`: one page and the popups it opens.
`own`: a page that we open, and its popups."""


BLANK = "about:blank"


class PageOwnership(Struct, frozen=True, kw_only=True):
    """The pages that the supervisor supervises and manages."""

    scope: Scope = "browser"
    target_id: str | None = None
    """The page of the scope `tab`."""
    wants_context: bool = False
    """Pages are opened in a browser context of the supervisor's own, with its own cookies, storage and cache."""
    context_proxy: str | None = None
    """The proxy of that context."""
    own_windows: bool = False
    """Pages are opened in windows of the supervisor's own."""
    context_id: browser.BrowserContextID | None = None
    contexts: Mapping[str, browser.BrowserContextID] = {}
    """Further browser contexts that were made for callers, by name."""
    opened: frozenset[str] = frozenset()
    """The target ids of pages that the supervisor opened."""
    adopted: frozenset[str] = frozenset()
    """The target ids of pages that a caller selected, and of popups of managed pages."""
    given: frozenset[str] = frozenset()
    """The target ids of pages that a person gave to the agent."""
    giving: Mapping[str, str] = {}
    """Pending calls that give a page: its target id, by call id."""
    first: str | None = None
    """The target id of the page that was current at the start: managed until another client is noticed there."""
    has_begun: bool = False
    """A page was announced."""
    occupied: frozenset[str] = frozenset()
    """The target ids of pages to which another client was attached at the start."""
    opens_first: bool = False
    """The page that is needed for a start without pages is being opened."""
    opening: Mapping[str, OpenRequested] = {}
    """Pending calls that open a page, by call id."""
    undecided: tuple[EventReceived, ...] = ()
    """`Target.attachedToTarget` events that came while a page is being opened: any of them may be that page."""

    @property
    def covers_all(self) -> bool:
        """The scope holds every page of the browser."""
        return self.scope in ("browser", "shared")

    @property
    def own_contexts(self) -> frozenset[str]:
        """The ids of the browser contexts that the supervisor made."""
        own = () if self.context_id is None else (self.context_id,)
        return frozenset[str]((*self.contexts.values(), *own))

    def context_name(self, context_id: str | None) -> str | None:
        """Return the name of a caller's browser context; None for any other."""
        return next((name for name, each in self.contexts.items() if each == context_id), None)

    def manages(self, target_id: str) -> bool:
        """Return True for a page on which the supervisor acts without a call."""
        return (
            not self.covers_all
            or target_id in self.opened
            or target_id in self.adopted
            or target_id in self.given
            or target_id == self.first
        )

    def claims(self, info: target.TargetInfo, targets: Targets) -> bool:
        """Return True for a page that is within the scope."""
        if self.covers_all or info.target_id in (self.opened | self.given) or info.target_id == self.target_id:
            return True
        if info.browser_context_id in self.own_contexts:
            return True
        return any(targets.page(known) is not None for known in (info.target_id, info.opener_id) if known)


class Switches(Struct, frozen=True, kw_only=True):
    """Settings of one session that can be switched on."""

    focus: bool = False
    """The page behaves as if it were in front (`Emulation.setFocusEmulationEnabled`)."""
    file_choosers: bool = False
    """File choosers are announced and not shown (`Page.setInterceptFileChooserDialog`)."""
    debugger: bool = False
    """Scripts stop at `debugger` statements (`Debugger.enable`)."""
    account_choosers: bool = False
    """Choosers of federated logins are announced (`FedCm.enable`). Measured on Chromium 156: they are shown as before,
    and the page notices nothing."""


OFF = Switches()


class SessionSettings(Struct, frozen=True, kw_only=True):
    """The switches for managed pages, and those that were sent to each session."""

    wanted: Switches = Switches(focus=True, file_choosers=True, account_choosers=True)
    applied: Mapping[str, Switches] = {}


class Emulated(Struct, frozen=True, kw_only=True):
    """The device and the surroundings that managed pages are to see, and the commands that were sent for them."""

    wanted: Emulation = Emulation()
    commands: Mapping[Setting, tuple[Command[Any], ...]] = {}
    """The commands for `wanted`."""
    permissions: tuple[browser.SetPermission, ...] = ()
    applied: Mapping[str, Mapping[Setting, tuple[Command[Any], ...]]] = {}
    """By session id."""
    granted: tuple[browser.SetPermission, ...] = ()
    """The permissions that were sent."""
    refused: Mapping[tuple[str | None, str], str] = {}
    """The browser's reason for each refused command, by session id (None: the browser's own) and setting."""


class InitScript(Struct, frozen=True):
    """A script that runs in each new document."""

    id: str
    source: str


class InitScripts(Struct, frozen=True, kw_only=True):
    """The scripts of callers for each new document of managed pages, oldest first."""

    scripts: tuple[InitScript, ...] = ()
    count: int = 0
    """The number of all scripts so far; the source of their ids."""
    installed: Mapping[tuple[str, str], page.ScriptIdentifier | None] = {}
    """By session id and script id; None until the browser has replied."""


class Capabilities(Struct, frozen=True, kw_only=True):
    """By name (see `LACKS`): True if the browser was seen to have it, False if not; absent until it was seen."""

    seen: Mapping[str, bool] = {}

    @property
    def lacking(self) -> tuple[str, ...]:
        """A sentence for each capability that the browser was seen to lack."""
        return tuple(text for name, text in LACKS.items() if self.seen.get(name) is False)
