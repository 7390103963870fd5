"""What can happen to a supervisor, as a closed union of frozen values (past tense)."""

# pyright: reportDeprecated=false
# Of the download events, those of the Browser domain come only to who overrides what other clients have set.

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cdp_typed.protocol import debugger, fetch, inspector, log, network, page, runtime, target

from .command_tags import Tag
from .requests import CallAbandoned, Request
from .timers import Timer
from .url_rules import Places

CdpEvent: TypeAlias = (
    target.AttachedToTarget
    | target.DetachedFromTarget
    | inspector.TargetCrashed
    | inspector.TargetReloadedAfterCrash
    | page.FrameAttached
    | page.FrameNavigated
    | page.NavigatedWithinDocument
    | page.FrameDetached
    | page.FrameStartedLoading
    | page.FrameStoppedLoading
    | page.JavascriptDialogOpening
    | page.JavascriptDialogClosed
    | runtime.ExecutionContextCreated
    | runtime.ExecutionContextDestroyed
    | runtime.ExecutionContextsCleared
    | runtime.ConsoleAPICalled
    | runtime.ExceptionThrown
    | log.EntryAdded
    | page.FileChooserOpened
    | page.DownloadWillBegin
    | page.DownloadProgress
    | debugger.Paused
    | debugger.Resumed
    | fetch.RequestPaused
    | fetch.AuthRequired
    | network.RequestWillBeSent
    | network.ResponseReceived
    | network.LoadingFinished
    | network.LoadingFailed
)
"""The events that the supervisor listens to."""


class LinkUp(Struct, frozen=True):
    """The connection to the browser is open, for the first time or again."""

    browser_id: str | None = None
    """What names this very browser in the address that was dialled, where something does."""


class DialFailed(Struct, frozen=True):
    """A connection that ended could not be opened again at this try."""

    reason: str
    is_final: bool = False
    """A later try would fare no better."""
    retry_after_s: float | None = None
    """How long the server wants to be left alone, where it said so."""


class LinkLost(Struct, frozen=True):
    """The connection to the browser ended."""

    reason: str


class EventReceived(Struct, frozen=True):
    """The browser sent an event, on a session or (None) on the browser's own."""

    session_id: str | None
    event: CdpEvent


class Answered(Struct, frozen=True):
    """A command succeeded."""

    tag: Tag
    result: Any


class Refused(Struct, frozen=True):
    """A command failed, for whatever reason."""

    tag: Tag
    error: Exception


class TimerFired(Struct, frozen=True):
    """A timer that was armed, and not disarmed, ran out."""

    timer: Timer


class PlacesRestricted(Struct, frozen=True):
    """From now on pages and frames are to go only where this lets them, too."""

    places: Places


class AllAnnounced(Struct, frozen=True):
    """The browser has announced every page that existed when we came; `step` itself concludes it."""


class StopRequested(Struct, frozen=True):
    """The supervisor is to end; nothing is answered or closed on the way out."""

    reason: Literal["stopped"] = "stopped"


Input: TypeAlias = (
    LinkUp
    | DialFailed
    | LinkLost
    | EventReceived
    | Answered
    | Refused
    | TimerFired
    | Request
    | CallAbandoned
    | PlacesRestricted
    | AllAnnounced
    | StopRequested
)
