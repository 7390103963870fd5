"""Slice: blockers besides dialogs: file choosers, downloads, logins, paused scripts, choosers of accounts.

A print preview is found by `print_previews`, a download is followed by `followed_downloads`.
"""

# pyright: reportDeprecated=false
# The download events of the Browser domain need `Browser.setDownloadBehavior`, which overrides other clients.

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError, ConnectionLost, SessionDetached
from cdp_typed.protocol import browser, debugger, dom, fed_cm, fetch, page, runtime
from supervisor.core.state.connection import ConnectionState
from supervisor.core.state.frames import Frames
from supervisor.core.state.observed import BlockerEntry, Blockers
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import CLOSE_PRINT_PREVIEW, NO_SUCH_REQUEST
from supervisor.core.vocabulary.command_tags import BlockerAnswer
from supervisor.core.vocabulary.console_values import exception_text
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.errors import AmbiguousBlocker, EvaluationFailed, NotRunning, UnknownBlocker
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, EventReceived, Input, StopRequested
from supervisor.core.vocabulary.requests import (
    CancelDownload,
    CancelLogIn,
    CancelPrint,
    ChooseFiles,
    LogIn,
    ResumeScript,
    UnblockRequested,
)
from supervisor.core.vocabulary.values import Blocker, BlockerKind

from .blocker_entries import close_entries, open_entry
from .followed_downloads import follow, follow_beyond_tabs, leave_closed_tabs, open_download

ANSWER_TIMEOUT_S = 10.0
"""The timeout of a command that ends a blocker."""

_WORKS_ON: dict[type, BlockerKind] = {
    ChooseFiles: "file_chooser",
    CancelDownload: "download",
    ResumeScript: "debugger",
    LogIn: "http_auth",
    CancelLogIn: "http_auth",
    CancelPrint: "print",
}


