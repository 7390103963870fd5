"""Slice: the connection to the browser: its start, its loss, and the attempts to open it again."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost
from cdp_typed.protocol import target
from supervisor.core.state.connection import ConnectionState
from supervisor.core.state.pages import PAGES_ONLY, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import is_refusal_for_good
from supervisor.core.vocabulary.command_tags import BrowserAutoAttach, BrowserIdentity, FirstPage, OwnContext, Tag
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Connect, Disconnect, Effects, Send
from supervisor.core.vocabulary.errors import NO_PAGES, BrowserReplaced, NotRunning, UnknownPage, UnsupportedByBrowser
from supervisor.core.vocabulary.inputs import (
    AllAnnounced,
    CommandFailed,
    CommandSucceeded,
    Connected,
    ConnectFailed,
    Disconnected,
    EventReceived,
    Input,
    PersonAsked,
    StopRequested,
    TimerFired,
)
from supervisor.core.vocabulary.timers import AnnounceDeadline

START = "start"
"""The call id under which the start is completed."""

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
LONGEST_WAIT_S = 60.0
"""The longest pause for a server's `Retry-After`."""
NO_FLAT_SESSIONS = "it announces no pages: it is older than Chrome 77, an embedder of that age, or no browser"
NO_CONTEXTS = "it makes no browser contexts; leave the setting own_context out"

ANNOUNCED_WITHIN_S = 2.0
"""The deadline for listed pages that are not announced when `Target.setAutoAttach` is answered."""
RETURN_TIMEOUT_S = 15.0
"""The timeout of each set-up command on a connection that was opened again."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow the connection; attach to every page once the connection is open."""
    connection, effects = _reduce(world.connection, received, before.targets, now)
    return replace(world, connection=connection), effects


def _reduce(
    connection: ConnectionState, received: Input, targets: Targets, now: float
) -> tuple[ConnectionState, Effects]:
    """Follow the connection; attach to every page once it is open. `targets` is the slice before this input."""
    match received:
        case PersonAsked(reason) if connection.state in ("connecting", "waiting_for_person"):
            return replace(connection, state="waiting_for_person", reason=reason), ()
        case Connected(browser_id) if connection.state in ("connecting", "waiting_for_person", "reconnecting"):
            return _on_connected(connection, browser_id, targets)
        case CommandSucceeded(BrowserIdentity(), target.GetTargetsResult() as result):
            return _on_targets_listed(connection, result, targets)
        case CommandSucceeded(BrowserAutoAttach()) if connection.is_up:
            # Newer browsers announce every page before this reply; up to Chrome 92, the pages come after it.
            waiting = (Arm(AnnounceDeadline(connection.epoch), ANNOUNCED_WITHIN_S),) if connection.unannounced else ()
            return replace(connection, announced=True), waiting
        case TimerFired(AnnounceDeadline(epoch)) if epoch == connection.epoch:
            return _on_announce_deadline(connection, now)
        case AllAnnounced():
            return replace(connection, is_complete=True), ()
        case CommandFailed(BrowserIdentity(), CommandError()) if connection.state == "attaching":
            return connection, ()  # the list only makes the start more certain
        case CommandFailed(BrowserAutoAttach() | FirstPage() | OwnContext() | BrowserIdentity(), error) if (
            connection.is_alive and connection.state != "ready"
        ):
            # `Disconnected` follows the commands that a lost connection has ended.
            if isinstance(error, ConnectionLost):
                return connection, ()
            error = _as_unsupported(received.tag, error)
            return _on_failure(connection, str(error), now, error)
        case Disconnected(reason) if connection.state in ("connecting", "attaching", "ready", "reconnecting"):
            return _on_failure(connection, reason, now, ConnectionLost(reason))
        case ConnectFailed(reason) if connection.state == "reconnecting":
            if received.is_final:
                return _give_up(connection, reason)
            return _retry(connection, reason, now, received.retry_after_s)
        case StopRequested(reason):
            was_up = connection.is_up
            return replace(connection, state="stopped", reason=reason, end=NotRunning(reason), was_up=was_up), ()
        case _:
            return connection, ()


def _on_connected(
    connection: ConnectionState, browser_id: str | None, targets: Targets
) -> tuple[ConnectionState, Effects]:
    """List the pages. A browser with another id, or none, must show a known page before it is attached to."""
    is_known = browser_id is not None and browser_id == connection.browser_id
    connection = replace(
        connection,
        epoch=connection.epoch + 1,
        browser_id=browser_id,
        announced=False,
        has_listed=False,
        has_announced_page=False,
        is_complete=False,
        unannounced=frozenset(),
        needs_page=False,
    )
    timeout_s = RETURN_TIMEOUT_S if connection.started else None  # a start has its own deadline
    get_targets = Send(command=target.GetTargets(), session_id=None, tag=BrowserIdentity(), timeout_s=timeout_s)
    if connection.state in ("connecting", "waiting_for_person") or is_known:
        connection, attaching = _attach(connection)
        return connection, (get_targets, *attaching)
    return connection, (get_targets,)


def _on_targets_listed(
    connection: ConnectionState, result: target.GetTargetsResult, targets: Targets
) -> tuple[ConnectionState, Effects]:
    """Note the listed pages. A prerendered page has a subtype, and no `Target.attachedToTarget` follows for it."""
    pages = frozenset(info.target_id for info in result.target_infos if info.type == "page" and not info.subtype)
    if connection.state == "attaching":
        return replace(connection, has_listed=True, unannounced=pages), ()
    if connection.state != "reconnecting":
        return connection, ()
    if not pages & {session.target_id for session in targets.pages()}:
        return _refuse_other_browser(connection)
    return _attach(replace(connection, unannounced=pages))


