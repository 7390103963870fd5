"""The browser's end of a wire, in memory: the test reads what the client sends, and writes what it receives."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any

from cdp_typed.transport import TransportClosed


class MemoryWire:
    """Implements `cdp_typed.transport.Transport`."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self._arrived: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._idle = asyncio.Event()
        self._end: TransportClosed | None = None

    # -- the client's side ---------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        if self._end is None:
            self.sent.append(json.loads(data))

    async def receive(self) -> bytes:
        while not self._arrived:
            if self._end is not None:
                raise TransportClosed(self._end.reason) from self._end.__cause__
            self._news.clear()
            self._idle.set()
            await self._news.wait()
        return self._arrived.popleft()

    async def close(self) -> None:
        if self._end is None:
            self.end("closed by this side")

    # -- the browser's side --------------------------------------------------------------------------------------

    def feed(self, *messages: dict[str, Any] | bytes) -> None:
        """Messages for the client: an object is sent as JSON, bytes as they are."""
        self._idle.clear()
        self._arrived.extend(m if isinstance(m, bytes) else _json(m) for m in messages)
        self._news.set()

    def reply(self, result: dict[str, Any] | None = None, *, to: int = -1) -> None:
        """Answer a command: the latest one, or the one at this position of `sent`."""
        self.feed({"id": self.sent[to]["id"], "result": result or {}})

    def event(self, method: str, params: dict[str, Any] | None = None, *, session: str | None = None) -> None:
        """An event, on the browser's own session or on another."""
        self.feed({"method": method, "params": params or {}} | ({"sessionId": session} if session else {}))

    def attach(self, session: str, *, target: str = "T", parent: str | None = None, kind: str = "page") -> None:
        """Announce a session."""
        info = {"targetId": target, "type": kind, "title": "", "url": "", "attached": True, "canAccessOpener": False}
        params = {"sessionId": session, "targetInfo": info, "waitingForDebugger": False}
        self.event("Target.attachedToTarget", params, session=parent)

    def detach(self, session: str, *, parent: str | None = None) -> None:
        """End a session."""
        self.event("Target.detachedFromTarget", {"sessionId": session}, session=parent)

    def end(self, reason: str, cause: BaseException | None = None) -> None:
        """Cut the wire."""
        self._end = TransportClosed(reason)
        self._end.__cause__ = cause
        self._news.set()

    @property
    def ended(self) -> bool:
        """True if either side has ended the wire."""
        return self._end is not None

    async def drained(self) -> None:
        """Until the client has taken and handled everything that was fed."""
        await self._idle.wait()


def _json(message: dict[str, Any]) -> bytes:
    """As Chromium writes it."""
    return json.dumps(message, separators=(",", ":")).encode()
