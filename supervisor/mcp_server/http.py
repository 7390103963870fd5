"""The server over streamable HTTP, behind a door: this machine's own names, no foreign page, a bearer token."""

from __future__ import annotations

import hmac
import ipaddress
import re
import socket
from collections.abc import Callable

import uvicorn
from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from .agent import Agent
from .server import SupervisorServer

PATH = "/mcp"
_HOST = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
"""A `Host` as browsers write it: no user info, no path, no blanks."""
_ORIGIN = re.compile(rf"https?://{_HOST.pattern}")
"""An `Origin` of a page: scheme, host and port, and nothing else."""
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class Address(Struct, frozen=True, kw_only=True):
    """The address that the server listens on, and the clients that it accepts."""

    token: str
    """Every request carries it: `Authorization: Bearer <token>`."""
    host: str = "127.0.0.1"
    port: int = 0
    """0 takes a free one."""
    names: frozenset[str] = frozenset()
    """Host names by which clients know it, besides `host` and, on loopback, `localhost`."""

    def __repr__(self) -> str:
        return f"<Address {self.host}:{self.port}>"

    @property
    def known_as(self) -> frozenset[str]:
        """The names that a `Host` or `Origin` may have."""
        own = _LOOPBACK_NAMES if is_loopback(self.host) else frozenset({self.host.lower()})
        return own | {name.lower() for name in self.names}


def is_loopback(host: str) -> bool:
    """True when only this machine can reach it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


async def serve_http(
    agent: Agent,
    address: Address,
    *,
    ask_user: bool = False,
    structured: bool = False,
    listening: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; `listening` is told the URL. Raises `OSError` for an address that is taken."""
    served = SupervisorServer(agent, ask_user=ask_user, structured=structured)
    app = Door(served.http_app(PATH), address)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=2, lifespan="on"
    )
    with _listen(address) as sock:
        host, port = sock.getsockname()[:2]
        if listening is not None:
            listening(f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}")
        async with served.running():
            await uvicorn.Server(config).serve(sockets=[sock])


def _listen(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address.host, address.port))
        sock.listen()
    except OSError:
        sock.close()
        raise
    return sock


class Door:
    """Refuses requests with a foreign `Host` (DNS rebinding), a foreign `Origin`, or without the token."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app = app
        self._token = address.token.encode()
        self._names = address.known_as

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, as ASGI has it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self.refusal(Headers(scope=scope))
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, reason = refusal
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        await PlainTextResponse(reason, status, headers)(scope, receive, send)

    def refusal(self, headers: Headers) -> tuple[int, str] | None:
        """Status and reason, or None for a request that may come in."""
        if self._is_foreign(headers.getlist("host"), _HOST):
            return 421, "This server is not known by that Host."
        if "origin" in headers and self._is_foreign(headers.getlist("origin"), _ORIGIN):
            return 403, "Pages of that Origin may not use this server."
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), self._token):
            return 401, "A bearer token is needed."
        return None

    def _is_foreign(self, values: list[str], form: re.Pattern[str]) -> bool:
        """Return True unless there is exactly one header, of this form, with a name of this server."""
        parts = form.fullmatch(values[0]) if len(values) == 1 else None
        return parts is None or parts["host"].strip("[]").lower() not in self._names
