"""`Input`: an event, a reply, a timer, a caller's request. A closed union of frozen values (past tense)."""

# pyright: reportDeprecated=false
# The download events of the Browser domain need `Browser.setDownloadBehavior`, which overrides other clients.

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cdp_typed.protocol import browser, debugger, fed_cm, fetch, inspector, log, network, page, runtime, target

from .command_tags import Tag
from .requests import CallAbandoned, Request
from .timers import Timer
from .url_rules import UrlRules

CdpEvent: TypeAlias = (
    target.AttachedToTarget
    | target.DetachedFromTarget
    | inspector.TargetCrashed
    | inspector.TargetReloadedAfterCrash
    | page.FrameAttached
    | page.FrameNavigated
    | page.NavigatedWithinDocument
    | page.FrameDetached
    | page.FrameStartedNavigating
    | page.FrameStartedLoading
    | page.FrameStoppedLoading
    | page.LifecycleEvent
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
    | browser.DownloadProgress
    | debugger.Paused
    | debugger.Resumed
    | fetch.RequestPaused
    | fetch.AuthRequired
    | fed_cm.DialogShown
    | fed_cm.DialogClosed
    | network.RequestWillBeSent
    | network.ResponseReceived
    | network.LoadingFinished
    | network.LoadingFailed
)
"""The events that the supervisor listens to."""


class Connected(Struct, frozen=True):
    """The connection to the browser is open, for the first time or again."""

    browser_id: str | None = None
    """The browser's id in the websocket URL, if that has one."""


class PersonAsked(Struct, frozen=True):
    """A person has to allow the first connection: the browser asks, or asks for another program first."""

    reason: str


class ConnectFailed(Struct, frozen=True):
    """An attempt to open a lost connection again failed."""

    reason: str
    is_final: bool = False
    """A later attempt would fail the same way."""
    retry_after_s: float | None = None
    """The value of the server's `Retry-After` header in seconds, if it sent one."""


class Disconnected(Struct, frozen=True):
    """The connection to the browser ended."""

    reason: str


class EventReceived(Struct, frozen=True):
    """The browser sent an event, on a session or (None) on the browser's own."""

    session_id: str | None
    event: CdpEvent


class CommandSucceeded(Struct, frozen=True):
    """A command succeeded."""

    tag: Tag
    result: Any


class CommandFailed(Struct, frozen=True):
    """A command failed: refused by the browser, timed out, or not sent."""

    tag: Tag
    error: Exception


class TimerFired(Struct, frozen=True):
    """A timer ran out."""

    timer: Timer


class UrlRulesAdded(Struct, frozen=True):
    """A caller added URL rules for pages and frames."""

    url_rules: UrlRules


class AllAnnounced(Struct, frozen=True):
    """The browser has announced every page that existed at the connection; `step` feeds this itself."""


class StopRequested(Struct, frozen=True):
    """The supervisor is to stop. Open dialogs are not answered."""

    reason: Literal["stopped"] = "stopped"


Input: TypeAlias = (
    Connected
    | PersonAsked
    | ConnectFailed
    | Disconnected
    | EventReceived
    | CommandSucceeded
    | CommandFailed
    | TimerFired
    | Request
    | CallAbandoned
    | UrlRulesAdded
    | AllAnnounced
    | StopRequested
)
