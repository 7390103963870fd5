"""The errors of a supervisor. They are values: two errors of one class with the same arguments are equal.

    SupervisorError
    |-- InvalidConfig             a setting has a value that is not allowed
    |-- NotRunning                not started, stopped, or the browser is gone
    |   |-- BrowserReplaced       another browser answers at the address
    |   `-- WaitingForPerson      a person has to allow the connection first
    |-- UnsupportedByBrowser      the browser cannot do what is needed; names the command
    |-- DialogError
    |   |-- NoDialogOpen          there is nothing to answer
    |   |-- UnknownDialog         no open dialog has that id
    |   |-- AmbiguousDialog       several are open and no id was given
    |   |-- DialogAlreadyClosed   it was closed by another answer; carries the record
    |   |-- DialogBeingAnswered   an answer is on its way
    |   |-- DialogUnanswerable    the browser takes no answer for it any more
    |   |-- AnswerTimeout         the browser did not confirm the answer in time
    |   `-- UnknownRule           no dialog rule that waits has that id
    |-- UnknownBlocker            no blocker has that id, or none of that kind exists
    |-- AmbiguousBlocker          several of a kind are there and no id was given
    `-- CallError
        |-- BlockedByDialog       a dialog stops the call; carries it
        |-- PausedByDebugger      a script is paused at a breakpoint; carries the blocker
        |-- BlockedByPrintPreview window.print() waits for its preview; carries the blocker
        |-- LoginRequired         a server asks for a name and a password; carries the blocker
        |-- UnknownFrame          no frame has that id
        |-- FrameGone             the frame went away before or during the call
        |-- NotForOneFrame        the command means a whole page, and was asked for one frame of it
        |-- UnknownPage           no page has that id
        |-- NoPage                the browser has no page to run it in
        |-- NavigationFailed      the browser did not leave the page; also a `cdp_typed.NavigationFailed`
        |-- NavigationInterrupted the document was replaced during the call
        |-- EvaluationFailed      the expression threw
        |-- Terminated            the script was stopped by `terminate`
        |-- ControlledByPerson    a person has taken over, and did not give it back within the deadline
        |-- CallLost              the connection ended during the call; also a `ConnectionLost`
        `-- CallTimeout           no answer within the call's deadline

`CallError.maybe_executed` is True when the browser may have run the call: repeat it only if that does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from cdp_typed.errors import CDPError, ConnectionLost
from cdp_typed.errors import NavigationFailed as PageNotLoaded
from cdp_typed.printable import visible
from cdp_typed.spelling import did_you_mean

from .values import Blocker, DialogRecord, PendingDialog

TimeoutCause: TypeAlias = Literal["away", "not_loaded", "slow", "unresponsive"]


class SupervisorError(CDPError):
    """The root of what a supervisor raises."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__ and str(self) == str(other)

    def __hash__(self) -> int:
        return hash((type(self), str(self)))


class InvalidConfig(SupervisorError):
    """A setting has a value that is not allowed; the message names the key, the value and what is allowed."""

    def __init__(self, key: str, value: object, allowed: str) -> None:
        super().__init__(f"{key}={value!r} is not allowed; expected {allowed}")
        self.key = key
        self.value = value
        self.allowed = allowed

    @classmethod
    def not_one_of(cls, key: str, value: object, choices: Iterable[str], others: Iterable[str] = ()) -> InvalidConfig:
        """Return the error for a value that is none of these choices. It names the one that was probably meant, which
        may also be one of the `others`, too many to list."""
        listed = list(choices)
        return cls(key, value, f"one of {', '.join(listed)}{did_you_mean(str(value), [*listed, *others], 1)}")


class NotRunning(SupervisorError):
    """The supervisor cannot take calls: not started, stopped, or its browser is gone."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the supervisor is not running: {reason}")
        self.reason = reason


class BrowserReplaced(NotRunning):
    """The connection came back, but to another browser: none of the pages, frames and dialogs known are in it.

    A new supervisor has to be started for it; this one touches nothing there.
    """

    def __init__(self) -> None:
        super().__init__("another browser answers at the address; start a new supervisor for it")


class WaitingForPerson(NotRunning):
    """A person has to allow the connection, and has not answered yet; nothing was done.

    The question stays open, and the next call joins it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.args: tuple[object, ...] = (f"{reason}, and call again",)


NO_PAGES = "it opens no pages by command; supervise the page that is there (scope 'browser' or 'tab')"


class UnsupportedByBrowser(SupervisorError):
    """The browser cannot do what is needed; `method` is the command that it refuses or does not carry out."""

    def __init__(self, method: str, why: str) -> None:
        super().__init__(f"this browser does not support {method}: {why}")
        self.method = method
        self.why = why


class DialogError(SupervisorError):
    """An answer could not be given."""


class NoDialogOpen(DialogError):
    """There is nothing to answer."""

    def __init__(self) -> None:
        super().__init__("no dialog is open")


