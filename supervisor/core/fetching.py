"""Slice: which requests the browser holds for us, in one place: a session has one set of patterns for all purposes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.protocol import fetch

from . import bridge_wire as wire
from .bridge import Bridge
from .effects import Effects, Send
from .inputs import EventReceived, Input
from .targets import Targets


class Wish(Struct, frozen=True):
    """What requests are held for."""

    bridge: bool = False
    http_auth: bool = False


class Fetching(Struct, frozen=True, kw_only=True):
    """What is wanted besides the bridge, and what each session has been told."""

    http_auth: bool = False
    told: Mapping[str, Wish] = {}


def reduce(fetching: Fetching, received: Input, targets: Targets, bridge: Bridge) -> tuple[Fetching, Effects]:
    """Tell each session what is wanted now, and let go at once what is held for nobody. The slices are as after this
    input."""
    fetching, effects = _tell(fetching, targets, bridge)
    match received:
        case EventReceived(str() as session_id, fetch.RequestPaused() as event):
            return fetching, (*effects, *_let_go(fetching, session_id, event, bridge))
        case _:
            return fetching, effects


def lose(fetching: Fetching) -> Fetching:
    """The connection is gone: nothing is held any more."""
    return replace(fetching, told={})


def _tell(fetching: Fetching, targets: Targets, bridge: Bridge) -> tuple[Fetching, Effects]:
    wish = Wish(bridge.is_armed, fetching.http_auth)
    here = [key for key, session in targets.sessions.items() if not session.stale]
    told = {key: had for key, had in fetching.told.items() if key in targets.sessions}
    new = [key for key in here if told.get(key, Wish()) != wish]
    if not new:
        return (fetching if len(told) == len(fetching.told) else replace(fetching, told=told)), ()
    command = _command(wish, bridge)
    told.update(dict.fromkeys(new, wish))
    return replace(fetching, told=told), tuple(Send(command=command, session_id=key) for key in new)


def _command(wish: Wish, bridge: Bridge) -> fetch.Enable | fetch.Disable:
    if wish.http_auth:  # measured: what is to be asked for must be held first
        return fetch.Enable(patterns=[fetch.RequestPattern(url_pattern="*")], handle_auth_requests=True)
    return fetch.Enable(patterns=[wire.pattern(bridge.secret)]) if wish.bridge else fetch.Disable()


def _let_go(fetching: Fetching, session_id: str, event: fetch.RequestPaused, bridge: Bridge) -> Effects:
    if not fetching.told.get(session_id, Wish()).http_auth:
        return ()
    if session_id in bridge.sides and wire.is_for_us(event.request.url, wire.keys(bridge.secret, session_id)):
        return ()
    return (Send(command=fetch.ContinueRequest(request_id=event.request_id), session_id=session_id),)
