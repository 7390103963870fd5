"""Opening a connection: from an endpoint to a `Connection`, within a deadline."""

from __future__ import annotations

import asyncio
import ssl as tls
import warnings
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from cdp_typed.addresses import InsecureEndpointWarning, check_headers, is_loopback, parse_address, redact
from cdp_typed.client.connection import Connection
from cdp_typed.endpoint.discovery import PIPE, Resolved, resolve
from cdp_typed.endpoint.retry import Retries
from cdp_typed.endpoint.sources import Endpoint, Piped, is_renewable, locate
from cdp_typed.errors import EndpointError
from cdp_typed.transport import Transport
from cdp_typed.transport.keepalive import PING_INTERVAL
from cdp_typed.transport.websocket import open_websocket

__all__ = ["Opening", "connect"]

_NO_TIME = 0.005  # seconds in which no try gets anywhere


def connect(
    endpoint: Endpoint,
    *,
    open_timeout: float = 10.0,
    command_timeout: float | None = 30.0,
    max_size: int = 256 * 2**20,
    headers: Mapping[str, str] | None = None,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
    ping_interval: float | None = PING_INTERVAL,
    strict: bool = False,
    wait_for_browser: bool = False,
) -> Opening:
    """Connect to a browser: `async with connect(...) as browser:`, or `browser = await connect(...)`.

    `endpoint` is one of

    - `ws://...`, `wss://...`, `http(s)://host:port` (the browser is asked for its websocket) or `host:port`;
    - the user data directory of a running browser (a `Path`, or a text that begins with `/`, `./`, `../` or `~`), in
      which the browser wrote `DevToolsActivePort`;
    - a callable, also an async one, that returns such a text: it is called for each dial, and once more when the
      browser answers 401, 403 or 410, so that it can give a URL with a fresh signature;
    - what `cdp_typed.launch.launch` gives.

    All of it must happen within `open_timeout` seconds. A command that names no deadline of its own has
    `command_timeout` seconds (`None`: no deadline). An incoming message beyond `max_size` bytes ends the connection.
    With `strict`, a result or event that differs from the bindings raises `SchemaMismatch` at whoever awaits it.

    `headers` go with every request, and nowhere else. `proxy` is an HTTP proxy, `http://[user:password@]host:port`; it
    is never taken from the environment, and never used for a loopback address. `ssl` is the context for `wss` and
    `https`, for example with the CA of your own; without it, the system's trust decides.

    Every `ping_interval` seconds the browser is asked for a sign of life, and given up when then nothing comes for as
    long: by a websocket ping, or, where that would end the connection (Chromium up to 92, Node), by a command of which
    nobody else hears. `None` asks for nothing: then only the system tells that a browser is gone. A pipe needs none.

    With `wait_for_browser`, an endpoint that refuses is tried again until `open_timeout`; what cannot change (401, 403,
    404, 410, bad TLS) fails at once. A server that answers 429 or 503 with `Retry-After` is left alone for as long (at
    most 30 s) and then tried again, if `open_timeout` allows.

    No redirect is followed and no Origin header sent. Raises `EndpointError`; at once `ValueError` for a header that is
    none or a `ping_interval` that is not above 0. An `InsecureEndpointWarning` says that traffic to another machine is
    not encrypted.
    """
    check_headers(headers or {})
    if ping_interval is not None and not ping_interval > 0:
        raise ValueError(f"ping_interval must be a number of seconds above 0, or None, not {ping_interval!r}")
    options = Options(
        open_timeout=open_timeout,
        command_timeout=command_timeout,
        max_size=max_size,
        headers=headers,
        proxy=proxy,
        ssl=ssl,
        ping_interval=ping_interval,
        strict=strict,
        wait_for_browser=wait_for_browser,
    )
    return Opening(endpoint, options)


@dataclass(frozen=True)
class Options:
    """The arguments of `connect`; `repr` shows no secret."""

    open_timeout: float
    command_timeout: float | None
    max_size: int
    headers: Mapping[str, str] | None = field(repr=False)
    proxy: str | None = field(repr=False)
    ssl: tls.SSLContext | None
    ping_interval: float | None
    strict: bool
    wait_for_browser: bool


class Opening:
    """A connection about to be opened: await it, or enter it to have it closed again."""

    def __init__(self, endpoint: Endpoint, options: Options) -> None:
        self._endpoint = endpoint
        self._options = options
        self._connection: Connection | None = None
        self.dialled: str | None = None
        """The websocket address that was dialled last, with whatever is secret in it."""

    def __await__(self) -> Generator[Any, None, Connection]:
        return self._open().__await__()

    async def __aenter__(self) -> Connection:
        self._connection = await self._open()
        return self._connection

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._connection is not None
        await self._connection.close()

    async def _open(self) -> Connection:
        options = self._options
        wire, resolved = await self._wire()
        return Connection(wire, command_timeout=options.command_timeout, strict=options.strict, endpoint=resolved)

    async def _wire(self) -> tuple[Transport, Resolved]:
        options = self._options
        if isinstance(self._endpoint, Piped):
            return await self._endpoint.open_transport(max_size=options.max_size), PIPE
        loop = asyncio.get_running_loop()
        deadline = loop.time() + options.open_timeout
        retries = Retries(
            deadline=deadline, wait_for_browser=options.wait_for_browser, renewable=is_renewable(self._endpoint)
        )
        refused: EndpointError | None = None
        while True:
            try:
                return await self._dial(deadline)
            except EndpointError as error:
                pause = retries.pause(error, loop.time())
                if pause is None:
                    # A try that the deadline cut short says less than the refusal before it.
                    raise error if refused is None or deadline - loop.time() > _NO_TIME else refused from None
                refused = error
            await asyncio.sleep(pause)

    async def _dial(self, deadline: float) -> tuple[Transport, Resolved]:
        options, loop = self._options, asyncio.get_running_loop()
        assert not isinstance(self._endpoint, Piped)

        def left() -> float:
            return max(0.0, deadline - loop.time())

        found = await locate(self._endpoint, timeout=left())
        _warn_if_insecure(found)
        resolved = await resolve(found, headers=options.headers, timeout=left(), proxy=options.proxy, ssl=options.ssl)
        self.dialled = resolved.url
        wire = await open_websocket(
            resolved.url,
            open_timeout=left(),
            max_size=options.max_size,
            headers=options.headers,
            proxy=options.proxy,
            ssl=options.ssl,
            ping_interval=options.ping_interval,
            v8_version=resolved.v8_version,
        )
        return wire, resolved


def _warn_if_insecure(url: str) -> None:
    address = parse_address(url)
    if address.scheme in ("ws", "http") and not is_loopback(str(address.hostname)):
        warnings.warn(
            f"{redact(url)}: not encrypted: whoever is on the way can drive this browser; use wss:// or https://",
            InsecureEndpointWarning,
            stacklevel=2,
        )
