"""A session, with a separate agent, for each HTTP client that has sent `initialize`."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from supervisor.cli.session_agent import SessionAgent

from .served_sessions import ServedSession

SESSION, VERSION = "mcp-session-id", "mcp-protocol-version"
IDLE_S = 1800.0
"""After so long without a request a session is over: its id is answered with 404."""
MOST = 100
"""Sessions at a time: each has a separate agent."""
LATER_S = 60.0
"""So much later its agent is ended, too."""


class HttpSessions:
    """The sessions by the header `Mcp-Session-Id`, which is kept nowhere else."""

    def __init__(self, make: Callable[[], SessionAgent], *, ask_user: bool) -> None:
        self._make = make
        self._ask_user = ask_user
        self._entries: dict[str, _Entry] = {}
        self._requests = Counter[str]()
        """Those that are being served."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def of(self, client: str) -> ServedSession:
        """Return the session of a client, made for its first request. Raises `MCPError` for a client without an id,
        and when there are `MOST`."""
        if not client:
            raise MCPError(INVALID_REQUEST, "this server serves sessions: begin with `initialize`")
        entry = self._entries.get(client)
        if entry is None:
            if len(self._entries) >= MOST:
                raise MCPError(INVALID_REQUEST, f"this server serves {MOST} sessions at a time, and has as many")
            entry = self._entries[client] = _Entry(ServedSession(self._make(), ask_user=self._ask_user))
        await entry.begin()
        return entry.session

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """See `ServedSessions`."""
        try:
            yield
        finally:
            for timer in self._timers.values():
                timer.cancel()
            await asyncio.gather(*map(self.end, tuple(self._entries)), *self._ending)

    async def end(self, session_id: str) -> None:
        """End a session, and its agent; does nothing for one that is not known."""
        timer = self._timers.pop(session_id, None)
        if timer is not None:
            timer.cancel()
        entry = self._entries.pop(session_id, None)
        if entry is not None:
            await entry.end()

    @asynccontextmanager
    async def request(self, session_id: str) -> AsyncGenerator[None]:
        """A request of a session is served."""
        timer = self._timers.pop(session_id, None)
        if timer is not None:
            timer.cancel()
        self._requests[session_id] += 1
        try:
            yield
        finally:
            self._requests[session_id] -= 1
            if not self._requests[session_id]:
                del self._requests[session_id]
                if session_id in self._entries:
                    loop = asyncio.get_running_loop()
                    self._timers[session_id] = loop.call_later(IDLE_S + LATER_S, self._expire, session_id)

    def _expire(self, session_id: str) -> None:
        ending = asyncio.create_task(self.end(session_id))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


class _Entry:
    """A session, begun by its first request."""

    def __init__(self, session: ServedSession) -> None:
        self.session = session
        self._stack = AsyncExitStack()
        self._lock = asyncio.Lock()
        self._has_begun = False

    async def begin(self) -> None:
        async with self._lock:
            if not self._has_begun:
                self._has_begun = True
                await self._stack.enter_async_context(self.session.running())

    async def end(self) -> None:
        async with self._lock:
            self._has_begun = True
            await self._stack.aclose()


class SessionRequests:
    """Tells `HttpSessions` of the requests of each session, and of its end.

    The protocol of 2026 has no sessions over HTTP: it is refused with the versions that have, and clients take one of
    these.
    """

    def __init__(self, app: ASGIApp, sessions: HttpSessions) -> None:
        self._app = app
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        version, session_id = headers.get(VERSION), headers.get(SESSION)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            await _unsupported(version)(scope, receive, send)
            return
        if session_id is None:
            await self._app(scope, receive, send)
            return
        statuses: list[int] = []

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            await send(message)

        async with self._sessions.request(session_id):
            await self._app(scope, receive, watched)
        if 404 in statuses or (scope["method"] == "DELETE" and 200 in statuses):
            await self._sessions.end(session_id)


def _unsupported(version: str) -> JSONResponse:
    error = {
        "code": UNSUPPORTED_PROTOCOL_VERSION,
        "message": "Unsupported protocol version: this server serves sessions",
        "data": {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": version},
    }
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, 400)