class UnknownDialog(DialogError):
    """No open dialog has that id."""

    def __init__(self, dialog_id: str, open_ids: tuple[str, ...]) -> None:
        super().__init__(f"dialog {dialog_id!r} is not open; open: {', '.join(open_ids) or 'none'}")
        self.dialog_id = dialog_id
        self.open_ids = open_ids


class AmbiguousDialog(DialogError):
    """Several dialogs are open and none was named."""

    def __init__(self, open_ids: tuple[str, ...]) -> None:
        super().__init__(f"several dialogs are open; say which: {', '.join(open_ids)}")
        self.open_ids = open_ids


class DialogAlreadyClosed(DialogError):
    """Another client, a policy or the watchdog closed the dialog first; `record` has the details."""

    def __init__(self, record: DialogRecord) -> None:
        how = "accepted" if record.accepted else "dismissed"
        super().__init__(f"dialog {record.id!r} is already closed: {how} by {record.closed_by}")
        self.record = record


class DialogBeingAnswered(DialogError):
    """An answer to this dialog is on its way."""

    def __init__(self, dialog_id: str, by: str) -> None:
        super().__init__(f"dialog {dialog_id!r} is being answered by {by}")
        self.dialog_id = dialog_id
        self.by = by


class DialogUnanswerable(DialogError):
    """The browser takes no answer for this dialog any more."""

    def __init__(self, dialog: PendingDialog) -> None:
        super().__init__(
            f"the browser takes no answer for dialog {dialog.id!r} any more; the ways out are patience, reload_page, "
            f"navigate and close_page{f' ({dialog.note})' if dialog.note else ''}"
        )
        self.dialog = dialog


class AnswerTimeout(DialogError):
    """The browser did not confirm the answer in time; the answer can be given again."""

    def __init__(self, dialog_id: str, timeout_s: float) -> None:
        super().__init__(
            f"the browser did not confirm the answer to dialog {dialog_id!r} within {timeout_s:g} s; if it answers "
            "nothing else either, it shows its own box (QtWebEngine does), which a person has to close: the "
            "setting dialog_bridge='always' prevents that"
        )
        self.dialog_id = dialog_id


class UnknownBlocker(SupervisorError):
    """No blocker has that id, or none of that kind exists."""

    def __init__(self, wanted: str, open_ids: tuple[str, ...]) -> None:
        super().__init__(f"{wanted}: no such blocker; there are: {', '.join(open_ids) or 'none'}")
        self.wanted = wanted
        self.open_ids = open_ids


class AmbiguousBlocker(SupervisorError):
    """Several blockers of a kind are there and none was named."""

    def __init__(self, kind: str, open_ids: tuple[str, ...]) -> None:
        super().__init__(f"several of the kind {kind!r}; say which: {', '.join(open_ids)}")
        self.kind = kind
        self.open_ids = open_ids


