"""Slice: what waits for somebody besides dialogs: file choosers, downloads, scripts at a breakpoint.

Downloads are followed by the events of the Page domain, which come without `Browser.setDownloadBehavior`: measured on
Chromium 156, that command of one client takes away what another has set, and cancels its downloads.
"""

# pyright: reportDeprecated=false
# Of the download events, those of the Browser domain come only to who overrides what other clients have set.

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError, ConnectionLost
from cdp_typed.protocol import browser, debugger, dom, fetch, page
from supervisor.core.state.connection import Link
from supervisor.core.state.frames import Frames
from supervisor.core.state.observed import Blockers, Held
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import NO_SUCH_REQUEST
from supervisor.core.vocabulary.command_tags import BlockerAnswer
from supervisor.core.vocabulary.effects import CommandResult, Effects, Send, Tell
from supervisor.core.vocabulary.errors import AmbiguousBlocker, NotRunning, UnknownBlocker
from supervisor.core.vocabulary.inputs import Answered, EventReceived, Input, Refused, StopRequested
from supervisor.core.vocabulary.requests import (
    CancelDownload,
    CancelLogIn,
    ChooseFiles,
    LogIn,
    ResumeScript,
    UnblockRequested,
)
from supervisor.core.vocabulary.values import Blocker, BlockerKind

MAX_BLOCKERS = 100
"""A page that downloads without end costs the oldest ones; their number is `Blockers.dropped`."""

ANSWER_TIMEOUT_S = 10.0
"""How long the browser may take over what ends a blocker."""

_WORKS_ON: dict[type, BlockerKind] = {
    ChooseFiles: "file_chooser",
    CancelDownload: "download",
    ResumeScript: "debugger",
    LogIn: "http_auth",
    CancelLogIn: "http_auth",
}