class Credentials(fetch.AuthChallengeResponse, frozen=True, kw_only=True):
    """A name and a password that are left out of the `repr`."""

    def __repr__(self) -> str:
        return "<Credentials>"


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Open and close blockers, and send the commands of callers that end one."""
    present = leave_closed_tabs(_close_gone(world.blockers, world.targets, world.frames), world.targets, now)
    blockers, effects = _reduce(present, received, world.connection, world.targets, world.frames, now)
    return replace(world, blockers=blockers), effects


def _reduce(
    blockers: Blockers, received: Input, connection: ConnectionState, targets: Targets, frames: Frames, now: float
) -> tuple[Blockers, Effects]:
    """Open and close blockers, and send the commands of callers. The slices are as after this input."""
    match received:
        case EventReceived(str() as session_id, page.FileChooserOpened() as event):
            return _open_chooser(blockers, session_id, event, targets, frames, now), ()
        case EventReceived(str() as session_id, page.DownloadWillBegin() as event):
            return open_download(blockers, session_id, event, frames, now), ()
        case EventReceived(str(), page.DownloadProgress() as event):
            return follow(blockers, event, now), ()
        case EventReceived(session_id, browser.DownloadProgress() as event):
            return follow_beyond_tabs(blockers, session_id, event, now), ()
        case EventReceived(str() as session_id, debugger.Paused() as event):
            return _pause(blockers, session_id, event, targets, now), ()
        case EventReceived(str() as session_id, debugger.Resumed()):
            return close_entries(
                blockers, lambda each: (each.info.kind, each.info.session_id) == ("debugger", session_id)
            ), ()
        case EventReceived(str() as session_id, fetch.AuthRequired() as event):
            return _ask_for_login(blockers, session_id, event, targets, now), ()
        case EventReceived(str() as session_id, fed_cm.DialogShown() as event):
            return _ask_for_account(blockers, session_id, event, targets, now), ()
        case EventReceived(str() as session_id, fed_cm.DialogClosed(dialog_id=dialog_id)):
            return close_entries(
                blockers, lambda entry: (entry.info.session_id, entry.dialog_id) == (session_id, dialog_id)
            ), ()
        case EventReceived(_, page.FrameNavigated(frame=page.Frame(id=frame_id))):
            # No event announces that a login is over; another document in its frame shows it.
            return close_entries(
                blockers, lambda entry: entry.info.kind == "http_auth" and entry.info.frame_id == frame_id
            ), ()
        case UnblockRequested():
            return _unblock(blockers, received, connection)
        case CommandSucceeded(BlockerAnswer(call_id), result) if call_id in blockers.ending:
            return _on_answer(blockers, call_id, _outcome(result))
        case CommandFailed(BlockerAnswer(call_id), error) if call_id in blockers.ending:
            return _on_answer(blockers, call_id, error)
        case StopRequested():
            return replace(blockers, entries=()), ()
        case _:
            return blockers, ()


def on_disconnected(blockers: Blockers, reason: str) -> tuple[Blockers, Effects]:
    """Remove all blockers: without a connection their end is not announced."""
    completing = tuple(CompleteCall(call_id, ConnectionLost(reason)) for call_id in blockers.ending)
    return replace(blockers, entries=(), ending={}), completing


def _open_chooser(
    blockers: Blockers, session_id: str, event: page.FileChooserOpened, targets: Targets, frames: Frames, now: float
) -> Blockers:
    session, frame = targets.sessions.get(session_id), frames.nodes.get(event.frame_id)
    if session is None:
        return blockers
    info = Blocker(
        id=f"b-{blockers.count + 1}",
        kind="file_chooser",
        target_id=session.page_id,
        frame_id=event.frame_id,
        session_id=session_id,
        url=frame.url if frame else "",
        text="several files" if event.mode == "selectMultiple" else "one file",
        since=now,
        ways_out=("choose_files",),
    )
    replaced = close_entries(
        blockers, lambda entry: entry.info.kind == "file_chooser" and entry.info.frame_id == event.frame_id
    )
    return open_entry(replaced, BlockerEntry(info=info, backend_node_id=event.backend_node_id))


def _pause(blockers: Blockers, session_id: str, event: debugger.Paused, targets: Targets, now: float) -> Blockers:
    session = targets.sessions.get(session_id)
    if session is None or blockers.pause(session_id) is not None:
        return blockers
    where = event.call_frames[0] if event.call_frames else None
    info = Blocker(
        id=f"b-{blockers.count + 1}",
        kind="debugger",
        target_id=session.page_id,
        frame_id=None,
        session_id=session_id,
        url=where.url if where else "",
        text=f"{event.reason}, line {where.location.line_number + 1}" if where else event.reason,
        since=now,
        ways_out=("resume_script",),
    )
    return open_entry(blockers, BlockerEntry(info=info))


def _ask_for_login(
    blockers: Blockers, session_id: str, event: fetch.AuthRequired, targets: Targets, now: float
) -> Blockers:
    session, challenge = targets.sessions.get(session_id), event.auth_challenge
    if session is None:
        return blockers
    info = Blocker(
        id=f"b-{blockers.count + 1}",
        kind="http_auth",
        target_id=session.page_id,
        frame_id=event.frame_id,
        session_id=session_id,
        url=event.request.url,
        text=f"{challenge.source or 'Server'} {challenge.origin}: {challenge.scheme}, {challenge.realm}",
        since=now,
        ways_out=("answer_auth", "cancel_auth"),
    )
    is_document = event.resource_type == "Document"

    def is_over(entry: BlockerEntry) -> bool:
        """The same request asks again, or the frame has left the one that asked."""
        is_same = entry.request_id == event.request_id and entry.info.session_id == session_id
        return is_same or (is_document and entry.holds_document and entry.info.frame_id == event.frame_id)

    return open_entry(
        close_entries(blockers, is_over),
        BlockerEntry(info=info, request_id=event.request_id, holds_document=is_document),
    )


def _ask_for_account(
    blockers: Blockers, session_id: str, event: fed_cm.DialogShown, targets: Targets, now: float
) -> Blockers:
    session = targets.sessions.get(session_id)
    if session is None:
        return blockers
    accounts = ", ".join(f"{account.name} <{account.email}>" for account in event.accounts)
    info = Blocker(
        id=f"b-{blockers.count + 1}",
        kind="account_chooser",
        target_id=session.page_id,
        frame_id=None,
        session_id=session_id,
        url=event.accounts[0].idp_config_url if event.accounts else "",
        text=f"dialogId {event.dialog_id}, {event.dialog_type}: {accounts or 'no accounts'}",
        since=now,
        ways_out=("FedCm.selectAccount", "FedCm.dismissDialog"),
    )
    return open_entry(blockers, BlockerEntry(info=info, dialog_id=event.dialog_id, accounts=event.accounts))


def _log_in(entry: BlockerEntry, work: LogIn | CancelLogIn) -> fetch.ContinueWithAuth:
    assert entry.request_id is not None, "chosen by its kind"
    answer = fetch.AuthChallengeResponse(response="CancelAuth")
    if isinstance(work, LogIn):
        answer = Credentials(response="ProvideCredentials", username=work.username, password=work.password)
    return fetch.ContinueWithAuth(request_id=entry.request_id, auth_challenge_response=answer)


def _unblock(blockers: Blockers, request: UnblockRequested, connection: ConnectionState) -> tuple[Blockers, Effects]:
    if not connection.is_up:
        return blockers, (CompleteCall(request.call_id, NotRunning(connection.reason or connection.state)),)
    chosen = _choose(blockers, request)
    if isinstance(chosen, Exception):
        return blockers, (CompleteCall(request.call_id, chosen),)
    info = chosen.info
    command: Command[None] | runtime.Evaluate
    session_id = None if info.kind == "download" else info.session_id
    match request.work:
        case ChooseFiles(paths):
            command = dom.SetFileInputFiles(files=list(paths), backend_node_id=chosen.backend_node_id)
        case CancelDownload():
            command = browser.CancelDownload(guid=chosen.guid)
        case ResumeScript():
            command = debugger.Resume()
        case LogIn() | CancelLogIn():
            command = _log_in(chosen, request.work)
        case CancelPrint():
            command, session_id = runtime.Evaluate(expression=CLOSE_PRINT_PREVIEW), chosen.preview_session_id
    tag = BlockerAnswer(request.call_id)
    blockers = replace(blockers, ending={**blockers.ending, request.call_id: info.id})
    return blockers, (Send(command=command, session_id=session_id, tag=tag, timeout_s=ANSWER_TIMEOUT_S),)


def _on_answer(blockers: Blockers, call_id: str, outcome: CommandResult | Exception) -> tuple[Blockers, Effects]:
    """Complete the call, and close its blocker unless the browser refused; an unknown request has ended as well."""
    settled, completing = _without_ending(blockers, call_id), (CompleteCall(call_id, outcome),)
    info = next((entry.info for entry in blockers.entries if entry.info.id == blockers.ending[call_id]), None)
    if isinstance(outcome, SessionDetached) and info is not None and info.kind == "print":  # the preview has closed
        completing = (CompleteCall(call_id, CommandResult(None)),)
    elif isinstance(outcome, Exception) and not (
        isinstance(outcome, CommandError) and outcome.message in NO_SUCH_REQUEST
    ):
        return settled, completing
    return close_entries(settled, lambda entry: entry.info.id == blockers.ending[call_id]), completing


def _outcome(result: object) -> CommandResult | EvaluationFailed:
    match result:
        case runtime.EvaluateResult(exception_details=runtime.ExceptionDetails() as details):
            return EvaluationFailed(exception_text(details))
        case _:
            return CommandResult(None)


def _without_ending(blockers: Blockers, call_id: str) -> Blockers:
    return replace(blockers, ending={key: value for key, value in blockers.ending.items() if key != call_id})


def _choose(blockers: Blockers, request: UnblockRequested) -> BlockerEntry | Exception:
    kind = _WORKS_ON[type(request.work)]
    fitting = [
        entry for entry in blockers.entries if entry.info.kind == kind and request.blocker_id in (None, entry.info.id)
    ]
    if not fitting:
        return UnknownBlocker(request.blocker_id or kind, tuple(entry.info.id for entry in blockers.entries))
    if len(fitting) > 1:
        return AmbiguousBlocker(kind, tuple(entry.info.id for entry in fitting))
    return fitting[0]


def _close_gone(blockers: Blockers, targets: Targets, frames: Frames) -> Blockers:
    """Close file choosers without their document, logins without their frame, and what lost its session."""

    def ends(entry: BlockerEntry) -> bool:
        match entry.info.kind:
            case "file_chooser":
                frame = frames.nodes.get(entry.info.frame_id or "")
                return frame is None or frame.session_id != entry.info.session_id or frame.url != entry.info.url
            case "http_auth":
                return entry.info.session_id not in targets.sessions or entry.info.frame_id not in frames.nodes
            case "debugger" | "print" | "account_chooser":
                return entry.info.session_id not in targets.sessions
            case _:
                return False

    return close_entries(blockers, ends) if any(ends(entry) for entry in blockers.entries) else blockers
