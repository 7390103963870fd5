"""`Tag`: marks a command, and comes back with its outcome. A closed union of frozen values."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class BrowserAutoAttach(Struct, frozen=True):
    """Tag of the browser-level `Target.setAutoAttach`."""


class BrowserIdentity(Struct, frozen=True):
    """Tag of the `Target.getTargets` that shows whether a reconnected browser is the one of before."""


class FirstPage(Struct, frozen=True):
    """Tag of the `Target.createTarget` for a browser without a page."""


class WorkerReleased(Struct, frozen=True):
    """Tag of the `Runtime.runIfWaitingForDebugger` for a worker, which is followed by a detach."""

    session_id: str
    parent_session_id: str | None
    """The session on which it was announced; None for the browser's own."""


class FrameTreeReply(Struct, frozen=True):
    """Tag of a `Page.getFrameTree`."""

    session_id: str


class ChildAutoAttach(Struct, frozen=True):
    """Tag of a session's own `Target.setAutoAttach`. Measured: it is answered after all children are announced."""

    session_id: str


class LogEnabled(Struct, frozen=True):
    """Tag of a session's `Log.enable`, the last command that replays old messages; they come before its reply."""

    session_id: str


class SettingSent(Struct, frozen=True):
    """Tag of a command that changes a setting of a session; its outcome shows if the browser has the capability."""

    session_id: str | None
    """None: the browser's own."""
    capability: str


class RequestAnswered(Struct, frozen=True):
    """Tag of the command for a request that the browser holds. It holds the request for ever when it refuses that."""

    session_id: str | None
    """None: the browser's own."""
    request_id: str


class EmulationSent(Struct, frozen=True):
    """Tag of a command that emulates something in a session, or ends it."""

    session_id: str | None
    """None: the browser's own."""
    setting: str


class InitScriptSent(Struct, frozen=True):
    """Tag of a `Page.addScriptToEvaluateOnNewDocument` for a caller's script."""

    session_id: str
    script_id: str


class DialogAnswer(Struct, frozen=True):
    """Tag of a `Page.handleJavaScriptDialog`."""

    dialog_id: str


class BridgeInstalled(Struct, frozen=True):
    """Tag of the `Page.addScriptToEvaluateOnNewDocument` that installs the bridge in a session."""

    session_id: str


class BridgeRemoved(Struct, frozen=True):
    """Tag of the command that removes the bridge from the session's documents."""

    session_id: str


class BridgeOwner(Struct, frozen=True):
    """Tag of the commands that read the `sandbox` attribute of the iframe element of a session's frame."""

    session_id: str


class BridgeProbed(Struct, frozen=True):
    """Tag of the `Fetch.getResponseBody` that shows whether the request of a dialog of the bridge is still held."""

    dialog_id: str


class BlockerAnswer(Struct, frozen=True):
    """Tag of a command that ends a blocker."""

    call_id: str


class PageDisabled(Struct, frozen=True):
    """Tag of a `Page.disable`, after which a session receives no dialog events."""

    session_id: str


class DetachedDialogWorld(Struct, frozen=True):
    """Tag of the `Page.createIsolatedWorld` in which the dialog of a detached iframe is ended."""

    page_id: str


class DetachedDialogEnded(Struct, frozen=True):
    """Tag of the `Runtime.evaluate` that ends the dialog of a detached iframe."""

    page_id: str


class BlankBeforeClose(Struct, frozen=True):
    """Tag of the `Page.navigate` to `about:blank` that comes before a page is closed."""

    page_id: str


class NavigationReply(Struct, frozen=True):
    """Tag of a command that navigates, reloads or closes a page."""

    call_id: str


class OwnContext(Struct, frozen=True):
    """Tag of the `Target.createBrowserContext` for the supervisor's own context."""


class ContextMade(Struct, frozen=True):
    """Tag of the `Target.createBrowserContext` for a caller's page."""

    call_id: str


class PageCreated(Struct, frozen=True):
    """Tag of a caller's `Target.createTarget`."""

    call_id: str


class PageSought(Struct, frozen=True):
    """Tag of the `Target.getTargetInfo` for a page that a person gives."""

    call_id: str


class PageGiven(Struct, frozen=True):
    """Tag of the `Target.attachToTarget` for a page that a person gives."""

    call_id: str


class PageClosed(Struct, frozen=True):
    """Tag of a command that closes a page, or disposes of the browser context, that the supervisor opened."""

    closed_id: str


class DownloadsAsked(Struct, frozen=True):
    """Tag of the `Browser.setDownloadBehavior` that asks a browser of our own for its events of downloads."""


class HangProbe(Struct, frozen=True):
    """Tag of a `Runtime.evaluate` that any page answers at once, unless a script or a dialog blocks it."""

    session_id: str


class PrintPreviewSearch(Struct, frozen=True):
    """Tag of the `Target.getTargets` that may show a print preview, which would stop this session."""

    session_id: str


class PrintPreviewAttached(Struct, frozen=True):
    """Tag of the `Target.attachToTarget` to a print preview that may stop this session."""

    session_id: str


class PromiseProbe(Struct, frozen=True):
    """Tag of a `Runtime.evaluate` that awaits a promise: it is not answered during `window.print()`."""

    session_id: str
    preview_session_id: str


class CallReply(Struct, frozen=True):
    """Tag of a caller's command."""

    call_id: str


class CallValue(Struct, frozen=True):
    """Tag of the `Runtime.callFunctionOn` that reads the value of a caller's expression."""

    call_id: str


Tag: TypeAlias = (
    BrowserAutoAttach
    | BrowserIdentity
    | FirstPage
    | WorkerReleased
    | FrameTreeReply
    | ChildAutoAttach
    | LogEnabled
    | SettingSent
    | RequestAnswered
    | EmulationSent
    | InitScriptSent
    | DialogAnswer
    | BridgeInstalled
    | BridgeRemoved
    | BridgeOwner
    | BridgeProbed
    | BlockerAnswer
    | PageDisabled
    | DetachedDialogWorld
    | DetachedDialogEnded
    | BlankBeforeClose
    | NavigationReply
    | OwnContext
    | ContextMade
    | PageCreated
    | PageSought
    | PageGiven
    | PageClosed
    | DownloadsAsked
    | HangProbe
    | PrintPreviewSearch
    | PrintPreviewAttached
    | PromiseProbe
    | CallReply
    | CallValue
)
"""The purpose of a command."""
