"""The tool `browser_requests`."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Annotated, get_args
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from cdp_typed.protocol import network
from cdp_typed.redaction.texts import REDACTED, is_plain_header
from supervisor.core.state.observed import REFUSED, NetworkRequests, SeenRequest
from supervisor.core.vocabulary.requests import RequestsWatched
from supervisor.driver.driver import Driver
from supervisor.tools.framework.coercion import chosen
from supervisor.tools.framework.redaction import TrafficRedaction
from supervisor.tools.framework.results import rows_that_fit
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText, PageText

from .saved_traffic import BodiesLeftOut, body_of, har_of, without_secrets, write

LONGEST_BODY = 20_000
MOST = 30


class RequestsArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_requests`."""

    id: int | None = None
    """Show this request whole."""
    url: str | None = None
    """A part of the URL."""
    host: str | None = None
    """With its subdomains."""
    method: str | None = None
    type: tuple[str, ...] = ()
    """Document, Script, Image, XHR, Fetch, ..."""
    status: int | None = None
    failed: bool = False
    """Only errors, and status 400 and above."""
    limit: Annotated[int, Meta(ge=1, le=100)] | None = None
    """The newest, oldest first; else what fits."""
    body: bool = False
    """With id: bodies, too."""
    save: str | None = None
    """File name: for its response body; without id, for all that match, as HAR."""


class RequestLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request."""

    id: int
    method: PageText
    url: PageText
    type: str
    status: int | None = None
    error: str = ""
    pending: bool = False
    duration_s: float | None = None
    size: int | None = None
    """The bytes of the response on the wire."""
    frame_id: str | None = None
    """Omitted for the top frame of the page."""


class WholeRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The details of one request. Values of headers that may be credentials are left out."""

    request_headers: dict[str, PageText] = {}
    response_headers: dict[str, PageText] = {}
    mime_type: PageText = ""
    protocol: PageText = ""
    from_cache: bool = False
    initiator: str = ""
    """`parser`, `script`, ..."""
    initiator_url: PageText = ""
    timing_ms: dict[str, float] = {}
    """Milliseconds of each part: `dns`, `connect`, `tls`, `send`, `wait`."""
    request_body: LongPageText = ""
    response_body: LongPageText = ""
    body_left_out: str = ""
    """The reason for which a body is missing, or cut."""


