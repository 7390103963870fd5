"""The tool `browser_route`."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from cdp_typed.errors import CDPError
from cdp_typed.helpers.shared.har.har_answers import HarAnswer
from cdp_typed.helpers.shared.har.har_reading import read_answers
from cdp_typed.protocol import fetch, network, target
from supervisor.aio import AsyncSupervisor
from supervisor.core.state.bridge import ArmedRoute
from supervisor.core.state.frames import origin_of
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.core.vocabulary.requests import Route, RouteAction, RouteAdded, RoutesRemoved
from supervisor.driver.driver import Driver
from supervisor.tools.framework.coercion import chosen
from supervisor.tools.framework.policy import Policy
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, PolicyRefused
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.scripts.second_session import OF_SITES

from .http_logins import credentials
from .saved_traffic import network_files

MOST_ROUTES = 50
WORKERS_S = 5.0
_SCHEMES = ("http://", "https://", "file://", "blob:", "data:", "about:", "chrome://", "chrome-extension://")
_SCRIPT = "Runtime.evaluate"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TYPES: Mapping[str, network.ResourceType] = {
    "document": "Document", "stylesheet": "Stylesheet", "image": "Image", "media": "Media", "font": "Font",
    "script": "Script", "texttrack": "TextTrack", "xhr": "XHR", "fetch": "XHR", "eventsource": "XHR", "ping": "Ping",
    "prefetch": "Prefetch", "manifest": "Manifest", "other": "Other",
}  # fmt: skip
"""The types by their names in `browser_requests`. Chromium 156 names `fetch` and `EventSource` XHR in `Fetch`, and
holds no WebSocket."""
_METHODS: Mapping[RouteAction, tuple[str, ...]] = {
    "answer": (fetch.FulfillRequest.METHOD,),
    "abort": (fetch.FailRequest.METHOD,),
    "change": (fetch.ContinueRequest.METHOD,),
    "change_response": (fetch.ContinueResponse.METHOD, fetch.FulfillRequest.METHOD),
    "replay": (fetch.FulfillRequest.METHOD, fetch.FailRequest.METHOD),
}
_MAY_HOLD_SCRIPTS: tuple[RouteAction, ...] = ("answer", "change_response", "replay")


class RouteArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_route`."""

    action: Literal["answer", "abort", "change", "change_response", "replay", "list", "remove"]
    """change: the request, which then goes on."""
    pattern: str | None = None
    """Of the whole URL, such as */api/users?*; * is any text."""
    method: str | None = None
    type: tuple[str, ...] = ()
    """Such as image,font."""
    status: Annotated[int, Meta(ge=200, le=599)] | None = None
    """For answer and change_response."""
    headers: Annotated[list[TypedText], Meta(max_length=50)] = []
    """Each as Name: value. For a change, Name: removes one."""
    body: TypedText | None = None
    """For answer and changes."""
    login: TypedText | None = None
    """For change: send this saved login, or user:password, as HTTP credentials to one origin."""
    har: str | None = None
    """For replay: a HAR file of browser_requests. Requests without an answer fail."""
    delay_s: Annotated[float, Meta(ge=0, le=60)] = 0
    """Hold the request first."""
    times: Annotated[int, Meta(ge=1)] | None = None
    """At most."""
    id: str | None = None
    """To remove; else all."""


class RouteView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A route."""

    id: str
    action: str
    pattern: str
    har: str | None = None
    method: str | None = None
    types: list[str] = []
    """The types of resources; none: any."""
    hits: int = 0
    """The number of requests that it took."""
    used_up: bool = False


class Routes(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The routes that exist, oldest first."""

    routes: list[RouteView] = []
    added: str | None = None
    """The id of the new route."""
    removed: list[str] = []
    unrouted: list[PageText] = []
    """The shared and service workers of the pages. No route takes their own requests, nor those of pages that a service
    worker answers."""


@tool(toolset="browser-network", destructive=True, works_during_dialog=True)
async def browser_route(context: ToolContext, arguments: RouteArguments) -> Routes:
    """Answer, abort, delay, change or replay requests. The newest matching route takes a request."""
    added, removed = None, list[str]()
    if arguments.action == "remove":
        removed = list(await context.supervisor.with_driver(lambda driver: _remove(driver, arguments.id)))
    elif arguments.action != "list":
        _check(context.policy, arguments.action)
        route = await _route(context, arguments, arguments.action)
        added = await context.supervisor.with_driver(lambda driver: _add(driver, route))
    armed = await context.supervisor.with_driver(_armed)
    workers = await _workers(context.supervisor) if armed else []
    return Routes(routes=[_view(each) for each in armed], added=added, removed=removed, unrouted=workers)


