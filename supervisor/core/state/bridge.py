"""The dialog bridge in each session, and which requests the browser holds for us."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from cdp_typed.protocol import page
from supervisor.core.vocabulary import bridge_protocol as wire
from supervisor.core.vocabulary.url_rules import Places
from supervisor.core.vocabulary.values import BridgeMode

from .dialogs import Bridged


class Side(Struct, frozen=True, kw_only=True):
    """The bridge in one session."""

    script_id: page.ScriptIdentifier | None = None
    modals: bool | None = None
    """Whether the element that embeds the session's frame lets it show dialogs; None: not known (yet)."""
    is_asking: bool = False


class Asked(Struct, frozen=True, kw_only=True):
    """A page's request that is to become a dialog."""

    session_id: str
    frame_id: str
    ask: wire.Ask
    way: Bridged


class Bridge(Struct, frozen=True, kw_only=True):
    """What is known of the bridge, for the whole browser and for each session."""

    mode: BridgeMode = "never"
    bypasses_csp: bool = False
    script: str = ""
    secret: str = ""
    is_armed: bool = False
    reason: str = ""
    hits: int = 0
    """How many dialogs in a row somebody else has answered at once."""
    sides: Mapping[str, Side] = {}
    waiting: tuple[Asked, ...] = ()
    """Requests that cannot be judged yet."""
    asked: tuple[Asked, ...] = ()
    """Those that become a dialog in this step."""
    native: tuple[str, ...] = ()
    """Origins in which a page's own function was called although the bridge is armed."""
    refused: int = 0
    """Requests that matched and were none of ours."""
    ending: Mapping[str, frozenset[str]] = {}
    """The calls that end the bridge, and the sessions that still have to take the script back."""


class Wish(Struct, frozen=True):
    """What requests are held for."""

    bridge: bool = False
    http_auth: bool = False
    places: bool = False


class Refusal(Struct, frozen=True, kw_only=True):
    """A document that a frame did not get."""

    frame_id: str
    place: str
    """As people may read it: without path and query."""
    why: str


class Fetching(Struct, frozen=True, kw_only=True):
    """What is wanted besides the bridge, and what each session has been told."""

    http_auth: bool = False
    places: tuple[Places, ...] = ()
    """Each of them has to let a document pass."""
    told: Mapping[str, Wish] = {}
    last: Refusal | None = None
    refusals: int = 0
    """How many there ever were."""