class Credentials(fetch.AuthChallengeResponse, frozen=True, kw_only=True):
    """What is sent; its `repr` shows nothing of it."""

    def __repr__(self) -> str:
        return "<Credentials>"


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow what opens and ends, and do what callers ask."""
    blockers, effects = _reduce(world.blockers, received, world.link, world.targets, world.frames, now)
    return replace(world, blockers=blockers), effects


def _reduce(
    blockers: Blockers, received: Input, link: Link, targets: Targets, frames: Frames, now: float
) -> tuple[Blockers, Effects]:
    """Watch new sessions, follow what opens and ends, and do what callers ask. The slices are as after this input."""
    match received:
        case EventReceived(str() as session_id, page.FileChooserOpened() as event):
            return _open_chooser(blockers, session_id, event, targets, frames, now), ()
        case EventReceived(str(), page.DownloadWillBegin() as event) if blockers.watches_downloads:
            return _open_download(blockers, event, frames, now), ()
        case EventReceived(str(), page.DownloadProgress() as event):
            return _follow_download(blockers, event), ()
        case EventReceived(str() as session_id, debugger.Paused() as event):
            return _pause(blockers, session_id, event, targets, now), ()
        case EventReceived(str() as session_id, debugger.Resumed()):
            return _close(blockers, lambda one: one.info.kind == "debugger" and one.info.session_id == session_id), ()
        case EventReceived(str() as session_id, fetch.AuthRequired() as event):
            return _ask_for_login(blockers, session_id, event, targets, now), ()
        case EventReceived(_, page.FrameNavigated(frame=page.Frame(id=frame_id))):
            blockers = _close(blockers, lambda one: one.info.kind == "http_auth" and one.info.frame_id == frame_id)
            return _close_orphans(blockers, targets, frames), ()
        case UnblockRequested():
            return _unblock(blockers, received, link)
        case Answered(BlockerAnswer(call_id)) if call_id in blockers.asked:
            return _answered(blockers, call_id, CommandResult(None))
        case Refused(BlockerAnswer(call_id), error) if call_id in blockers.asked:
            return _answered(blockers, call_id, error)
        case StopRequested():
            return replace(blockers, held=()), ()
        case _:
            return _close_orphans(blockers, targets, frames), ()


def lose(blockers: Blockers, reason: str) -> tuple[Blockers, Effects]:
    """The connection is gone: nobody tells any more how it goes on with what was in the way."""
    told = tuple(Tell(call_id, ConnectionLost(reason)) for call_id in blockers.asked)
    return replace(blockers, held=(), asked={}), told


def _open(blockers: Blockers, held: Held) -> Blockers:
    kept = (*blockers.held, held)
    return replace(
        blockers,
        held=kept[-MAX_BLOCKERS:],
        count=blockers.count + 1,
        dropped=blockers.dropped + max(0, len(kept) - MAX_BLOCKERS),
    )


def _close(blockers: Blockers, ends: Callable[[Held], bool]) -> Blockers:
    return replace(blockers, held=tuple(one for one in blockers.held if not ends(one)))


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
    replaced = _close(blockers, lambda one: one.info.kind == "file_chooser" and one.info.frame_id == event.frame_id)
    return _open(replaced, Held(info=info, backend_node_id=event.backend_node_id))


def _open_download(blockers: Blockers, event: page.DownloadWillBegin, frames: Frames, now: float) -> Blockers:
    if any(held.guid == event.guid for held in blockers.held):  # several sessions may tell of it
        return blockers
    frame = frames.nodes.get(event.frame_id)
    info = Blocker(
        id=f"b-{blockers.count + 1}",
        kind="download",
        target_id=frame.page_id if frame else "",
        frame_id=event.frame_id,
        session_id=frame.session_id if frame else None,
        url=event.url,
        text=event.suggested_filename,
        since=now,
        ways_out=("wait", "cancel_download"),
    )
    return _open(blockers, Held(info=info, guid=event.guid))


def _follow_download(blockers: Blockers, event: page.DownloadProgress) -> Blockers:
    if event.state != "inProgress":
        return _close(blockers, lambda one: one.guid == event.guid)
    total = f" of {event.total_bytes:.0f}" if event.total_bytes else ""
    progress = f"{event.received_bytes:.0f}{total} bytes"
    return replace(
        blockers,
        held=tuple(
            replace(one, info=replace(one.info, text=f"{one.info.text.partition(': ')[0]}: {progress}"))
            if one.guid == event.guid
            else one
            for one in blockers.held
        ),
    )


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
        text=f"{event.reason}, line {where.location.line_number}" if where else event.reason,
        since=now,
        ways_out=("resume_script",),
    )
    return _open(blockers, Held(info=info))


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
    again = _close(blockers, lambda one: one.request_id == event.request_id and one.info.session_id == session_id)
    return _open(again, Held(info=info, request_id=event.request_id))


def _log_in(held: Held, work: LogIn | CancelLogIn) -> fetch.ContinueWithAuth:
    assert held.request_id is not None, "chosen by its kind"
    answer = fetch.AuthChallengeResponse(response="CancelAuth")
    if isinstance(work, LogIn):
        answer = Credentials(response="ProvideCredentials", username=work.username, password=work.password)
    return fetch.ContinueWithAuth(request_id=held.request_id, auth_challenge_response=answer)


def _unblock(blockers: Blockers, asked: UnblockRequested, link: Link) -> tuple[Blockers, Effects]:
    if not link.is_up:
        return blockers, (Tell(asked.call_id, NotRunning(link.reason or link.state)),)
    chosen = _choose(blockers, asked)
    if isinstance(chosen, Exception):
        return blockers, (Tell(asked.call_id, chosen),)
    info = chosen.info
    command: Command[None]
    match asked.work:
        case ChooseFiles(paths):
            command = dom.SetFileInputFiles(files=list(paths), backend_node_id=chosen.backend_node_id or UNSET)
        case CancelDownload():
            command = browser.CancelDownload(guid=chosen.guid)
        case ResumeScript():
            command = debugger.Resume()
        case LogIn() | CancelLogIn():
            command = _log_in(chosen, asked.work)
    session_id = None if info.kind == "download" else info.session_id
    tag = BlockerAnswer(asked.call_id)
    blockers = replace(blockers, asked={**blockers.asked, asked.call_id: info.id})
    return blockers, (Send(command=command, session_id=session_id, tag=tag, timeout_s=ANSWER_TIMEOUT_S),)


def _answered(blockers: Blockers, call_id: str, outcome: CommandResult | Exception) -> tuple[Blockers, Effects]:
    """What was in the way is out of it, unless the browser refused; a request that it does not know is over, too."""
    settled, told = _settle(blockers, call_id), (Tell(call_id, outcome),)
    is_over = isinstance(outcome, CommandError) and outcome.message in NO_SUCH_REQUEST
    if isinstance(outcome, Exception) and not is_over:
        return settled, told
    return _close(settled, lambda one: one.info.id == blockers.asked[call_id]), told


def _settle(blockers: Blockers, call_id: str) -> Blockers:
    return replace(blockers, asked={key: value for key, value in blockers.asked.items() if key != call_id})


def _choose(blockers: Blockers, asked: UnblockRequested) -> Held | Exception:
    kind = _WORKS_ON[type(asked.work)]
    fitting = [one for one in blockers.held if one.info.kind == kind and asked.blocker_id in (None, one.info.id)]
    if not fitting:
        return UnknownBlocker(asked.blocker_id or kind, tuple(one.info.id for one in blockers.held))
    if len(fitting) > 1:
        return AmbiguousBlocker(kind, tuple(one.info.id for one in fitting))
    return fitting[0]


def _close_orphans(blockers: Blockers, targets: Targets, frames: Frames) -> Blockers:
    """A file chooser ends with its frame's document, a breakpoint with its session. A download outlives both."""

    def ends(one: Held) -> bool:
        match one.info.kind:
            case "file_chooser":
                frame = frames.nodes.get(one.info.frame_id or "")
                return frame is None or frame.session_id != one.info.session_id or frame.url != one.info.url
            case "http_auth":
                return one.info.session_id not in targets.sessions or one.info.frame_id not in frames.nodes
            case "debugger":
                return one.info.session_id not in targets.sessions
            case _:
                return False

    return _close(blockers, ends) if any(ends(one) for one in blockers.held) else blockers
