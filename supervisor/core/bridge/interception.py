"""Slice: request interception (`Fetch.enable`). A session has one set of patterns for all purposes.

Measured on Chromium 156: the request for a document is held in the session of the frame that navigates, once for each
redirect; so is that of a popup, whose session is set up before it runs. Three get out all the same: that of a sandboxed
iframe with `srcdoc`, which is attached while it runs (4 of 8), of a popup that its opener closes at once, and of a page
that a client opens with a URL (`Target.createTarget`), which is announced after its request was sent. The browser's own
session holds these as well (150 and 156), after that of the page. It holds the documents of everybody's pages, so it is
used only where all of them are within the scope.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import fetch
from supervisor.core.state.bridge import Bridge, Interception, InterceptionSettings, RefusedNavigation
from supervisor.core.state.pages import PageOwnership, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary import bridge_protocol
from supervisor.core.vocabulary.command_tags import RequestAnswered, SettingSent
from supervisor.core.vocabulary.effects import Effects, Send
from supervisor.core.vocabulary.inputs import CommandFailed, EventReceived, Input, TimerFired, UrlRulesAdded
from supervisor.core.vocabulary.requests import RouteAdded, RoutesRemoved
from supervisor.core.vocabulary.timers import RouteDelay
from supervisor.core.vocabulary.url_rules import shown

from . import routing

DOCUMENTS = fetch.RequestPattern(url_pattern="*", resource_type="Document")


def _configure(interception: Interception, received: Input) -> tuple[Interception, Effects]:
    """Add URL rules, add and remove routes, with or without a connection."""
    match received:
        case UrlRulesAdded(url_rules) if url_rules.restricts and url_rules not in interception.url_rules:
            return replace(interception, url_rules=(*interception.url_rules, url_rules)), ()
        case RouteAdded():
            return routing.add(interception, received)
        case RoutesRemoved():
            return routing.remove(interception, received)
        case _:
            return interception, ()


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Send each session its patterns, and continue or fail the held requests that are not for the bridge."""
    interception, effects = _configure(world.interception, received)
    if world.connection.is_up:
        interception, more = _reduce(interception, received, world.targets, world.page_ownership, world.bridge)
        effects = (*more, *effects)
    return replace(world, interception=interception), effects


def _reduce(
    interception: Interception, received: Input, targets: Targets, ownership: PageOwnership, bridge: Bridge
) -> tuple[Interception, Effects]:
    """Send each session its patterns, and continue or fail the held requests that are not for the bridge. The slices
    are as after this input."""
    interception, effects = _apply_settings(interception, targets, ownership, bridge)
    match received:
        case EventReceived(session_id, fetch.RequestPaused() as event):
            interception, deciding = _decide(interception, session_id, event, bridge)
            used_up, narrowing = _apply_settings(interception, targets, ownership, bridge)
            return used_up, (*effects, *deciding, *narrowing)
        case TimerFired(RouteDelay() as timer):
            interception, ending = routing.end_delay(interception, timer)
            return interception, (*effects, *ending)
        case CommandFailed(RequestAnswered(session_id, request_id)):
            failing = fetch.FailRequest(request_id=fetch.RequestId(request_id), error_reason="Failed")
            return interception, (*effects, Send(command=failing, session_id=session_id))
        case _:
            return interception, effects


def on_disconnected(interception: Interception) -> Interception:
    """Forget the sent settings: without a connection no request is held."""
    return replace(interception, applied={}, holds_all=False, delayed={})


def _apply_settings(
    interception: Interception, targets: Targets, ownership: PageOwnership, bridge: Bridge
) -> tuple[Interception, Effects]:
    effects: Effects = ()
    if interception.url_rules and ownership.scope == "browser" and not interception.holds_all:
        hold = fetch.Enable(patterns=[DOCUMENTS])
        effects = (Send(command=hold, session_id=None, tag=SettingSent(None, "hold_all_requests")),)
        interception = replace(interception, holds_all=True)
    applied: dict[str, InterceptionSettings] = {}
    for session in targets.sessions.values():
        if session.stale:
            continue
        key = session.session_id
        settings = InterceptionSettings(
            bridge=key in bridge.sessions,
            http_auth=interception.http_auth and ownership.manages(session.page_id),
            url_rules=bool(interception.url_rules),
            routes=routing.patterns(interception) if ownership.manages(session.page_id) else (),
        )
        if settings != interception.applied.get(key, InterceptionSettings()):
            tag = SettingSent(key, "hold_requests")
            effects = (*effects, Send(command=_command(settings, bridge), session_id=key, tag=tag))
        if settings != InterceptionSettings():
            applied[key] = settings
    return (interception if applied == interception.applied else replace(interception, applied=applied)), effects


def _command(settings: InterceptionSettings, bridge: Bridge) -> fetch.Enable | fetch.Disable:
    if settings.http_auth:  # measured: `Fetch.authRequired` comes only for requests that were held
        responses = [each for each in settings.routes if each.request_stage == "Response"]
        every = [fetch.RequestPattern(url_pattern="*"), *responses]
        return fetch.Enable(patterns=every, handle_auth_requests=True)
    patterns = [bridge_protocol.pattern(bridge.secret)] if settings.bridge else []
    if settings.url_rules:
        patterns.append(DOCUMENTS)
    patterns += settings.routes
    return fetch.Enable(patterns=patterns) if patterns else fetch.Disable()


def _decide(
    interception: Interception, session_id: str | None, event: fetch.RequestPaused, bridge: Bridge
) -> tuple[Interception, Effects]:
    """Continue, fail or answer a held request; a request of another purpose is left alone."""
    settings = InterceptionSettings(url_rules=interception.holds_all)
    if session_id is not None:
        settings = interception.applied.get(session_id, InterceptionSettings())
    if (
        session_id is not None
        and session_id in bridge.sessions
        and bridge_protocol.is_for_us(event.request.url, bridge_protocol.session_keys(bridge.secret, session_id))
    ):
        return interception, ()
    is_document = settings.url_rules and event.resource_type == "Document"
    why = _reason_to_refuse(interception, event.request.url) if is_document else None
    if session_id is not None and settings.routes and why is None:
        taken = routing.take(interception, session_id, event)
        if taken is not None:
            return taken
    # A request may have been held for a route that was removed, or is used up, since then.
    if not (is_document or settings.http_auth or (session_id is not None and interception.route_count)):
        return interception, ()
    if why is None:
        go_on = fetch.ContinueRequest(request_id=event.request_id)
        return interception, (routing.answering(go_on, session_id, event.request_id),)
    refused = RefusedNavigation(frame_id=event.frame_id, origin=shown(event.request.url), why=why)
    command = fetch.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")
    failing = Send(command=command, session_id=session_id)
    return replace(interception, last_refused=refused, refusals=interception.refusals + 1), (failing,)


def _reason_to_refuse(interception: Interception, url: str) -> str | None:
    return next((why for url_rules in interception.url_rules if (why := url_rules.why_not(url)) is not None), None)