class UnknownRule(DialogError):
    """No dialog rule that waits has that id: it was never armed, is used up, has expired, or was disarmed."""

    def __init__(self, rule_id: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no dialog rule {rule_id!r} waits; waiting: {', '.join(known) or 'none'}")
        self.rule_id = rule_id
        self.known = known


class UnknownRoute(SupervisorError):
    """No route has that id: it was never added, or was removed."""

    def __init__(self, route_id: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no route {route_id!r} exists; routes: {', '.join(known) or 'none'}")
        self.route_id = route_id
        self.known = known


class UnknownInitScript(SupervisorError):
    """No script for new documents has that id: it was never added, or was removed."""

    def __init__(self, script_id: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no script {script_id!r} exists; scripts: {', '.join(known) or 'none'}")
        self.script_id = script_id
        self.known = known


class CallError(SupervisorError):
    """A call into a page ended without a result."""

    def __init__(self, message: str, *, maybe_executed: bool) -> None:
        super().__init__(message)
        self.maybe_executed = maybe_executed


class BlockedByDialog(CallError):
    """A dialog blocks the page's JavaScript; answer it, then repeat the call if it was not executed."""

    def __init__(self, dialog: PendingDialog, *, maybe_executed: bool) -> None:
        wait = "the browser takes no answer for it; reload_page, navigate or close_page is the way out"
        way_out = "answer it with respond_to_dialog" if dialog.answerable else wait
        super().__init__(
            f"{dialog.type} dialog {dialog.id!r} is open and blocks the page; {way_out}",
            maybe_executed=maybe_executed,
        )
        self.dialog = dialog


class PausedByDebugger(CallError):
    """The call ran into a `debugger` statement or a breakpoint, or waits for a script that did; resume it."""

    def __init__(self, blocker: Blocker, *, maybe_executed: bool) -> None:
        super().__init__(
            f"a script is paused ({blocker.id!r}) and blocks the page; let it go on with resume_script",
            maybe_executed=maybe_executed,
        )
        self.blocker = blocker


class BlockedByPrintPreview(CallError):
    """`window.print()` shows a print preview, and the page's script waits until it is closed."""

    def __init__(self, blocker: Blocker, *, maybe_executed: bool) -> None:
        super().__init__(
            f"a print preview ({blocker.id!r}) is open and blocks the page; close it with cancel_print",
            maybe_executed=maybe_executed,
        )
        self.blocker = blocker


class LoginRequired(CallError):
    """The navigation waits for a name and a password; it goes on when they are given, or the login is canceled."""

    def __init__(self, blocker: Blocker, *, maybe_executed: bool) -> None:
        super().__init__(
            f"a server asks for a name and a password ({blocker.id!r}) before the page loads; give them with "
            "answer_auth, or refuse with cancel_auth",
            maybe_executed=maybe_executed,
        )
        self.blocker = blocker


class UnknownFrame(CallError):
    """No frame has that id."""

    def __init__(self, frame_id: str) -> None:
        super().__init__(f"no frame has the id {frame_id!r}", maybe_executed=False)
        self.frame_id = frame_id


class FrameGone(CallError):
    """The frame, or the page it was in, went away before or during the call."""

    def __init__(self, frame_id: str, *, maybe_executed: bool, why: str = "it was removed") -> None:
        super().__init__(f"frame {frame_id!r} is gone: {why}", maybe_executed=maybe_executed)
        self.frame_id = frame_id
        self.why = why


class NotForOneFrame(CallError):
    """The command means a whole page, and was asked for one frame that shares its process with others."""

    def __init__(self, method: str, frame_id: str) -> None:
        super().__init__(
            f"{method} means the whole page and cannot be sent to frame {frame_id!r} alone; leave frame_id out, or use "
            "a command that names a frame, a script context or an object",
            maybe_executed=False,
        )
        self.method = method
        self.frame_id = frame_id


class NoPage(CallError):
    """The browser has no page to run the call in."""

    def __init__(self) -> None:
        super().__init__("the browser has no open page", maybe_executed=False)


class UnknownPage(CallError):
    """No page has that id."""

    def __init__(self, page_id: str) -> None:
        super().__init__(f"no page has the id {page_id!r}", maybe_executed=False)
        self.page_id = page_id


class NavigationFailed(CallError, PageNotLoaded):
    """The browser did not leave the page for `url`; `error_text` is its own (`net::ERR_ABORTED` for a download, too).

    `except cdp_typed.NavigationFailed` catches it, and what the helpers of `cdp_typed` raise. `url` is the caller's,
    with its query; the text of the exception is without it. `maybe_executed` is False where no server had the request.
    """

    def __init__(self, url: str, error_text: str, *, maybe_executed: bool = True) -> None:
        PageNotLoaded.__init__(self, url, error_text)
        Exception.__init__(self, f"navigation failed: {visible(error_text)}")
        self.maybe_executed = maybe_executed


class NavigationInterrupted(CallError):
    """The document was replaced, or moved to another process, while the call ran; the frame itself is still there."""

    def __init__(self, frame_id: str, *, maybe_executed: bool) -> None:
        again = "look at it before you try again" if maybe_executed else "try again"
        super().__init__(
            f"frame {frame_id!r} navigated during the call; it is still there: {again}", maybe_executed=maybe_executed
        )
        self.frame_id = frame_id


class EvaluationFailed(CallError):
    """The expression threw, its promise was rejected, or it does not compile; `text` is the page's own and untrusted.

    In the text of the exception it is on one line, cut, and without invisible characters.
    """

    def __init__(self, text: str, *, has_run: bool = True) -> None:
        what = "the expression threw" if has_run else "the expression does not compile"
        super().__init__(f"{what}: {visible(text, 2_000)}", maybe_executed=has_run)
        self.text = text


class Terminated(CallError):
    """The script was stopped while it ran (`Runtime.terminateExecution`); what it did until then stays done."""

    def __init__(self, frame_id: str) -> None:
        super().__init__(f"the script in frame {frame_id!r} was stopped", maybe_executed=True)
        self.frame_id = frame_id


class ControlledByPerson(CallError):
    """A person has taken the browser over; nothing was done."""

    def __init__(self, what: str, waited_s: float) -> None:
        super().__init__(
            f"the browser is controlled by a person, who did not give it back within {waited_s:.3g} s: {what} was not "
            "carried out; try again later",
            maybe_executed=False,
        )
        self.what = what
        self.waited_s = waited_s


class CallLost(CallError, ConnectionLost):
    """The connection to the browser ended during the call."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, maybe_executed=True)  # through `CallError` to `ConnectionLost`, which words it


class CallTimeout(CallError):
    """No answer within the call's deadline; the message says what is known to be in the way.

    `cause` is `not_loaded` (the frame has no document to run scripts in), `slow` (the page answered others, or has not
    been seen to hang), `unresponsive` (the page answers nothing: a dialog from before, or a script without end;
    `terminate` tells the two apart, because it ends only the script), or `away` (the connection to the browser was lost
    and has not come back).
    """

    def __init__(self, timeout_s: float, cause: TimeoutCause, why: str, *, maybe_executed: bool) -> None:
        super().__init__(f"no answer within {timeout_s:g} s: {why}", maybe_executed=maybe_executed)
        self.timeout_s = timeout_s
        self.cause = cause
        self.why = why
