"""What commands were sent for, as a closed union of frozen values that come back with the outcome."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class AutoAttach(Struct, frozen=True):
    """Tag of the browser-level `Target.setAutoAttach`."""


class Census(Struct, frozen=True):
    """Tag of the `Target.getTargets` that tells whether this is the browser that we know."""


class FirstPage(Struct, frozen=True):
    """Tag of the `Target.createTarget` for a browser without a page."""


class WorkerReleased(Struct, frozen=True):
    """Tag of the `Runtime.runIfWaitingForDebugger` for a worker, after which it is detached from."""

    session_id: str
    parent_session_id: str | None
    """The session on which it was announced; None for the browser's own."""


class SeedTree(Struct, frozen=True):
    """Tag of a `Page.getFrameTree`."""

    session_id: str


class SeedChildren(Struct, frozen=True):
    """Tag of a session's own `Target.setAutoAttach`; measured: it is answered after every child was announced."""

    session_id: str


class SeedConsole(Struct, frozen=True):
    """Tag of a session's `Log.enable`, the last command that brings old messages; they come before its answer."""

    session_id: str


class SettingSent(Struct, frozen=True):
    """Tag of a command that switches something on in a session, and shows whether the browser can do it."""

    session_id: str
    capability: str


class DialogAnswer(Struct, frozen=True):
    """Tag of a `Page.handleJavaScriptDialog`."""

    dialog_id: str


class BridgeInstalled(Struct, frozen=True):
    """Tag of the `Page.addScriptToEvaluateOnNewDocument` that brings the bridge into a session."""

    session_id: str


class BridgeTakenBack(Struct, frozen=True):
    """Tag of the command that takes it out of the session's documents."""

    session_id: str


class BridgeOwner(Struct, frozen=True):
    """Tag of the commands that ask how a session's frame is embedded."""

    session_id: str


class BridgeProbed(Struct, frozen=True):
    """Tag of the question whether a dialog of the bridge still waits."""

    dialog_id: str


class BlockerAnswer(Struct, frozen=True):
    """Tag of a command that ends a blocker."""

    call_id: str


class WatchEnded(Struct, frozen=True):
    """Tag of a `Page.disable`, after which the browser tells a session nothing of dialogs."""

    session_id: str


class OrphanWorld(Struct, frozen=True):
    """Tag of the `Page.createIsolatedWorld` from which a page is rid of a dialog whose iframe is gone."""

    page_id: str


class OrphanCleared(Struct, frozen=True):
    """Tag of the `Runtime.evaluate` that rids a page of a dialog whose iframe is gone."""

    page_id: str


class LeftBeforeClose(Struct, frozen=True):
    """Tag of the `Page.navigate` to `about:blank` that comes before a page is closed."""

    page_id: str


class LeaveReply(Struct, frozen=True):
    """Tag of a command that leaves or closes a page."""

    call_id: str


class OwnContext(Struct, frozen=True):
    """Tag of the `Target.createBrowserContext` for a context of our own."""


class PageCreated(Struct, frozen=True):
    """Tag of a caller's `Target.createTarget`."""

    call_id: str


class PageClosed(Struct, frozen=True):
    """Tag of what closes, at the end, what we opened: a page or a browser context."""

    closed_id: str


class HangProbe(Struct, frozen=True):
    """Tag of a `Runtime.evaluate` that any page answers at once, unless its scripts stand still."""

    session_id: str


class CallReply(Struct, frozen=True):
    """Tag of a caller's command."""

    call_id: str


class CallValue(Struct, frozen=True):
    """Tag of the `Runtime.callFunctionOn` that asks for the value of what a caller's expression came to."""

    call_id: str


Tag: TypeAlias = (
    AutoAttach
    | Census
    | FirstPage
    | WorkerReleased
    | SeedTree
    | SeedChildren
    | SeedConsole
    | SettingSent
    | DialogAnswer
    | BridgeInstalled
    | BridgeTakenBack
    | BridgeOwner
    | BridgeProbed
    | BlockerAnswer
    | WatchEnded
    | OrphanWorld
    | OrphanCleared
    | LeftBeforeClose
    | LeaveReply
    | OwnContext
    | PageCreated
    | PageClosed
    | HangProbe
    | CallReply
    | CallValue
)
"""What a command was sent for; comes back with its outcome."""
