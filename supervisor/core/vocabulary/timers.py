"""What timers do when they run out, as a closed union of frozen values."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class DialogWatchdog(Struct, frozen=True):
    """Dismisses a dialog that nobody answered."""

    dialog_id: str


class BridgeProbe(Struct, frozen=True):
    """Asks whether a dialog of the bridge still waits, after something happened to its frame."""

    dialog_id: str


class AnswerRetry(Struct, frozen=True):
    """Sends an answer again that came while the page was being replaced."""

    dialog_id: str


class StormCalm(Struct, frozen=True):
    """Ends a storm of dialogs when a page has been quiet for long enough."""

    target_id: str


class CallDeadline(Struct, frozen=True):
    """Ends a caller's call."""

    call_id: str


class AnnounceDeadline(Struct, frozen=True):
    """Ends the wait for pages that the browser listed and does not announce."""

    epoch: int
    """Of the connection on which it listed them."""


class HangCheck(Struct, frozen=True):
    """Asks whether the page of a call that takes long answers others."""

    call_id: str


class HangDeadline(Struct, frozen=True):
    """Declares a session unresponsive that did not answer a `HangProbe`."""

    session_id: str


class SeedDeadline(Struct, frozen=True):
    """Declares a session unresponsive that did not answer when it was attached."""

    session_id: str


class PopupRelease(Struct, frozen=True):
    """Lets a popup run that was left to whoever else may hold it."""

    session_id: str


class SeedRetry(Struct, frozen=True):
    """Asks a session again that refused to tell its frames."""

    session_id: str


class FrameMoveDeadline(Struct, frozen=True):
    """Takes a frame for gone that left one process and came to no other."""

    frame_id: str


class LeaveDeadline(Struct, frozen=True):
    """Ends a caller's wish to leave or close a page."""

    call_id: str


class LeaveBeforeCloseDeadline(Struct, frozen=True):
    """Ends the wait for `about:blank` in a page that is about to be closed."""

    page_id: str


class LeaveRetry(Struct, frozen=True):
    """Sends a command again that came while the page was being replaced."""

    call_id: str


class OrphanRetry(Struct, frozen=True):
    """Tries again to rid a page of a dialog whose iframe is gone."""

    page_id: str


Timer: TypeAlias = (
    DialogWatchdog
    | BridgeProbe
    | AnswerRetry
    | StormCalm
    | CallDeadline
    | SeedDeadline
    | AnnounceDeadline
    | HangCheck
    | HangDeadline
    | PopupRelease
    | SeedRetry
    | FrameMoveDeadline
    | LeaveDeadline
    | LeaveBeforeCloseDeadline
    | LeaveRetry
    | OrphanRetry
)