def _on_announce_deadline(connection: ConnectionState, now: float) -> tuple[ConnectionState, Effects]:
    """Go on without the pages that were not announced; a browser that announces none at all is not supported."""
    if not connection.has_announced_page and connection.is_beginning:
        silent = UnsupportedByBrowser("Target.setAutoAttach", NO_FLAT_SESSIONS)
        return _on_failure(connection, str(silent), now, silent)
    return replace(connection, unannounced=frozenset()), ()


def note_announced(connection: ConnectionState, received: Input) -> ConnectionState:
    """Remove a page that is announced, or was closed, from the listed ones."""
    match received:
        case EventReceived(None, target.AttachedToTarget(target_info=info)) if (
            not connection.has_announced_page or info.target_id in connection.unannounced
        ):
            return replace(connection, has_announced_page=True, unannounced=connection.unannounced - {info.target_id})
        case EventReceived(None, target.DetachedFromTarget(target_id=str() as gone)) if gone in connection.unannounced:
            return replace(connection, unannounced=connection.unannounced - {gone})
        case _:
            return connection


def _as_unsupported(tag: Tag, error: Exception) -> Exception:
    """Return the refusal of a command that a start needs as `UnsupportedByBrowser`, if it is one for good."""
    if not isinstance(error, CommandError) or not is_refusal_for_good(error):
        return error
    match tag:
        case BrowserAutoAttach():
            return UnsupportedByBrowser(error.method, f"without it no page can be supervised ({error.message})")
        case FirstPage():
            return UnsupportedByBrowser(error.method, f"{NO_PAGES} ({error.message})")
        case OwnContext():
            return UnsupportedByBrowser(error.method, f"{NO_CONTEXTS} ({error.message})")
        case _:
            return error


def _attach(connection: ConnectionState) -> tuple[ConnectionState, Effects]:
    attach = target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True, filter=PAGES_ONLY)
    timeout_s = RETURN_TIMEOUT_S if connection.started else None  # a start has its own deadline
    send = Send(command=attach, session_id=None, tag=BrowserAutoAttach(), timeout_s=timeout_s)
    return replace(connection, state="attaching", reason=""), (send,)


def _refuse_other_browser(connection: ConnectionState) -> tuple[ConnectionState, Effects]:
    end = BrowserReplaced()
    return replace(connection, state="lost", reason=str(end), end=end), (Disconnect(),)


def _on_failure(
    connection: ConnectionState, reason: str, now: float, error: Exception
) -> tuple[ConnectionState, Effects]:
    if not connection.started:
        lost, effects = _give_up(connection, reason)
        return lost, (*effects, CompleteCall(START, error))
    connection = replace(connection, away_since=connection.away_since if connection.away_since is not None else now)
    connection, effects = _retry(connection, reason, now)
    return connection, effects if connection.state == "lost" else (Disconnect(), *effects)


def _retry(
    connection: ConnectionState, reason: str, now: float, wait_s: float | None = None
) -> tuple[ConnectionState, Effects]:
    policy, away_since = connection.reconnect_policy, connection.away_since
    failures = (*(moment for moment in connection.failures if moment > now - policy.window_s), now)
    connection = replace(connection, failures=failures)
    if len(failures) > policy.attempts:
        several = f"{len(failures)} failures within {policy.window_s:g} s; the last: "
        return _give_up(connection, (several if policy.attempts else "") + reason)
    if away_since is not None and now - away_since > policy.window_s:
        return _give_up(connection, f"no connection for {policy.window_s:g} s; the last failure: {reason}")
    pause = min(FIRST_PAUSE_S * 2 ** (len(failures) - 1), LONGEST_PAUSE_S)
    pause = max(pause, min(wait_s or 0.0, LONGEST_WAIT_S))
    return replace(connection, state="reconnecting", reason=reason), (Connect(pause),)


def _give_up(connection: ConnectionState, reason: str) -> tuple[ConnectionState, Effects]:
    return replace(connection, state="lost", reason=reason, end=NotRunning(reason)), (Disconnect(),)


def become_ready(
    connection: ConnectionState, targets: Targets, get_page: Effects | UnknownPage
) -> tuple[ConnectionState, Effects]:
    """Become ready when every announced page has answered, or does not respond.

    `get_page` opens a page if the supervisor has none, or is the error if none can be opened.
    """
    if connection.state != "attaching" or not connection.is_complete:
        return connection, ()
    if not targets.sessions:
        if connection.needs_page:
            return connection, ()
        if isinstance(get_page, UnknownPage):
            if connection.started:
                return _be_ready(connection)
            lost, effects = _give_up(connection, str(get_page))
            return lost, (*effects, CompleteCall(START, get_page))
        return replace(connection, needs_page=True), get_page
    if not all(session.is_settled or session.stale for session in targets.sessions.values()):
        return connection, ()
    return _be_ready(connection)


def _be_ready(connection: ConnectionState) -> tuple[ConnectionState, Effects]:
    completing = () if connection.started else (CompleteCall(START, CommandResult(None)),)
    return replace(connection, state="ready", reason="", started=True, away_since=None), completing
