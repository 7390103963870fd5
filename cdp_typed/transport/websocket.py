"""The default wire: one websocket, driven through the sans-IO core of the `websockets` library.

Driving the core directly (instead of that library's asyncio client) makes sending synchronous and ordered, follows no
redirect, uses no proxy, and lets this file own the two clocks that decide when a silent peer is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl as tls
from collections import deque
from collections.abc import Mapping
from typing import cast

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidHandshake, InvalidStatus, InvalidURI, PayloadTooBig
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.uri import parse_uri

from cdp_typed.address import explain_failure, explain_status, redact
from cdp_typed.errors import EndpointError
from cdp_typed.transport import TransportClosed

__all__ = ["WebSocketTransport", "open_websocket"]

PING_INTERVAL = 10.0
"""Seconds between keepalive pings."""
PING_TIMEOUT = 10.0
"""Seconds without a single byte after a ping, and the peer counts as gone."""
CLOSE_TIMEOUT = 2.0
"""Seconds a peer gets to end the TCP connection after the closing handshake began."""

# The library logs the request line and headers, which hold tokens. A logger outside the hierarchy cannot be
# switched on by anybody's logging configuration.
_SILENT = logging.Logger("cdp_typed.transport.websocket", level=logging.CRITICAL + 1)


async def open_websocket(
    url: str,
    *,
    open_timeout: float,
    max_size: int,
    headers: Mapping[str, str] | None = None,
) -> WebSocketTransport:
    """Dial `url` (`ws://` or `wss://`) and shake hands, all within `open_timeout` seconds.

    Raises `EndpointError`: nobody listens, the handshake was refused or never answered, TLS failed.
    """
    shown = redact(url)
    try:
        uri = parse_uri(url)
        core = ClientProtocol(uri, max_size=max_size, logger=_SILENT)
    except InvalidURI:
        raise EndpointError(f"{shown}: not a websocket address", url=shown) from None
    wire = WebSocketTransport(core, max_size=max_size)
    secure: tls.SSLContext | None = tls.create_default_context() if uri.secure else None
    try:
        async with asyncio.timeout(open_timeout):
            await asyncio.get_running_loop().create_connection(
                lambda: wire, uri.host, uri.port, ssl=secure, server_hostname=uri.host if secure else None
            )
            await wire.shake_hands(headers or {})
    except TimeoutError:
        wire.abort()
        raise EndpointError(
            f"{shown}: no websocket handshake within {open_timeout:.1f} s", url=shown, retryable=True
        ) from None
    except InvalidStatus as refused:
        wire.abort()
        raise explain_status(shown, refused.response.status_code) from None
    except InvalidHandshake as refused:
        wire.abort()
        raise EndpointError(f"{shown}: {_explain_handshake(refused)}", url=shown) from None
    except OSError as failure:
        wire.abort()
        raise explain_failure(shown, failure) from None
    except BaseException:
        wire.abort()
        raise
    return wire


def _explain_handshake(refused: Exception) -> str:
    if isinstance(refused.__cause__, EOFError):
        return "the server hung up during the websocket handshake; it does not look like a browser"
    return "the server answered, but not with a websocket handshake; it does not look like a browser"


class WebSocketTransport(asyncio.Protocol):
    """`Transport` over a websocket. Binary frames are received like text; everything is sent as text."""

    def __init__(self, core: ClientProtocol, *, max_size: int) -> None:
        self._core = core
        self._max_size = max_size
        self._loop = asyncio.get_running_loop()
        self._wire: asyncio.Transport | None = None
        self._shaken: asyncio.Future[None] = self._loop.create_future()
        self._ended: asyncio.Future[TransportClosed] = self._loop.create_future()
        self._messages: deque[bytes] = deque()
        self._fragments: list[bytes] = []
        self._waiter: asyncio.Future[None] | None = None
        self._heard_at = self._loop.time()
        self._pinged_at: float | None = None
        self._ticking: asyncio.TimerHandle | None = None
        self._closing: asyncio.TimerHandle | None = None
        self._why: str | None = None

    async def shake_hands(self, headers: Mapping[str, str]) -> None:
        """The opening handshake. Raises what the core raises: `InvalidHandshake` and its kinds."""
        request = self._core.connect()
        for name, value in headers.items():
            # Replaced, not added: a second Host or Authorization line would be an error.
            with contextlib.suppress(KeyError):
                del request.headers[name]
            request.headers[name] = value
        self._core.send_request(request)
        self._flush()
        await self._shaken
        self._ticking = self._loop.call_later(PING_INTERVAL, self._tick)

    def send(self, data: bytes) -> None:
        """See `Transport.send`."""
        if self._core.state is State.OPEN:
            self._core.send_text(data)
            self._flush()

    async def receive(self) -> bytes:
        """See `Transport.receive`."""
        while not self._messages:
            if self._ended.done():
                ended = self._ended.result()
                raise TransportClosed(ended.reason) from ended.__cause__
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self._messages.popleft()

    async def close(self) -> None:
        """See `Transport.close`."""
        self._why = self._why or "closed by this side"
        if self._core.state is State.OPEN:
            self._core.send_close(1000)
            self._flush()
        await asyncio.shield(self._ended)

    def abort(self) -> None:
        """End the wire now, without a goodbye."""
        if self._wire is not None:
            self._wire.abort()

    # -- asyncio.Protocol ----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._wire = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._heard_at = self._loop.time()
        self._core.receive_data(data)
        self._pump()

    def eof_received(self) -> None:
        self._core.receive_eof()
        self._pump()

    def connection_lost(self, exc: Exception | None) -> None:
        self._core.receive_eof()
        self._pump()
        for timer in (self._ticking, self._closing):
            if timer is not None:
                timer.cancel()
        if not self._shaken.done():
            self._shaken.set_exception(self._core.handshake_exc or exc or ConnectionResetError())
            self._shaken.exception()  # nobody waits for it when the dial itself was cancelled
        closed = TransportClosed(self._reason(exc))
        closed.__cause__ = exc or self._core.parser_exc
        self._ended.set_result(closed)
        self._wake()

    # -- from the core to the messages ---------------------------------------------------------------------------

    def _pump(self) -> None:
        self._flush()
        for event in self._core.events_received():
            if isinstance(event, Response):
                if not self._shaken.done() and self._core.handshake_exc is None:
                    self._shaken.set_result(None)
            elif isinstance(event, Frame):
                self._frame(event)
        if self._core.handshake_exc is not None and not self._shaken.done():
            self._shaken.set_exception(self._core.handshake_exc)

    def _frame(self, frame: Frame) -> None:
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return
        self._fragments.append(bytes(frame.data))
        if frame.fin:
            whole = self._fragments[0] if len(self._fragments) == 1 else b"".join(self._fragments)
            self._fragments.clear()
            self._messages.append(whole)
            self._wake()

    def _flush(self) -> None:
        assert self._wire is not None
        if self._core.close_expected() and self._closing is None:
            # A peer that says goodbye and keeps the TCP connection would leave `receive` waiting for ever.
            self._closing = self._loop.call_later(CLOSE_TIMEOUT, self.abort)
        for data in self._core.data_to_send():
            if self._wire.is_closing():
                return
            if data:
                self._wire.write(data)
            elif self._wire.can_write_eof():
                self._wire.write_eof()
            else:
                self._wire.close()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # -- the end -------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        now = self._loop.time()
        if self._pinged_at is not None and self._heard_at < self._pinged_at:
            self._why = f"the browser was silent for {now - self._heard_at:.0f} s"
            self.abort()
            return
        if self._core.state is State.OPEN:
            self._core.send_ping(b"")
            self._flush()
        self._pinged_at = now
        self._ticking = self._loop.call_later(PING_TIMEOUT, self._tick)

    def _reason(self, exc: Exception | None) -> str:
        if self._why is not None:
            return self._why
        if isinstance(self._core.parser_exc, PayloadTooBig):
            return f"a message is bigger than max_size ({self._max_size} bytes); raise max_size in connect()"
        if self._core.close_rcvd is not None:
            return f"the browser closed the websocket with code {self._core.close_rcvd.code}"
        if isinstance(self._core.parser_exc, EOFError) or isinstance(exc, OSError):
            return "the browser is gone: the socket closed without a goodbye"
        return "the browser broke the websocket protocol"
