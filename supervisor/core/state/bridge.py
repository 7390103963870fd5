"""The dialog bridge in each session, and the requests that the browser holds for the supervisor (`Fetch.enable`)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.protocol import fetch, page
from supervisor.core.vocabulary import bridge_protocol
from supervisor.core.vocabulary.requests import Route
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.core.vocabulary.values import BridgeMode

from .dialogs import HeldRequest


class BridgeSession(Struct, frozen=True, kw_only=True):
    """The bridge in one session."""

    script_id: page.ScriptIdentifier | None = None
    modals: bool | None = None
    """The iframe element allows dialogs (no `sandbox`, or `allow-modals` in it); None: not known (yet)."""
    is_asking: bool = False


class BridgedRequest(Struct, frozen=True, kw_only=True):
    """A request of the bridge's script that is to become a dialog."""

    session_id: str
    frame_id: str
    dialog: bridge_protocol.DialogRequest
    held_request: HeldRequest


class Bridge(Struct, frozen=True, kw_only=True):
    """The bridge: its settings, its script in each session, and the requests that are not dialogs yet."""

    mode: BridgeMode = "never"
    bypasses_csp: bool = False
    script: str = ""
    secret: str = ""
    is_armed: bool = False
    reason: str = ""
    hits: int = 0
    """The number of dialogs in a row that another client has answered at once."""
    sessions: Mapping[str, BridgeSession] = {}
    waiting: tuple[BridgedRequest, ...] = ()
    """Requests of frames of which it is not known yet whether they may show dialogs."""
    allowed: tuple[BridgedRequest, ...] = ()
    """Requests that become a dialog in this step."""
    native: tuple[str, ...] = ()
    """Origins in which a page's own function was called although the bridge is armed."""
    refused: int = 0
    """The number of requests that matched the URL pattern and did not come from the script."""
    ending: Mapping[str, frozenset[str]] = {}
    """The calls that end the bridge, by id, and the sessions whose documents still have the script."""


class InterceptionSettings(Struct, frozen=True):
    """The purposes for which the requests of one session are held."""

    bridge: bool = False
    http_auth: bool = False
    url_rules: bool = False
    routes: tuple[fetch.RequestPattern, ...] = ()
    """The patterns of the routes."""


class ArmedRoute(Struct, frozen=True, kw_only=True):
    """A route of a caller."""

    id: str
    route: Route
    hits: int = 0
    """The number of requests that it took."""

    @property
    def is_used_up(self) -> bool:
        """Return True when it takes no more requests."""
        return self.route.times is not None and self.hits >= self.route.times


class RefusedNavigation(Struct, frozen=True, kw_only=True):
    """A navigation that a URL rule refused."""

    frame_id: str
    origin: str
    """Scheme, host and port of the document, without path and query."""
    why: str


class Interception(Struct, frozen=True, kw_only=True):
    """Request interception: its purposes besides the bridge, and the settings sent to each session."""

    http_auth: bool = False
    url_rules: tuple[UrlRules, ...] = ()
    """URL rules; a document is loaded only if all of them allow it."""
    routes: tuple[ArmedRoute, ...] = ()
    """The routes of callers, oldest first; the newest that matches takes a request."""
    route_count: int = 0
    """The number of all routes so far; the source of their ids."""
    delayed: Mapping[tuple[str, str], Command[None]] = {}
    """Held requests whose delay has not ended, by session id and request id, and the command that follows it."""
    applied: Mapping[str, InterceptionSettings] = {}
    holds_all: bool = False
    """The browser holds the documents of all its pages, by a command on its own session."""
    last_refused: RefusedNavigation | None = None
    refusals: int = 0
    """The number of all refused navigations."""
