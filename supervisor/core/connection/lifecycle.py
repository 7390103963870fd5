"""Slice: the connection to the browser, when the first picture of it is complete, and how it is won back."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost
from cdp_typed.protocol import target
from supervisor.core.state.connection import Link
from supervisor.core.state.pages import PAGES_ONLY, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import is_refusal_for_good
from supervisor.core.vocabulary.command_tags import AutoAttach, Census, FirstPage, OwnContext, Tag
from supervisor.core.vocabulary.effects import Arm, CommandResult, Dial, Effects, HangUp, Send, Tell
from supervisor.core.vocabulary.errors import NO_PAGES, BrowserReplaced, NotRunning, UnknownPage, UnsupportedByBrowser
from supervisor.core.vocabulary.inputs import (
    AllAnnounced,
    Answered,
    DialFailed,
    EventReceived,
    Input,
    LinkLost,
    LinkUp,
    Refused,
    StopRequested,
    TimerFired,
)
from supervisor.core.vocabulary.timers import AnnounceDeadline

START = "start"
"""The call id under which the outcome of the start is told."""

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
LONGEST_WAIT_S = 60.0
"""How long a server that asks to be left alone is left alone at most."""
NO_FLAT_SESSIONS = "it announces no pages: it is older than Chrome 77, an embedder of that age, or no browser"
NO_CONTEXTS = "it makes no browser contexts; leave the setting own_context out"

ANNOUNCED_WITHIN_S = 2.0
"""How long after it says that all pages are announced the browser may take to announce those that it listed."""
RETURN_TIMEOUT_S = 15.0
"""How long the browser may take to announce its pages on a connection that was opened again."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow the connection; ask for every page as soon as it is open."""
    link, effects = _reduce(world.link, received, before.targets, now)
    return replace(world, link=link), effects


def _reduce(link: Link, received: Input, targets: Targets, now: float) -> tuple[Link, Effects]:
    """Follow the connection; ask for every page as soon as it is open. `targets` is the slice before this input."""
    match received:
        case LinkUp(browser_id) if link.state in ("connecting", "reconnecting"):
            return _come(link, browser_id, targets)
        case Answered(Census(), target.GetTargetsResult() as result):
            return _count(link, result, targets)
        case Answered(AutoAttach()) if link.is_up:
            waiting = (Arm(AnnounceDeadline(link.epoch), ANNOUNCED_WITHIN_S),) if link.unannounced else ()
            return replace(link, announced=True), waiting
        case TimerFired(AnnounceDeadline(epoch)) if epoch == link.epoch:
            if not link.has_heard and link.is_beginning:
                silent = UnsupportedByBrowser("Target.setAutoAttach", NO_FLAT_SESSIONS)
                return _fail(link, str(silent), now, silent)
            return replace(link, unannounced=frozenset()), ()
        case AllAnnounced():
            return replace(link, is_complete=True), ()
        case Refused(Census(), CommandError()) if link.state == "attaching":
            return link, ()  # it was asked for what only makes the start more certain
        case Refused(AutoAttach() | FirstPage() | OwnContext() | Census(), error) if (
            link.is_alive and link.state != "ready"
        ):
            # A lost connection is told on its own, after the commands that it took with it.
            if isinstance(error, ConnectionLost):
                return link, ()
            error = _explain(received.tag, error)
            return _fail(link, str(error), now, error)
        case LinkLost(reason) if link.state in ("connecting", "attaching", "ready", "reconnecting"):
            return _fail(link, reason, now, ConnectionLost(reason))
        case DialFailed(reason) if link.state == "reconnecting":
            return _give_up(link, reason) if received.is_final else _retry(link, reason, now, received.retry_after_s)
        case StopRequested(reason):
            return replace(link, state="stopped", reason=reason, end=NotRunning(reason), was_up=link.is_up), ()
        case _:
            return link, ()


def _come(link: Link, browser_id: str | None, targets: Targets) -> tuple[Link, Effects]:
    """A browser that does not name itself as before has to show a page that we know, before anything is done to it."""
    is_known = browser_id is not None and browser_id == link.browser_id
    link = replace(
        link,
        epoch=link.epoch + 1,
        browser_id=browser_id,
        announced=False,
        has_listed=False,
        has_heard=False,
        is_complete=False,
        unannounced=frozenset(),
        needs_page=False,
    )
    patience = RETURN_TIMEOUT_S if link.started else None  # a start has a deadline of its own
    census = Send(command=target.GetTargets(), session_id=None, tag=Census(), timeout_s=patience)
    if link.state == "connecting" or is_known:
        link, attaching = _attach(link)
        return link, (census, *attaching)
    return link, (census,)


