"""`connect`: from an endpoint to a `Connection`, within a deadline."""

from __future__ import annotations

import asyncio
import ssl as tls
import warnings
from collections.abc import Callable, Generator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from cdp_typed.addresses import (
    InsecureEndpointWarning,
    Undisclosed,
    check_headers,
    is_loopback,
    parse_address,
    redact,
)
from cdp_typed.client.argument_checks import require_event_loop
from cdp_typed.client.connection import Connection
from cdp_typed.client.consent import CONSENT_TIMEOUT
from cdp_typed.endpoint.discovery import PIPE, Resolved, resolve
from cdp_typed.endpoint.sources import Endpoint, Piped, check_endpoint, is_renewable, locate
from cdp_typed.errors import EndpointError, NotAllowed
from cdp_typed.transport import Transport
from cdp_typed.transport.keepalive import PING_INTERVAL

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
    consent_timeout: float = CONSENT_TIMEOUT,
    on_consent: Callable[[str], object] | None = None,
) -> Opening:
    """Connect to a browser: `async with connect(...) as browser:`, or `browser = await connect(...)`.

    `endpoint` is `ws://...`, `wss://...`, `http(s)://host:port`, `host:port`, or a port of this machine; the user data
    directory of a running browser (a `Path`, or a text that begins with `/`, `./`, `../`, `~` or a drive of Windows),
    where it wrote `DevToolsActivePort`; `cdp_typed.endpoint.find_running`; a callable (also async) that returns such a
    text, called for each dial and once more after HTTP 401, 403 or 410 (for a fresh signature), or that returns a
    `SharedBrowser`; or a browser of `cdp_typed.launch`.

    `open_timeout` is in seconds. A command without its own deadline has `command_timeout` seconds (`None`: no
    deadline). An incoming message beyond `max_size` bytes ends the connection. With `strict`, a result or event that
    differs from the bindings raises `SchemaMismatch` where it is awaited. `headers` are sent with every request to the
    endpoint, and nowhere else. `proxy` is an HTTP proxy, `http://[user:password@]host:port`, never taken from the
    environment, and never used for a loopback address. `ssl` is for `wss` and `https`, in place of the system's trust.

    Every `ping_interval` seconds a websocket ping is sent, or a command where a ping would end the connection (Chromium
    up to 92, Node); the connection ends when nothing comes for as long after it. `None` sends none. With
    `wait_for_browser`, an endpoint that refuses is tried again until `open_timeout`, except after HTTP 401, 403, 404,
    410 or a TLS error. A 429 or 503 with `Retry-After` is tried again in any case, after that time (30 s at most).

    A browser may ask a person to allow the connection (Chrome 144 and later). Then `open_timeout` does not count:
    `on_consent` is called after a second, with a sentence for the person, who has `consent_timeout` seconds. While
    another program asks that person, this one waits for its turn, as long at most; `on_consent` is called then, too.
    `NotAllowed` is raised when the person refuses or does not answer.

    Follows no redirect and sends no Origin header. Raises `EndpointError`; at once `ValueError` for a malformed header
    or a `ping_interval` of 0 or less, and `TypeError` for what is no endpoint. Warns `InsecureEndpointWarning` of
    unencrypted traffic to other machines.
    """
    check_endpoint(endpoint)
    options = Options(
        open_timeout,
        command_timeout,
        max_size,
        headers,
        proxy,
        ssl,
        ping_interval,
        strict,
        wait_for_browser,
        consent_timeout,
        on_consent,
    )
    return Opening(endpoint, options)


class Options(Undisclosed, frozen=True):
    """The arguments of `connect`, checked."""

    open_timeout: float
    command_timeout: float | None
    max_size: int
    headers: Mapping[str, str] | None
    proxy: str | None
    ssl: tls.SSLContext | None
    ping_interval: float | None
    strict: bool
    wait_for_browser: bool
    consent_timeout: float
    on_consent: Callable[[str], object] | None

    def __post_init__(self) -> None:
        check_headers(self.headers or {})
        if self.ping_interval is not None and not self.ping_interval > 0:
            raise ValueError(f"ping_interval must be a number of seconds above 0, or None, not {self.ping_interval!r}")