async def _workers(supervisor: AsyncSupervisor) -> list[str]:
    """The addresses of workers whose requests the browser shows to no session of a page (150 and 156)."""
    origins = {frame.origin for frame in supervisor.frames()}
    try:
        infos = (await supervisor.send(target.GetTargets(), timeout_s=WORKERS_S)).target_infos
    except CDPError:  # no page
        return []
    return [info.url for info in infos if info.type in OF_SITES and origin_of(info.url) in origins]


def _check(policy: Policy, action: RouteAction) -> None:
    """Raise `PolicyRefused` for a route whose commands the policy denies. An answer may hold a script, so it is refused
    where scripts are."""
    for method in (fetch.Enable.METHOD, *_METHODS[action]):
        policy.check_method(method)
    if action in _MAY_HOLD_SCRIPTS and policy.why_not_method(_SCRIPT):
        raise PolicyRefused(action, f"a response may hold a script, which {_SCRIPT} may not run")


async def _add(driver: Driver, route: Route) -> str:
    if len(driver.state.world.interception.routes) >= MOST_ROUTES:
        raise InvalidArgument("action", f"{MOST_ROUTES} routes exist; remove some first")
    added: str = await driver.request(lambda call_id: RouteAdded(call_id=call_id, route=route))
    return added


async def _remove(driver: Driver, route_id: str | None) -> tuple[str, ...]:
    removed: tuple[str, ...] = await driver.request(lambda call_id: RoutesRemoved(call_id=call_id, route_id=route_id))
    return removed


async def _armed(driver: Driver) -> tuple[ArmedRoute, ...]:
    return driver.state.world.interception.routes


async def _route(context: ToolContext, arguments: RouteArguments, action: RouteAction) -> Route:
    pattern, headers, answers = arguments.pattern, tuple[fetch.HeaderEntry, ...](), tuple[HarAnswer, ...]()
    if arguments.login is not None:
        if action != "change":
            raise InvalidArgument("login", "only change sends credentials")
        pattern, header = credentials(context.supervisor, arguments.login, pattern)
        headers = (header,)
    if action == "replay":
        pattern, answers = pattern or "*", await _answers(arguments.har)
    if not pattern:
        raise InvalidArgument("pattern", f"{action} needs the pattern of a URL")
    if not _may_match(pattern):
        raise InvalidArgument("pattern", "it matches whole URLs: begin with https:// or *")
    return Route(
        pattern=pattern,
        method=arguments.method.upper() if arguments.method else None,
        types=tuple(dict.fromkeys(_TYPES[name] for name in chosen("type", arguments.type, _TYPES))),
        action=action,
        status=arguments.status,
        headers=(*(_header(line) for line in arguments.headers), *headers),
        body_base64=None if arguments.body is None else b64encode(arguments.body.encode()).decode(),
        delay_s=arguments.delay_s,
        times=arguments.times,
        answers=answers,
        har=arguments.har if action == "replay" else None,
    )


def _may_match(pattern: str) -> bool:
    """Whether the pattern can match a whole URL: its text before the first wildcard begins one."""
    begin = re.split(r"[*?\\]", pattern, maxsplit=1)[0]
    is_all = begin == pattern
    return any(begin.startswith(scheme) or (not is_all and scheme.startswith(begin)) for scheme in _SCHEMES)


async def _answers(name: str | None) -> tuple[HarAnswer, ...]:
    if name is None:
        raise InvalidArgument("har", "replay needs the name of a HAR file")
    try:
        return await asyncio.to_thread(read_answers, network_files().path(name))
    except (InvalidConfig, OSError, ValueError) as error:
        reason = "no such file was saved" if isinstance(error, FileNotFoundError) else str(error)
        raise InvalidArgument("har", reason) from None


def _header(line: str) -> fetch.HeaderEntry:
    name, colon, value = line.partition(":")
    if not colon or not _TOKEN.fullmatch(name) or any(each in value for each in "\r\n\0"):
        raise InvalidArgument("headers", "each is one line, Name: value")
    return fetch.HeaderEntry(name=name, value=value.strip())


def _view(armed: ArmedRoute) -> RouteView:
    route = armed.route
    return RouteView(
        id=armed.id,
        action=route.action,
        pattern=route.pattern,
        har=route.har,
        method=route.method,
        types=list(route.types),
        hits=armed.hits,
        used_up=armed.is_used_up,
    )