class Requests(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Requests, oldest first."""

    kept_since: str = ""
    """The time in UTC before which requests are not known, unless they are kept from the beginning."""
    requests: list[RequestLine] = []
    more: int = 0
    """Requests that match and are not shown."""
    forgotten: int = 0
    """Earlier requests that are no longer kept, and so are in no file."""
    whole: WholeRequest | None = None
    saved: str = ""
    """The path of the file."""
    bodies_left_out: list[BodiesLeftOut] = []
    """Responses in the HAR file without their body."""


@tool(toolset="browser-network", works_during_dialog=True)
async def browser_requests(context: ToolContext, arguments: RequestsArguments) -> Requests:
    """List requests, or show one whole. If no setting has them kept, the first call begins to."""
    context.policy.check_method(network.Enable.METHOD)
    began, kept = await context.supervisor.with_driver(_watch)
    is_whole = context.supervisor.config.watch_requests
    since = "" if is_whole else datetime.fromtimestamp(began, UTC).isoformat(timespec="seconds")
    top = context.supervisor.snapshot().frame_tree.top
    top_id, redaction = None if top is None else top.frame_id, TrafficRedaction(context.policy.redact)
    if arguments.id is not None:
        seen = kept.recent.get(arguments.id)
        if seen is None:
            raise InvalidArgument("id", "no such request is kept")
        whole = await _whole(context, seen, redaction, with_bodies=arguments.body)
        saved = await _saved_body(context, seen, redaction, arguments.save) if arguments.save else ""
        return Requests(
            kept_since=since, requests=[_line(arguments.id, seen, top_id, redaction)], whole=whole, saved=saved
        )
    types = chosen("type", arguments.type, get_args(network.ResourceType))
    found = {number: seen for number, seen in kept.recent.items() if _is_meant(seen, arguments, types, redaction)}
    shown = [_line(number, found[number], top_id, redaction) for number in list(found)[-(arguments.limit or MOST) :]]
    shown = shown[-(arguments.limit or rows_that_fit(reversed(shown), MOST)) :]
    saved, missing = "", list[BodiesLeftOut]()
    if arguments.save:
        har, missing = await har_of(context, found, redaction)
        saved = await asyncio.to_thread(write, arguments.save, har)
    return Requests(
        kept_since=since,
        requests=shown,
        more=len(found) - len(shown),
        forgotten=kept.seen - len(kept.recent),
        saved=saved,
        bodies_left_out=missing,
    )


async def _saved_body(context: ToolContext, seen: SeenRequest, redaction: TrafficRedaction, name: str) -> str:
    body, why = await body_of(context, seen)
    if body is None:
        raise InvalidArgument("save", why)
    return await asyncio.to_thread(lambda: write(name, without_secrets(body, seen, redaction)))


async def _watch(driver: Driver) -> tuple[float, NetworkRequests]:
    since: float = await driver.request(RequestsWatched)
    return since, driver.state.world.network_requests


def _is_meant(
    seen: SeenRequest, wanted: RequestsArguments, types: Collection[str], redaction: TrafficRedaction
) -> bool:
    """The part of a URL is sought in the redacted URL, so that nobody can guess a secret part by part."""
    status = seen.response.status if seen.response else None
    return (
        (wanted.url is None or wanted.url in redaction.text(seen.request.url))
        and (wanted.host is None or _is_of_host(seen.request.url, wanted.host))
        and (wanted.method is None or wanted.method.upper() == seen.request.method.upper())
        and (not types or seen.type in types)
        and (wanted.status is None or wanted.status == status)
        and (not wanted.failed or bool(seen.error) or (status or 0) >= REFUSED)
    )


def _is_of_host(url: str, wanted: str) -> bool:
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        return False
    return host == wanted.lower() or host.endswith(f".{wanted.lower()}")


def _line(number: int, seen: SeenRequest, top_id: str | None, redaction: TrafficRedaction) -> RequestLine:
    return RequestLine(
        id=number,
        method=seen.request.method,
        url=redaction.text(seen.request.url),
        type=seen.type,
        status=seen.response.status if seen.response else None,
        error=seen.error,
        pending=seen.ended_at is None,
        duration_s=None if seen.ended_at is None else round(seen.ended_at - seen.started_at, 3),
        size=None if seen.size is None else int(seen.size),
        frame_id=None if seen.frame_id == top_id else seen.frame_id,
    )


async def _whole(
    context: ToolContext, seen: SeenRequest, redaction: TrafficRedaction, *, with_bodies: bool
) -> WholeRequest:
    response = seen.response
    request_body = response_body = left_out = ""
    if with_bodies:
        request_body = redaction.text((seen.request.post_data or "")[:LONGEST_BODY])
        response_body, left_out = await _body(context, seen, redaction)
    return WholeRequest(
        request_headers=_headers(seen.request.headers, redaction),
        response_headers=_headers(response.headers, redaction) if response else {},
        mime_type=response.mime_type if response else "",
        protocol=(response.protocol or "") if response else "",
        from_cache=bool(response and (response.from_disk_cache or response.from_prefetch_cache)),
        initiator=seen.initiator.type,
        initiator_url=redaction.text(_initiator_url(seen.initiator)),
        timing_ms=_timing(response.timing) if response and response.timing else {},
        request_body=request_body,
        response_body=response_body,
        body_left_out=left_out,
    )


async def _body(context: ToolContext, seen: SeenRequest, redaction: TrafficRedaction) -> tuple[str, str]:
    """Return the text of a body, and the reason if it is missing or cut. Raises what `body_of` raises."""
    body, why = await body_of(context, seen)
    if body is None:
        return "", why
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return "", "the body is not text"
    cut = "" if len(text) <= LONGEST_BODY else f"cut after {LONGEST_BODY} of {len(text)} characters"
    return redaction.text(text[:LONGEST_BODY]), cut


def _headers(headers: Mapping[str, object], redaction: TrafficRedaction) -> dict[str, str]:
    return {name: redaction.text(str(value)) if is_plain_header(name) else REDACTED for name, value in headers.items()}


def _initiator_url(initiator: network.Initiator) -> str:
    if initiator.url:
        return initiator.url
    frames = initiator.stack.call_frames if initiator.stack else ()
    return f"{frames[0].url}:{frames[0].line_number + 1}" if frames else ""


def _timing(timing: network.ResourceTiming) -> dict[str, float]:
    """Chromium gives -1 for a part that did not happen, for example a connection that was there already."""
    parts = {
        "dns": (timing.dns_start, timing.dns_end),
        "connect": (timing.connect_start, timing.connect_end),
        "tls": (timing.ssl_start, timing.ssl_end),
        "send": (timing.send_start, timing.send_end),
        "wait": (timing.send_end, timing.receive_headers_end),
    }
    return {name: round(end - start, 3) for name, (start, end) in parts.items() if start >= 0 and end >= 0}
