"""Slice: all requests of managed pages, in a bounded ring, once a caller has them kept."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import network
from supervisor.core.state.observed import NetworkRequests, SeenRequest
from supervisor.core.state.world import World
from supervisor.core.vocabulary.effects import Effects
from supervisor.core.vocabulary.inputs import EventReceived, Input

MAX_SEEN = 300
NEWEST = 100
"""So many are kept whatever they are; of the others, failures and JSON stay longest."""
MAX_URL = 2_000
"""The characters of a URL that are kept; those of `data:` may have millions."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Keep each request, and add its response and its end."""
    requests = world.network_requests
    match received:
        case EventReceived(str() as session_id, network.RequestWillBeSent() as event) if _is_managed(world, session_id):
            requests = _begin(requests, session_id, event, now)
        case EventReceived(str() as session_id, network.ResponseReceived() as event):
            requests = _change(requests, session_id, event.request_id, response=event.response)
        case EventReceived(str() as session_id, network.LoadingFinished() as event):
            size = event.encoded_data_length
            requests = _change(requests, session_id, event.request_id, ended_at=now, size=size)
        case EventReceived(str() as session_id, network.LoadingFailed() as event):
            requests = _change(requests, session_id, event.request_id, ended_at=now, error=event.error_text)
        case _:
            pass
    return replace(world, network_requests=requests), ()


def _is_managed(world: World, session_id: str) -> bool:
    session = world.targets.sessions.get(session_id)
    return session is not None and world.page_ownership.manages(session.page_id)


def _begin(requests: NetworkRequests, session_id: str, event: network.RequestWillBeSent, now: float) -> NetworkRequests:
    if event.redirect_response is not None:
        response = event.redirect_response
        requests = _change(
            requests, session_id, event.request_id, response=response, ended_at=now, is_redirect=True,
            size=response.encoded_data_length,
        )  # fmt: skip
    seen = SeenRequest(
        session_id=session_id,
        request_id=event.request_id,
        frame_id=event.frame_id,
        type=event.type or "Other",
        request=replace(event.request, url=event.request.url[:MAX_URL]),
        initiator=event.initiator,
        started_at=now,
    )
    number = requests.seen + 1
    kept = {**requests.recent, number: seen}
    if len(kept) > MAX_SEEN:
        del kept[min(list(kept)[:-NEWEST], key=lambda each: kept[each].worth)]
    return replace(requests, recent=kept, seen=number)


def _change(
    requests: NetworkRequests, session_id: str, request_id: network.RequestId, **changes: object
) -> NetworkRequests:
    """Change the newest request with this id. Measured on Chromium 156: the document of an iframe in another process
    begins in the session above it, and ends in that of the iframe."""
    named = [(number, seen) for number, seen in requests.recent.items() if seen.request_id == request_id]
    here = [(number, seen) for number, seen in named if seen.session_id == session_id]
    for number, seen in reversed(here or [each for each in named if each[1].type == "Document"]):
        return replace(requests, recent={**requests.recent, number: replace(seen, **changes)})
    return requests
