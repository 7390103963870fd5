"""What can happen to a supervisor, as a closed union of frozen values (past tense)."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.protocol import browser, debugger, fetch, inspector, log, network, page, runtime, target

from .values import DialogAction, DialogRule


class AutoAttach(Struct, frozen=True):
    """Tag of the browser-level `Target.setAutoAttach`."""


class Census(Struct, frozen=True):
    """Tag of the `Target.getTargets` that tells whether this is the browser that we know."""


class FirstPage(Struct, frozen=True):
    """Tag of the `Target.createTarget` for a browser without a page."""


class SeedTree(Struct, frozen=True):
    """Tag of a `Page.getFrameTree`."""

    session_id: str


class SeedChildren(Struct, frozen=True):
    """Tag of a session's own `Target.setAutoAttach`; measured: it is answered after every child was announced."""

    session_id: str


class SeedConsole(Struct, frozen=True):
    """Tag of a session's `Log.enable`, the last command that brings old messages; they come before its answer."""

    session_id: str


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


class LeaveReply(Struct, frozen=True):
    """Tag of a command that leaves or closes a page."""

    call_id: str


class OwnContext(Struct, frozen=True):
    """Tag of the `Target.createBrowserContext` for a context of our own."""


class PageCreated(Struct, frozen=True):
    """Tag of a caller's `Target.createTarget`."""

    call_id: str


class PageStarted(Struct, frozen=True):
    """Tag of the `Page.navigate` that takes a caller's new page to its URL."""

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


Tag: TypeAlias = (
    AutoAttach
    | Census
    | FirstPage
    | SeedTree
    | SeedChildren
    | SeedConsole
    | DialogAnswer
    | BridgeInstalled
    | BridgeTakenBack
    | BridgeOwner
    | BridgeProbed
    | BlockerAnswer
    | WatchEnded
    | OrphanWorld
    | OrphanCleared
    | LeaveReply
    | OwnContext
    | PageCreated
    | PageStarted
    | PageClosed
    | HangProbe
    | CallReply
)
"""What a command was sent for; comes back with its outcome."""


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


class HangCheck(Struct, frozen=True):
    """Asks whether the page of a call that takes long answers others."""

    call_id: str


class HangDeadline(Struct, frozen=True):
    """Declares a session unresponsive that did not answer a `HangProbe`."""

    session_id: str


class SeedDeadline(Struct, frozen=True):
    """Declares a session unresponsive that did not answer when it was attached."""

    session_id: str


class SeedRetry(Struct, frozen=True):
    """Asks a session again that refused to tell its frames."""

    session_id: str


class LeaveDeadline(Struct, frozen=True):
    """Ends a caller's wish to leave or close a page."""

    call_id: str


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
    | HangCheck
    | HangDeadline
    | SeedRetry
    | LeaveDeadline
    | LeaveRetry
    | OrphanRetry
)

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
    | browser.DownloadWillBegin
    | browser.DownloadProgress
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


AnchorEvent: TypeAlias = (
    target.AttachedToTarget
    | target.DetachedFromTarget
    | page.FrameDetached
    | page.JavascriptDialogOpening
    | page.JavascriptDialogClosed
)
"""The events that the anchor listens to."""


class AnchorUp(Struct, frozen=True):
    """The anchor's connection is open."""

    browser_id: str | None


class AnchorLost(Struct, frozen=True):
    """The anchor's connection ended, or could not be opened."""

    is_final: bool = False
    """A later try would fare no better."""


class AnchorHeard(Struct, frozen=True):
    """The browser sent the anchor an event."""

    session_id: str | None
    event: AnchorEvent


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


class Evaluate(Struct, frozen=True, kw_only=True):
    """A caller's expression, to be run in a frame's own document."""

    expression: str
    await_promise: bool = True


class CallRequested(Struct, frozen=True, kw_only=True):
    """A caller wants an expression or a command run in a frame (None: the current page's top frame)."""

    call_id: str
    work: Evaluate | Command[Any]
    frame_id: str | None
    timeout_s: float


class AnswerRequested(Struct, frozen=True, kw_only=True):
    """A caller answers a dialog (None: the only one that is open)."""

    call_id: str
    action: DialogAction
    prompt_text: str | None
    dialog_id: str | None


class ChooseFiles(Struct, frozen=True):
    """Give a file chooser these files (absolute paths on the browser's machine)."""

    paths: tuple[str, ...]


class CancelDownload(Struct, frozen=True):
    """Stop a download."""


class ResumeScript(Struct, frozen=True):
    """Let a script go on that stands at a `debugger` statement or a breakpoint."""


class LogIn(Struct, frozen=True):
    """Give a server the name and the password that it asks for."""

    username: str
    password: str

    def __repr__(self) -> str:
        return "<LogIn>"


class CancelLogIn(Struct, frozen=True):
    """Give a server none: the page gets its refusal (401, or 407 of a proxy)."""


class UnblockRequested(Struct, frozen=True, kw_only=True):
    """A caller ends a blocker (None: the only one of the kind that the work is for)."""

    call_id: str
    blocker_id: str | None
    work: ChooseFiles | CancelDownload | ResumeScript | LogIn | CancelLogIn


class ReloadPage(Struct, frozen=True):
    """A caller's work: `Page.reload`."""


class NavigatePage(Struct, frozen=True):
    """A caller's work: `Page.navigate`."""

    url: str


class ClosePage(Struct, frozen=True):
    """A caller's work: `Target.closeTarget`."""


class LeaveRequested(Struct, frozen=True, kw_only=True):
    """A caller leaves or closes a page (None: the current one)."""

    call_id: str
    page_id: str | None
    work: ReloadPage | NavigatePage | ClosePage
    timeout_s: float


class RuleArmed(Struct, frozen=True, kw_only=True):
    """A caller has dialogs answered before they open."""

    call_id: str
    rule: DialogRule


class RuleDisarmed(Struct, frozen=True, kw_only=True):
    """A caller takes a rule back."""

    call_id: str
    rule_id: str


class OpenRequested(Struct, frozen=True, kw_only=True):
    """A caller wants a new page."""

    call_id: str
    url: str
    background: bool
    select: bool


class SelectRequested(Struct, frozen=True):
    """A caller chooses the current page."""

    call_id: str
    target_id: str


class BridgeEnding(Struct, frozen=True):
    """The supervisor wants to stop, and the pages to have their own functions back before."""

    call_id: str


class CallAbandoned(Struct, frozen=True):
    """The caller does not wait for its call any more; the browser may run it all the same."""

    call_id: str


class StopRequested(Struct, frozen=True):
    """The supervisor is to end; nothing is answered or closed on the way out."""

    reason: Literal["stopped"] = "stopped"


Request: TypeAlias = (
    CallRequested
    | AnswerRequested
    | UnblockRequested
    | LeaveRequested
    | RuleArmed
    | RuleDisarmed
    | OpenRequested
    | SelectRequested
    | BridgeEnding
)
"""What callers ask; each has a `call_id` under which the outcome is told."""

Input: TypeAlias = (
    LinkUp
    | DialFailed
    | LinkLost
    | AnchorUp
    | AnchorLost
    | AnchorHeard
    | EventReceived
    | Answered
    | Refused
    | TimerFired
    | CallRequested
    | AnswerRequested
    | UnblockRequested
    | LeaveRequested
    | RuleArmed
    | RuleDisarmed
    | OpenRequested
    | SelectRequested
    | BridgeEnding
    | CallAbandoned
    | StopRequested
)