class Opening:
    """The return value of `connect`: await it to connect, or enter it to close the connection at the block's end."""

    def __init__(self, endpoint: Endpoint, options: Options) -> None:
        self._endpoint = endpoint
        self._options = options
        self._connection: Connection | None = None
        self.dialled: str | None = None
        """The websocket address that was dialled last, with its secrets."""
        self.asked_person: bool = False
        """Whether a person had to allow the connection."""

    @property
    def command_timeout(self) -> float | None:
        """The deadline of commands without their own, in seconds."""
        return self._options.command_timeout

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

    if not TYPE_CHECKING:  # pragma: no branch - for who forgets to await; type checkers see that themselves

        def __enter__(self) -> Any:
            raise TypeError(
                "connect(...) is async: async with connect(...) as browser, or browser = await connect(...); for code "
                "that is not async: with connect_sync(...) as browser"
            )

        def __exit__(self, *_: object) -> None: ...

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(
                f"connect(...) is not connected yet, so it has no {name!r}: browser = await connect(...), "
                "or async with connect(...) as browser"
            )

    async def _open(self) -> Connection:
        return self.over(*await self.open_transport())

    def over(self, transport: Transport, resolved: Resolved) -> Connection:
        """Make the connection over the result of `open_transport`."""
        options = self._options
        return Connection(transport, command_timeout=options.command_timeout, strict=options.strict, endpoint=resolved)

    async def open_transport(self) -> tuple[Transport, Resolved]:
        """Dial, and return the transport with its address. Raises `EndpointError`."""
        require_event_loop()
        options = self._options
        if isinstance(self._endpoint, Piped):
            return await self._open_pipe(self._endpoint, options.open_timeout), PIPE
        # As in `_dial`: imported here, because a pipe needs none.
        from cdp_typed.endpoint.retry import Retries

        loop = asyncio.get_running_loop()
        deadline = loop.time() + options.open_timeout
        retries = Retries(
            deadline=deadline, wait_for_browser=options.wait_for_browser, renewable=is_renewable(self._endpoint)
        )
        refused: EndpointError | None = None
        while True:
            try:
                return await self._dial(deadline)
            except NotAllowed:
                raise
            except EndpointError as error:
                pause = retries.pause(error, loop.time())
                if pause is None:
                    # The error of a try that the deadline cut short says less than the refusal before it.
                    raise error if refused is None or deadline - loop.time() > _NO_TIME else refused from None
                refused = error
            await asyncio.sleep(pause)

    async def _open_pipe(self, browser: Piped, timeout: float) -> Transport:
        deadline = asyncio.timeout(timeout)
        try:
            async with deadline:
                return await browser.open_transport(max_size=self._options.max_size)
        except TimeoutError:
            if not deadline.expired():
                raise
            shown = "pipe"
            raise EndpointError(f"{shown}: no answer within {timeout:.1f} s", url=shown) from None

    async def _dial(self, deadline: float) -> tuple[Transport, Resolved]:
        # Imported here, because a pipe needs no websocket.
        from cdp_typed.client.connecting import Dial

        options, loop = self._options, asyncio.get_running_loop()
        assert not isinstance(self._endpoint, Piped)

        def remaining() -> float:
            return max(0.0, deadline - loop.time())

        address = await locate(self._endpoint, timeout=remaining())
        if isinstance(address, Piped):
            return await self._open_pipe(address, remaining()), PIPE
        _warn_if_insecure(address)
        resolved = await resolve(
            address, headers=options.headers, timeout=remaining(), proxy=options.proxy, ssl=options.ssl
        )
        self.dialled = resolved.url
        dial = Dial(
            max_size=options.max_size,
            headers=options.headers,
            proxy=options.proxy,
            ssl=options.ssl,
            ping_interval=options.ping_interval,
            consent_timeout=options.consent_timeout,
            on_consent=options.on_consent,
        )
        transport, self.asked_person = await dial.open(self._endpoint, resolved, open_timeout=remaining())
        return transport, resolved


def _warn_if_insecure(url: str) -> None:
    address = parse_address(url)
    if address.scheme in ("ws", "http") and not is_loopback(str(address.hostname)):
        warnings.warn(
            f"{redact(url)}: not encrypted: whoever is on the way can drive this browser; use wss:// or https://",
            InsecureEndpointWarning,
            stacklevel=2,
        )
