"""Slice: requests that failed, were refused, or were slow, in a bounded ring."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import network, target
from supervisor.core.state.observed import REFUSED, NetworkRequests, RequestInFlight
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.inputs import EventReceived, Input
from supervisor.core.vocabulary.requests import RequestsWatched
from supervisor.core.vocabulary.values import FailedRequest

RECENT = 50
MAX_BODIES_BYTES = 100_000_000
"""The bytes of response bodies that the browser keeps for a session."""
_WATCH = (
    network.ConfigureDurableMessages(max_total_buffer_size=MAX_BODIES_BYTES, max_resource_buffer_size=MAX_BODIES_BYTES),
    network.Enable(max_total_buffer_size=MAX_BODIES_BYTES, max_resource_buffer_size=MAX_BODIES_BYTES),
)
"""The first one has bodies survive their document, and those kept that a page does not read (Chromium 150 and 156).
A browser without it has the others."""
MAX_UNDER_WAY = 500
"""The number of requests that are followed at a time; if there are more, the oldest are forgotten."""
SLOW_S = 3.0


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Enable Network on new sessions if requests are watched, and follow each request to its end."""
    if isinstance(received, RequestsWatched):
        return _watch_all(world, received.call_id, now)
    requests, effects = _reduce(world.network_requests, received, world.targets, now)
    return replace(world, network_requests=requests), effects


def _reduce(
    requests: NetworkRequests, received: Input, targets: Targets, now: float
) -> tuple[NetworkRequests, Effects]:
    """Enable Network on new sessions, and follow each request to its end. `targets` is as after this input."""
    if not requests.is_watched:
        return requests, ()
    match received:
        case EventReceived(_, target.AttachedToTarget() as event) if event.session_id in targets.sessions:
            requests = requests if requests.keeps_since is not None else replace(requests, keeps_since=now)
            return requests, _watch(event.session_id)
        case EventReceived(_, target.DetachedFromTarget()):
            left = {key: request for key, request in requests.under_way.items() if key[0] in targets.sessions}
            return replace(requests, under_way=left), ()
        case EventReceived(str() as session_id, event):
            return _follow(requests, session_id, event, now), ()
        case _:
            return requests, ()


def _watch_all(world: World, call_id: str, now: float) -> tuple[World, Effects]:
    """Have all requests kept from now on, and complete the call with the time from which they are."""
    requests = world.network_requests
    effects: Effects = ()
    if requests.keeps_since is None:
        requests = replace(requests, is_watched=True, keeps_since=now)
        sessions = [session.session_id for session in world.targets.sessions.values() if not session.stale]
        effects = tuple(effect for session_id in sessions for effect in _watch(session_id))
    completing = CompleteCall(call_id, CommandResult(requests.keeps_since))
    return replace(world, network_requests=requests), (*effects, completing)


def _watch(session_id: str) -> Effects:
    return tuple(Send(command=command, session_id=session_id) for command in _WATCH)


def on_disconnected(requests: NetworkRequests) -> NetworkRequests:
    """Forget the requests in flight: without a connection their end is not announced."""
    return replace(requests, under_way={})


def _follow(requests: NetworkRequests, session_id: str, event: object, now: float) -> NetworkRequests:
    match event:
        case network.RequestWillBeSent():
            started = RequestInFlight(
                url=event.request.url,
                method=event.request.method,
                type=event.type or "Other",
                frame_id=event.frame_id,
                started_at=now,
            )
            kept = {**requests.under_way, (session_id, event.request_id): started}
            if len(kept) > MAX_UNDER_WAY:  # long polls and streams may never end
                del kept[next(iter(kept))]
            return replace(requests, under_way=kept)
        case network.ResponseReceived():
            key = (session_id, event.request_id)
            known = requests.under_way.get(key)
            if known is None:
                return requests
            answered = replace(known, status=event.response.status)
            requests = replace(requests, under_way={**requests.under_way, key: answered})
            # Measured: a refusal whose body the page does not read never has a `Network.loadingFinished`.
            return _end(requests, key, now) if event.response.status >= REFUSED else requests
        case network.LoadingFinished():
            return _end(requests, (session_id, event.request_id), now)
        case network.LoadingFailed():
            return _end(requests, (session_id, event.request_id), now, error=event.error_text)
        case _:
            return requests


def _end(requests: NetworkRequests, key: tuple[str, str], now: float, error: str = "") -> NetworkRequests:
    ended = requests.under_way.get(key)
    if ended is None:
        return requests
    left = {**requests.under_way}
    del left[key]
    requests = replace(requests, under_way=left)
    duration_s = now - ended.started_at
    if not error and (ended.status or 0) < REFUSED and duration_s < SLOW_S:
        return requests
    failed = FailedRequest(
        url=ended.url,
        method=ended.method,
        type=ended.type,
        frame_id=ended.frame_id,
        session_id=key[0],
        status=ended.status,
        error=error,
        duration_s=duration_s,
        ended_at=now,
    )
    return replace(requests, failed=(*requests.failed, failed)[-RECENT:], count=requests.count + 1)
