"""Slice: which requests the browser holds for us, in one place: a session has one set of patterns for all purposes.

Measured on Chromium 156: the request for a document is held in the session of the frame that goes there, once for each
redirect; so is that of a popup, whose session is set up before it runs. A page that a client opens with its URL
(`Target.createTarget`) is announced when its request is out already.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import fetch
from supervisor.core.state.bridge import Bridge, Fetching, Refusal, Wish
from supervisor.core.state.pages import Tabs, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary import bridge_protocol as wire
from supervisor.core.vocabulary.command_tags import SettingSent
from supervisor.core.vocabulary.effects import Effects, Send
from supervisor.core.vocabulary.inputs import EventReceived, Input, PlacesRestricted
from supervisor.core.vocabulary.url_rules import shown

DOCUMENTS = fetch.RequestPattern(url_pattern="*", resource_type="Document")


def _restrict(fetching: Fetching, received: Input) -> Fetching:
    """Take new places in, with or without a connection."""
    match received:
        case PlacesRestricted(places) if places.restricts and places not in fetching.places:
            return replace(fetching, places=(*fetching.places, places))
        case _:
            return fetching


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Tell each session what is wanted now, and decide about what is held and not for the bridge."""
    fetching = _restrict(world.fetching, received)
    effects: Effects = ()
    if world.link.is_up:
        fetching, effects = _reduce(fetching, received, world.targets, world.tabs, world.bridge)
    return replace(world, fetching=fetching), effects


def _reduce(
    fetching: Fetching, received: Input, targets: Targets, tabs: Tabs, bridge: Bridge
) -> tuple[Fetching, Effects]:
    """Tell each session what is wanted now, and decide at once about what is held and not for the bridge. The slices
    are as after this input."""
    fetching, effects = _tell(fetching, targets, tabs, bridge)
    match received:
        case EventReceived(str() as session_id, fetch.RequestPaused() as event):
            fetching, deciding = _decide(fetching, session_id, event, bridge)
            return fetching, (*effects, *deciding)
        case _:
            return fetching, effects


def lose(fetching: Fetching) -> Fetching:
    """The connection is gone: nothing is held any more."""
    return replace(fetching, told={})


def _tell(fetching: Fetching, targets: Targets, tabs: Tabs, bridge: Bridge) -> tuple[Fetching, Effects]:
    effects: Effects = ()
    told: dict[str, Wish] = {}
    for session in targets.sessions.values():
        if session.stale:
            continue
        key = session.session_id
        wish = Wish(
            bridge=key in bridge.sides,
            http_auth=fetching.http_auth and tabs.manages(session.page_id),
            places=bool(fetching.places),
        )
        if wish != fetching.told.get(key, Wish()):
            tag = SettingSent(key, "hold_requests")
            effects = (*effects, Send(command=_command(wish, bridge), session_id=key, tag=tag))
        if wish != Wish():
            told[key] = wish
    return (fetching if told == fetching.told else replace(fetching, told=told)), effects


def _command(wish: Wish, bridge: Bridge) -> fetch.Enable | fetch.Disable:
    if wish.http_auth:  # measured: what is to be asked for must be held first
        return fetch.Enable(patterns=[fetch.RequestPattern(url_pattern="*")], handle_auth_requests=True)
    asked = [wire.pattern(bridge.secret)] if wish.bridge else []
    held = [DOCUMENTS] if wish.places else []
    return fetch.Enable(patterns=[*asked, *held]) if asked or held else fetch.Disable()


def _decide(
    fetching: Fetching, session_id: str, event: fetch.RequestPaused, bridge: Bridge
) -> tuple[Fetching, Effects]:
    """Let it go, or make it fail; what is held for somebody else is theirs."""
    wish = fetching.told.get(session_id, Wish())
    if session_id in bridge.sides and wire.is_for_us(event.request.url, wire.keys(bridge.secret, session_id)):
        return fetching, ()
    is_document = wish.places and event.resource_type == "Document"
    if not (is_document or wish.http_auth):
        return fetching, ()
    why = _why_not(fetching, event.request.url) if is_document else None
    if why is None:
        return fetching, (Send(command=fetch.ContinueRequest(request_id=event.request_id), session_id=session_id),)
    last = Refusal(frame_id=event.frame_id, place=shown(event.request.url), why=why)
    command = fetch.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")
    failing = Send(command=command, session_id=session_id)
    return replace(fetching, last=last, refusals=fetching.refusals + 1), (failing,)


def _why_not(fetching: Fetching, url: str) -> str | None:
    return next((why for places in fetching.places if (why := places.why_not(url)) is not None), None)
