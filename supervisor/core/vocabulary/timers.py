"""`Timer`: the purpose and the key of a timer. A closed union of frozen values."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class DialogWatchdog(Struct, frozen=True):
    """Dismisses a dialog that was not answered in time."""

    dialog_id: str


class BridgeProbe(Struct, frozen=True):
    """Checks that the request of a dialog of the bridge is still held."""

    dialog_id: str


class AnswerRetry(Struct, frozen=True):
    """Sends an answer again that was refused while the document was being replaced."""

    dialog_id: str


class RateLimitReset(Struct, frozen=True):
    """Resets the dialog rate of a page that has opened no dialog for the length of the window."""

    target_id: str


class CallDeadline(Struct, frozen=True):
    """Ends a caller's call with `CallTimeout`."""

    call_id: str


class AnnounceDeadline(Struct, frozen=True):
    """Ends the wait for pages that the browser has listed and not announced."""

    epoch: int
    """Of the connection on which it listed them."""


class HangCheck(Struct, frozen=True):
    """Sends a `HangProbe` to the page of a call that takes long."""

    call_id: str


class HangDeadline(Struct, frozen=True):
    """Marks a session unresponsive that did not answer a `HangProbe`."""

    session_id: str


class SetupDeadline(Struct, frozen=True):
    """Marks a session unresponsive that did not answer its set-up commands."""

    session_id: str


class PopupRelease(Struct, frozen=True):
    """Lets a popup run that was held for another client that may set it up."""

    session_id: str


class FrameTreeRetry(Struct, frozen=True):
    """Sends `Page.getFrameTree` again to a session that refused it."""

    session_id: str


class FrameMoveDeadline(Struct, frozen=True):
    """Removes a frame that left one process and was not announced in another."""

    frame_id: str


class UnloadedFramesCheck(Struct, frozen=True):
    """Asks a session for its frame tree when frames were attached there that show no document."""

    session_id: str


class NavigationDeadline(Struct, frozen=True):
    """Ends a caller's navigation, reload or close of a page with `CallTimeout`."""

    call_id: str


class BlankBeforeCloseDeadline(Struct, frozen=True):
    """Ends the wait for `about:blank` in a page that is to be closed."""

    page_id: str


class NavigationRetry(Struct, frozen=True):
    """Sends a reload, navigation or `Target.closeTarget` again."""

    call_id: str


class DetachedDialogRetry(Struct, frozen=True):
    """Tries again to end the dialog of a detached iframe."""

    page_id: str


class RouteDelay(Struct, frozen=True):
    """Ends the delay of a request that a route holds."""

    session_id: str
    request_id: str


Timer: TypeAlias = (
    DialogWatchdog
    | BridgeProbe
    | AnswerRetry
    | RateLimitReset
    | CallDeadline
    | SetupDeadline
    | AnnounceDeadline
    | HangCheck
    | HangDeadline
    | PopupRelease
    | FrameTreeRetry
    | FrameMoveDeadline
    | UnloadedFramesCheck
    | NavigationDeadline
    | BlankBeforeCloseDeadline
    | NavigationRetry
    | DetachedDialogRetry
    | RouteDelay
)
