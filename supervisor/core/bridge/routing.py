"""The routes of callers: which one takes a held request, and the command that the browser gets for it."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.helpers.shared.har.har_answers import OF_THE_WIRE, answer_for
from cdp_typed.protocol import fetch
from supervisor.core.state.bridge import ArmedRoute, Interception
from supervisor.core.vocabulary.command_tags import RequestAnswered
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.errors import UnknownRoute
from supervisor.core.vocabulary.requests import Route, RouteAdded, RoutesRemoved
from supervisor.core.vocabulary.timers import RouteDelay


def add(interception: Interception, request: RouteAdded) -> tuple[Interception, Effects]:
    """Add a route, and complete the call with its id."""
    count = interception.route_count + 1
    armed = ArmedRoute(id=f"route-{count}", route=request.route)
    added = replace(interception, routes=(*interception.routes, armed), route_count=count)
    return added, (CompleteCall(request.call_id, CommandResult(armed.id)),)


def remove(interception: Interception, request: RoutesRemoved) -> tuple[Interception, Effects]:
    """Remove one route or all, and complete the call with the removed ids, or with `UnknownRoute`."""
    ids = tuple(armed.id for armed in interception.routes)
    if request.route_id is not None and request.route_id not in ids:
        return interception, (CompleteCall(request.call_id, UnknownRoute(request.route_id, ids)),)
    removed = ids if request.route_id is None else (request.route_id,)
    left = tuple(armed for armed in interception.routes if armed.id not in removed)
    return replace(interception, routes=left), (CompleteCall(request.call_id, CommandResult(removed)),)


def patterns(interception: Interception) -> tuple[fetch.RequestPattern, ...]:
    """Return the patterns of the requests and responses that the browser has to hold."""
    held = [
        fetch.RequestPattern(
            url_pattern=armed.route.pattern,
            resource_type=type_,
            request_stage="Response" if armed.route.action == "change_response" else None,
        )
        for armed in interception.routes
        if not armed.is_used_up
        for type_ in armed.route.types or (None,)
    ]
    return tuple(dict.fromkeys(held))


def take(
    interception: Interception, session_id: str, event: fetch.RequestPaused
) -> tuple[Interception, Effects] | None:
    """Have the newest route that matches take a request; None when no route matches."""
    matching = (armed for armed in reversed(interception.routes) if _matches(armed, event))
    taking = next(matching, None)
    if taking is None:
        return None
    routes = tuple(replace(each, hits=each.hits + 1) if each is taking else each for each in interception.routes)
    interception = replace(interception, routes=routes)
    command = _command(taking.route, event)
    if not taking.route.delay_s:
        return interception, (answering(command, session_id, event.request_id),)
    delayed = {**interception.delayed, (session_id, event.request_id): command}
    return replace(interception, delayed=delayed), (
        Arm(RouteDelay(session_id, event.request_id), taking.route.delay_s),
    )


def end_delay(interception: Interception, timer: RouteDelay) -> tuple[Interception, Effects]:
    """Send the command for a request whose delay has ended."""
    key = timer.session_id, timer.request_id
    command = interception.delayed.get(key)
    if command is None:
        return interception, ()
    left = {other: waiting for other, waiting in interception.delayed.items() if other != key}
    return replace(interception, delayed=left), (answering(command, timer.session_id, timer.request_id),)


def answering(command: Command[None], session_id: str | None, request_id: str) -> Send:
    """Send the command for a held request."""
    return Send(command=command, session_id=session_id, tag=RequestAnswered(session_id, request_id))


def _matches(armed: ArmedRoute, event: fetch.RequestPaused) -> bool:
    is_response = event.response_status_code is not None
    return (
        not armed.is_used_up
        and event.response_error_reason is None
        and is_response == (armed.route.action == "change_response")
        and armed.route.method in (None, event.request.method)
        and (not armed.route.types or event.resource_type in armed.route.types)
        and _expression(armed.route.pattern).fullmatch(event.request.url) is not None
    )


@lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    """The pattern as Chromium 156 reads it in `Fetch.enable`: `?` is exactly one character. The first match of each
    part decides (`(?>...)`), so that the time does not grow with the number of `*`."""
    first, *rest = ("".join("." if each == "?" else re.escape(each) for each in part) for part in pattern.split("*"))
    if rest:
        *middle, last = rest
        first += "".join(f"(?>.*?{part})" for part in middle) + f".*{last}"
    return re.compile(first, re.DOTALL)


def _command(route: Route, event: fetch.RequestPaused) -> Command[None]:
    if route.action == "abort":
        return fetch.FailRequest(request_id=event.request_id, error_reason="Failed")
    if route.action == "answer":
        return fetch.FulfillRequest(
            request_id=event.request_id,
            response_code=route.status or 200,
            response_headers=list(route.headers),
            body=route.body_base64 or "",
        )
    if route.action == "replay":
        found = answer_for(route.answers, event.request.method, event.request.url, event.request.post_data)
        if found is None:
            return fetch.FailRequest(request_id=event.request_id, error_reason="Failed")
        return found.command(event.request_id)
    if route.action == "change_response":
        return _changed_response(route, event)
    body = UNSET if route.body_base64 is None else route.body_base64
    return fetch.ContinueRequest(request_id=event.request_id, headers=_changed_headers(route, event), post_data=body)


def _changed_response(route: Route, event: fetch.RequestPaused) -> Command[None]:
    status = route.status or event.response_status_code
    named = {entry.name.lower() for entry in route.headers}
    if route.body_base64 is not None:
        named |= OF_THE_WIRE
    kept = [entry for entry in event.response_headers or () if entry.name.lower() not in named]
    headers = [*kept, *(entry for entry in route.headers if entry.value)]
    if route.body_base64 is None:
        return fetch.ContinueResponse(request_id=event.request_id, response_code=status, response_headers=headers)
    return fetch.FulfillRequest(
        request_id=event.request_id,
        response_code=status or 200,
        response_headers=headers,
        body=route.body_base64,
    )


def _changed_headers(route: Route, event: fetch.RequestPaused) -> list[fetch.HeaderEntry]:
    """The request's headers with those of the route. `Fetch.continueRequest` replaces all but cookies."""
    named = {entry.name.lower() for entry in route.headers}
    kept = [
        fetch.HeaderEntry(name=name, value=str(value))
        for name, value in event.request.headers.items()
        if name.lower() not in named
    ]
    return [*kept, *(entry for entry in route.headers if entry.value)]
