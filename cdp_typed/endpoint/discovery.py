"""An endpoint's websocket (`/json/version`), targets (`/json/list`) and schema (`/json/protocol`), over HTTP."""

from __future__ import annotations

import asyncio
import ssl as tls
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from cdp_typed.addresses import EndpointKind, is_loopback, kind_of_address, parse_address, redact
from cdp_typed.conversions import decode
from cdp_typed.endpoint.get_request import GetRequest
from cdp_typed.errors import EndpointError

# Measured on @sparticuz/chromium 103, 112, 122, 131, 141 and 153.
_DIES_OF_IT = (
    "it ended the connection at /json/protocol; a Chromium that was built without the files of DevTools "
    "(@sparticuz/chromium) has no schema, and dies when it is asked for it"
)


class Resolved(Struct, frozen=True):
    """The websocket of an endpoint, with what is known of the other side before it is dialled."""

    url: str
    kind: EndpointKind | None = None
    """`None` where neither the address nor a response tells it."""
    v8_version: str = ""
    """As in `/json/version`; empty where that was not requested, or does not name it."""


PIPE = Resolved("", "browser")
"""The other end of a pipe: always a whole browser."""


class ListedTarget(Struct, frozen=True, kw_only=True):
    """An entry of `/json/list`."""

    id: str
    type: str = ""
    title: str = ""
    url: str = ""
    description: str = ""
    websocket_url: str = field(name="webSocketDebuggerUrl", default="")
    """At the host and port of the request; empty where the endpoint names none."""


class _JsonVersion(Struct):
    websocket_url: str = field(name="webSocketDebuggerUrl", default="")
    v8: str = field(name="V8-Version", default="")


async def resolve(
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
) -> Resolved:
    """Return the `ws://` or `wss://` URL of an endpoint; such a URL itself comes back unchanged, without any I/O.

    For an inspector (Node, Deno) it is the websocket of its one target. Arguments and errors are those of `discover`;
    an inspector of several targets, or of none yet, is an `EndpointError` too.
    """
    result = await discover(endpoint, headers=headers, timeout=timeout, proxy=proxy, ssl=ssl)
    return result if isinstance(result, Resolved) else _only(result, redact(endpoint))


async def discover(
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
) -> Resolved | tuple[ListedTarget, ...]:
    """Return the browser's websocket of an endpoint, or the targets of an inspector without a browser (Node, Deno).

    Of the response only paths are used: scheme, host, port and user info stay the user's, so that a response cannot
    lead to another host. No redirect is followed. `proxy` is an HTTP proxy (see `dial`), `ssl` is for `https`, in place
    of the system's trust. Raises `EndpointError` within `timeout` seconds.
    """
    address = parse_address(endpoint)
    if address.scheme in ("ws", "wss"):
        return Resolved(endpoint, kind_of_address(endpoint))
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout
    try:
        version = _version(await _get(GetRequest(address, "/json/version", headers or {}, proxy, ssl), timeout))
    except EndpointError as error:
        if error.status != 404 or (websocket := _from_port_file(address)) is None:
            raise
        return Resolved(websocket, "browser")
    if version is not None and (url := _at(address, version.websocket_url)):
        return Resolved(url, "browser", version.v8)
    if version is not None:
        request = GetRequest(address, "/json/list", headers or {}, proxy, ssl)
        targets = await _listed(request, deadline - loop.time())
        if targets is not None:
            return targets
    shown = redact(endpoint)
    text = f"{shown}: an HTTP server, but not a browser (its /json/version names no websocket)"
    raise EndpointError(text, url=shown)


async def fetch_targets(
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
) -> tuple[ListedTarget, ...]:
    """Return the targets at an endpoint (`GET /json/list`): pages of a browser, scripts of Node or Deno.

    For a `ws://` or `wss://` endpoint, the request goes to the same host and port. Arguments and errors are those of
    `discover`.
    """
    targets = await _listed(GetRequest(_http_address(endpoint), "/json/list", headers or {}, proxy, ssl), timeout)
    if targets is None:
        shown = redact(endpoint)
        raise EndpointError(f"{shown}: an HTTP server without a list of targets at /json/list", url=shown)
    return targets


