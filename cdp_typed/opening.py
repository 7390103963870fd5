"""Opening a connection: from an endpoint to a `Connection`, within a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping
from types import TracebackType
from typing import Any

from cdp_typed.client import Connection
from cdp_typed.endpoint import resolve
from cdp_typed.errors import EndpointError
from cdp_typed.transport.websocket import open_websocket

__all__ = ["Opening", "connect"]

_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 0.5


def connect(
    endpoint: str,
    *,
    open_timeout: float = 10.0,
    command_timeout: float | None = 30.0,
    max_size: int = 256 * 2**20,
    headers: Mapping[str, str] | None = None,
    strict: bool = False,
    wait_for_browser: bool = False,
) -> Opening:
    """Connect to a browser: `async with connect(...) as browser:`, or `browser = await connect(...)`.

    `endpoint` is `ws://...`, `wss://...`, `http(s)://host:port` (the browser is asked for its websocket) or
    `host:port`. All of it must happen within `open_timeout` seconds. A command that names no deadline of its own has
    `command_timeout` seconds (`None`: no deadline). An incoming message beyond `max_size` bytes ends the connection.
    `headers` go with every request. With `strict`, a result or event that differs from the bindings raises
    `SchemaMismatch` at whoever awaits it. With `wait_for_browser`, an endpoint that refuses is tried again until
    `open_timeout`; what cannot change (401, 403, 404, 410, bad TLS) fails at once.

    No proxy is used, no redirect followed, no Origin header sent. Raises `EndpointError`.
    """
    return Opening(
        endpoint,
        open_timeout=open_timeout,
        command_timeout=command_timeout,
        max_size=max_size,
        headers=headers,
        strict=strict,
        wait_for_browser=wait_for_browser,
    )


class Opening:
    """A connection about to be opened: await it, or enter it to have it closed again."""

    def __init__(
        self,
        endpoint: str,
        *,
        open_timeout: float,
        command_timeout: float | None,
        max_size: int,
        headers: Mapping[str, str] | None,
        strict: bool,
        wait_for_browser: bool,
    ) -> None:
        self._endpoint = endpoint
        self._open_timeout = open_timeout
        self._command_timeout = command_timeout
        self._max_size = max_size
        self._headers = headers
        self._strict = strict
        self._wait_for_browser = wait_for_browser
        self._connection: Connection | None = None

    def __await__(self) -> Generator[Any, None, Connection]:
        return self._open().__await__()

    async def __aenter__(self) -> Connection:
        self._connection = await self._open()
        return self._connection

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            await self._connection.close()

    async def _open(self) -> Connection:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._open_timeout
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self._dial(deadline - loop.time())
            except EndpointError as error:
                if not (self._wait_for_browser and error.retryable and loop.time() + pause < deadline):
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _dial(self, seconds: float) -> Connection:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        url = await resolve(self._endpoint, headers=self._headers, timeout=seconds)
        transport = await open_websocket(
            url, open_timeout=max(0.0, deadline - loop.time()), max_size=self._max_size, headers=self._headers
        )
        return Connection(transport, command_timeout=self._command_timeout, strict=self._strict)