def _count(link: Link, result: target.GetTargetsResult, targets: Targets) -> tuple[Link, Effects]:
    """The browser lists its pages. (A prerendered one is announced to nobody who asks for pages.)"""
    pages = frozenset(info.target_id for info in result.target_infos if info.type == "page" and not info.subtype)
    if link.state == "attaching":
        return replace(link, has_listed=True, unannounced=pages), ()
    if link.state != "reconnecting":
        return link, ()
    if not pages & {session.target_id for session in targets.pages()}:
        return _refuse(link)
    return _attach(replace(link, unannounced=pages))


def tick_off(link: Link, received: Input) -> Link:
    """A page that was listed is announced, or was closed."""
    match received:
        case EventReceived(None, target.AttachedToTarget(target_info=info)) if (
            not link.has_heard or info.target_id in link.unannounced
        ):
            return replace(link, has_heard=True, unannounced=link.unannounced - {info.target_id})
        case EventReceived(None, target.DetachedFromTarget(target_id=str() as gone)) if gone in link.unannounced:
            return replace(link, unannounced=link.unannounced - {gone})
        case _:
            return link


def _explain(tag: Tag, error: Exception) -> Exception:
    """What the refusal of a command means without which there is no start."""
    if not isinstance(error, CommandError) or not is_refusal_for_good(error):
        return error
    match tag:
        case AutoAttach():
            return UnsupportedByBrowser(error.method, f"without it no page can be supervised ({error.message})")
        case FirstPage():
            return UnsupportedByBrowser(error.method, f"{NO_PAGES} ({error.message})")
        case OwnContext():
            return UnsupportedByBrowser(error.method, f"{NO_CONTEXTS} ({error.message})")
        case _:
            return error


def _attach(link: Link) -> tuple[Link, Effects]:
    attach = target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True, filter=PAGES_ONLY)
    patience = RETURN_TIMEOUT_S if link.started else None  # a start has a deadline of its own
    send = Send(command=attach, session_id=None, tag=AutoAttach(), timeout_s=patience)
    return replace(link, state="attaching"), (send,)


def _refuse(link: Link) -> tuple[Link, Effects]:
    end = BrowserReplaced()
    return replace(link, state="lost", reason=str(end), end=end), (HangUp(),)


def _fail(link: Link, reason: str, now: float, error: Exception) -> tuple[Link, Effects]:
    if not link.started:
        lost, effects = _give_up(link, reason)
        return lost, (*effects, Tell(START, error))
    link = replace(link, away_since=link.away_since if link.away_since is not None else now)
    link, effects = _retry(link, reason, now)
    return link, effects if link.state == "lost" else (HangUp(), *effects)


def _retry(link: Link, reason: str, now: float, wait_s: float | None = None) -> tuple[Link, Effects]:
    patience, away_since = link.patience, link.away_since
    failures = (*(moment for moment in link.failures if moment > now - patience.window_s), now)
    link = replace(link, failures=failures)
    if len(failures) > patience.attempts:
        several = f"{len(failures)} failures within {patience.window_s:g} s; the last: "
        return _give_up(link, (several if patience.attempts else "") + reason)
    if away_since is not None and now - away_since > patience.window_s:
        return _give_up(link, f"no connection for {patience.window_s:g} s; the last failure: {reason}")
    pause = min(FIRST_PAUSE_S * 2 ** (len(failures) - 1), LONGEST_PAUSE_S)
    pause = max(pause, min(wait_s or 0.0, LONGEST_WAIT_S))
    return replace(link, state="reconnecting", reason=reason), (Dial(pause),)


def _give_up(link: Link, reason: str) -> tuple[Link, Effects]:
    return replace(link, state="lost", reason=reason, end=NotRunning(reason)), (HangUp(),)


def settle(link: Link, targets: Targets, get_page: Effects | UnknownPage) -> tuple[Link, Effects]:
    """Become ready once every announced page has answered, or has been found not to.

    `get_page` is what gets us a page where none is ours, or why none can be.
    """
    if link.state != "attaching" or not link.is_complete:
        return link, ()
    if not targets.sessions:
        if link.needs_page:
            return link, ()
        if isinstance(get_page, UnknownPage):
            if link.started:
                return _be_ready(link)
            lost, effects = _give_up(link, str(get_page))
            return lost, (*effects, Tell(START, get_page))
        return replace(link, needs_page=True), get_page
    if not all(session.is_settled or session.stale for session in targets.sessions.values()):
        return link, ()
    return _be_ready(link)


def _be_ready(link: Link) -> tuple[Link, Effects]:
    told = () if link.started else (Tell(START, CommandResult(None)),)
    return replace(link, state="ready", reason="", started=True, away_since=None), told
