"""An HTTP server for this machine alone: it checks the host name, the origin and a token of each request.

Needs starlette and uvicorn, of the extra `mcp`.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from cdp_typed.addresses import host_of_header
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.driver.controls import served

MAX_MESSAGE = 2**20
"""Bytes of a message that a websocket takes."""
MOST_IDLE = 64
"""Connections on which no request is served: one more, and the oldest is cut off."""
PING_INTERVAL_S = 20.0
"""Seconds between the pings that a client of a websocket gets."""
PING_TIMEOUT_S = 20.0
"""Seconds for the answer to a ping; after that the client counts as gone."""
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_TOKEN_PROTOCOL = "token."
"""The beginning of a websocket subprotocol that is the token, in hexadecimal: scripts of pages can send no header."""


class Address(Struct, frozen=True, kw_only=True):
    """The address that the server listens on, and the clients that it accepts."""

    token: str
    """Every request carries it: `Authorization: Bearer <token>`."""
    host: str = "127.0.0.1"
    port: int = 0
    """0 takes a free one."""
    names: frozenset[str] = frozenset()
    """Host names by which clients know it, besides `host` and, on loopback, `localhost`."""

    def __post_init__(self) -> None:
        if not self.token:
            raise InvalidConfig("token", "", "a text that is not empty: without one, anybody could come in")

    def __repr__(self) -> str:
        return f"<Address {self.host}:{self.port}>"

    @property
    def known_as(self) -> frozenset[str]:
        """The names that a `Host` or `Origin` may have."""
        own = _LOOPBACK_NAMES if is_loopback(self.host) else frozenset({self.host.lower()})
        return own | {name.lower() for name in self.names}

    @contextmanager
    def listen(self) -> Generator[tuple[socket.socket, str]]:
        """Listen for the length of the block: the socket, and its URL. Raises `OSError` when the address is taken."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((self.host, self.port))
            sock.listen()
            host, port = sock.getsockname()[:2]
            with served(host, port, self.names):
                yield sock, f"http://{f'[{host}]' if ':' in host else host}:{port}"


def is_loopback(host: str) -> bool:
    """True when only this machine can reach it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class RequestGuard:
    """Refuses requests with a foreign `Host` (DNS rebinding), a foreign `Origin`, or without the token.

    A websocket may carry the token as a subprotocol. Paths of `public` are served without it: files that are the same
    for everybody.
    """

    def __init__(self, app: ASGIApp, address: Address, *, public: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._token = address.token.encode()
        self._names = address.known_as
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, as ASGI has it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        is_public = scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and scope["path"] in self._public
        refusal = self.refusal(Headers(scope=scope), needs_token=not is_public)
        if refusal is None:
            try:
                await self._app(scope, receive, send)
            except asyncio.CancelledError:
                if scope["type"] != "websocket":
                    raise
                # The program ends, and uvicorn would print a traceback for this websocket.
            return
        status, reason = refusal
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        await PlainTextResponse(reason, status, headers)(scope, receive, send)

    def refusal(self, headers: Headers, *, needs_token: bool = True) -> tuple[int, str] | None:
        """Status and reason, or None for a request that may come in."""
        if self._is_foreign(headers.getlist("host")):
            return 421, "This server is not known by that Host."
        if "origin" in headers and self._is_foreign([_host_of_origin(each) for each in headers.getlist("origin")]):
            return 403, "Pages of that Origin may not use this server."
        if needs_token and not hmac.compare_digest(_token(headers), self._token):
            return 401, "A bearer token is needed."
        return None

    def _is_foreign(self, values: list[str]) -> bool:
        """Return True unless there is exactly one header, with a name of this server."""
        return len(values) != 1 or host_of_header(values[0]) not in self._names


def _host_of_origin(origin: str) -> str:
    """The host and port of an origin, as in a `Host` header; empty if it is no origin of a page."""
    scheme, _, host = origin.partition("://")
    return host if scheme in ("http", "https") else ""


def _token(headers: Headers) -> bytes:
    """Return the token of a request; empty without one."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip().encode()
    for protocol in headers.get("sec-websocket-protocol", "").split(","):
        if protocol.strip().startswith(_TOKEN_PROTOCOL):
            with contextlib.suppress(ValueError):
                return bytes.fromhex(protocol.strip().removeprefix(_TOKEN_PROTOCOL))
    return b""


class _HttpProtocol(H11Protocol):
    """A connection that may be cut off while no request is served on it: more and more of them would take all files
    of the process, and nobody else could come in."""

    cycle: Any
    """The request that is served; None before the first one."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.came_at = self.loop.time()
        open_ones = [each for each in self.connections if isinstance(each, _HttpProtocol)]
        idle = [each for each in open_ones if each.cycle is None or each.cycle.response_complete]
        if len(idle) > MOST_IDLE:
            min(idle, key=lambda each: each.came_at).transport.abort()


class _WebSocketProtocol(WebSocketsSansIOProtocol):
    """A websocket whose client is gone when it answers no ping.

    The one of uvicorn then waits until the client has read what is still to be sent, and tells the application nothing.
    """

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


def settings(app: ASGIApp, *, lifespan: bool = False) -> uvicorn.Config:
    """How each of our servers runs: it does not name itself, and it logs no requests."""
    return uvicorn.Config(
        app,
        log_level="error",  # each warning is about what anybody may send, and who reads stderr?
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        lifespan="on" if lifespan else "off",
        http=_HttpProtocol,
        backlog=1,  # so many are accepted before one is cut off; see `SignalFreeServer.startup`
        ws=_WebSocketProtocol,
        ws_max_size=MAX_MESSAGE,
        ws_ping_interval=PING_INTERVAL_S,
        ws_ping_timeout=PING_TIMEOUT_S,
        ws_per_message_deflate=False,  # pictures are compressed already
    )


class SignalFreeServer(uvicorn.Server):
    """A server that leaves the process's signals to whoever runs it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for sock in sockets or ():
            sock.listen()  # the system keeps more waiting than are accepted at a time

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@asynccontextmanager
async def serving(app: ASGIApp, address: Address, *, lifespan: bool = False) -> AsyncGenerator[str]:
    """Serve beside other work for the length of the block; yields the URL. Raises `OSError` for a taken address."""
    with address.listen() as (sock, url):
        server = SignalFreeServer(settings(app, lifespan=lifespan))
        running = asyncio.create_task(server.serve(sockets=[sock]))
        try:
            yield url
        finally:
            server.should_exit = True
            try:
                await asyncio.shield(running)
            except asyncio.CancelledError:  # by a signal: the application ends in order all the same
                await running
                raise