async def fetch_protocol(
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
) -> bytes:
    """Return the browser's own schema (`GET /json/protocol`) as JSON; `cdp_typed.schema` reads it.

    For a `ws://` or `wss://` endpoint, the request goes to the same host and port. Arguments and errors are those of
    `discover`.
    """
    request = GetRequest(_http_address(endpoint), "/json/protocol", headers or {}, proxy, ssl)
    instead = "give a file instead: the /json/protocol of another build of that version"
    try:
        return await _get(request, timeout, if_it_ends=f"{_DIES_OF_IT}; {instead}")
    except EndpointError as error:
        if error.status != 404:
            raise
        # Deno 2.9, Lightpanda.
        text = f"{error.url}: it has no schema (HTTP 404 at /json/protocol); {instead}"
        raise EndpointError(text, url=error.url, status=404) from None


async def _get(request: GetRequest, timeout: float, *, if_it_ends: str = "") -> bytes:
    """Do what `http_get` does. It is imported here, because a `ws://` address needs no HTTP."""
    from cdp_typed.endpoint.http_get import http_get

    return await http_get(request, timeout, if_it_ends=if_it_ends)


def _from_port_file(address: SplitResult) -> str | None:
    """Return the websocket of this user's browser on that port: one that asks a person answers 404 to every GET."""
    from cdp_typed.endpoint.running import websocket_at

    is_here = address.scheme == "http" and is_loopback(str(address.hostname))
    return websocket_at(address.port or 80) if is_here else None


def _http_address(endpoint: str) -> SplitResult:
    """Return the HTTP address of an endpoint; for a websocket, its host, port and the path before `/devtools/`."""
    address = parse_address(endpoint)
    if address.scheme in ("http", "https"):
        return address
    root, devtools, _ = address.path.partition("/devtools/")
    return address._replace(scheme="https" if address.scheme == "wss" else "http", path=root if devtools else "")


def _version(body: bytes) -> _JsonVersion | None:
    """Read a `/json/version` response; None if it is not that of a debugging port."""
    try:
        return decode(body, type=_JsonVersion)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


async def _listed(request: GetRequest, timeout: float) -> tuple[ListedTarget, ...] | None:
    """Fetch `/json/list`; None if the server has no such list. Raises `EndpointError` if no server answers."""
    try:
        listed = decode(await _get(request, timeout), type=tuple[ListedTarget, ...])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    except EndpointError as error:
        if error.status is None:
            raise
        return None
    return tuple(replace(item, websocket_url=_at(request.address, item.websocket_url)) for item in listed)


def _only(targets: tuple[ListedTarget, ...], shown: str) -> Resolved:
    """Return the only websocket of an inspector. Raises `EndpointError` if there is none, or more than one."""
    urls = [item.websocket_url for item in targets if item.websocket_url]
    if not urls:
        text = f"{shown}: an inspector without a browser, which has nothing to inspect yet"
        raise EndpointError(text, url=shown, retryable=True)
    if len(urls) > 1:
        text = (
            f"{shown}: an inspector without a browser, and with {len(urls)} targets; give the websocket of one of them"
        )
        raise EndpointError(f"{text} (cdp-typed targets lists them)", url=shown)
    return Resolved(urls[0], kind_of_address(urls[0]))


def _at(address: SplitResult, websocket_url: str) -> str:
    """Return the websocket that a response names, at the user's own host; empty if it names none."""
    scheme = "wss" if address.scheme == "https" else "ws"
    try:
        parts = urlsplit(websocket_url)
    except ValueError:
        return ""
    query = parts.query or address.query
    url = parts._replace(scheme=scheme, netloc=address.netloc, query=query, fragment="").geturl()
    return url if websocket_url else ""
