"""One websocket, driven through the sans-IO core of the `websockets` library.

Driving the core directly (instead of that library's asyncio client) makes sending synchronous and ordered, follows no
redirect, and lets `Keepalive` own the clocks that decide when a silent peer is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl as tls
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from typing import Any, cast

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus, PayloadTooBig
from websockets.http11 import Response
from websockets.protocol import State
from websockets.uri import parse_uri

from cdp_typed.transport.frame_reader import FrameReader
from cdp_typed.transport.handshake import SILENT, Handshake, NotAWebSocket, UpgradeRefused, opening
from cdp_typed.transport.heartbeat import Heartbeat
from cdp_typed.transport.keepalive import PING_INTERVAL, Keepalive
from cdp_typed.transport.receive_queue import GONE, LEFT, VIOLATED, ReceiveQueue, closed_with, too_big
from cdp_typed.transport.tcp import dial


async def open_websocket(
    url: str,
    *,
    open_timeout: float,
    max_size: int,
    headers: Mapping[str, str] | None = None,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
    ping_interval: float | None = PING_INTERVAL,
    v8_version: str = "",
    watch: Callable[[asyncio.Timeout], Coroutine[Any, Any, None]] | None = None,
) -> WebSocketTransport:
    """Dial `url` (`ws://` or `wss://`) and do the opening handshake, all within `open_timeout` seconds.

    `proxy` is an HTTP proxy (see `dial`); `ssl` is for `wss://`, in place of the system's trust; `ping_interval` is
    explained by `Keepalive`, `v8_version` by `Heartbeat`. `watch` runs beside the handshake and may move its deadline.
    Raises `EndpointError`: no server listens, the handshake was
    refused or never answered, TLS failed.
    """
    handshake = Handshake.of(url, headers, ssl)
    core = ClientProtocol(parse_uri(handshake.url), max_size=max_size, logger=SILENT)
    wire = WebSocketTransport(core, max_size=max_size, ping_interval=ping_interval, v8_version=v8_version)
    try:
        async with opening(handshake, open_timeout) as deadline, _beside(watch, deadline):
            sock = await dial(handshake.host, handshake.port, proxy=proxy)
            await asyncio.get_running_loop().create_connection(
                lambda: wire, sock=sock, ssl=handshake.ssl, server_hostname=handshake.host if handshake.ssl else None
            )
            await wire.shake_hands(handshake.headers)
    except BaseException:
        wire.abort()
        raise
    return wire


@contextlib.asynccontextmanager
async def _beside(
    watch: Callable[[asyncio.Timeout], Coroutine[Any, Any, None]] | None, deadline: asyncio.Timeout
) -> AsyncGenerator[None]:
    """Let `watch` run for the length of the block."""
    task = asyncio.create_task(watch(deadline)) if watch is not None else None
    try:
        yield
    finally:
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()  # raises what it raised


class WebSocketTransport(asyncio.Protocol):
    """`Transport` over a websocket. Binary frames are received like text; everything is sent as text."""

    def __init__(self, core: ClientProtocol, *, max_size: int, ping_interval: float | None, v8_version: str) -> None:
        self._core = core
        self._max_size = max_size
        self._wire: asyncio.Transport | None = None
        self._shaken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._received = ReceiveQueue()
        self._heartbeat = Heartbeat(ping=self._ping, send=self.send, v8_version=v8_version)
        self._keepalive = Keepalive(ping_interval, ask=self._heartbeat.ask, give_up=self._give_up)
        self._frames = FrameReader(core, max_size=max_size)
        self._why: str | None = None

    async def shake_hands(self, headers: Mapping[str, str]) -> None:
        """The opening handshake. Raises `UpgradeRefused` or `NotAWebSocket`."""
        request = self._core.connect()
        for name, value in headers.items():
            # Replaced, not added: a second Host or Authorization line would be an error.
            with contextlib.suppress(KeyError):
                del request.headers[name]
            request.headers[name] = value
        self._core.send_request(request)
        self._flush()
        await self._shaken
        self._keepalive.start()

    def send(self, data: bytes) -> None:
        """See `Transport.send`."""
        if self._core.state is State.OPEN:
            self._core.send_text(data)
            self._flush()

    def send_many(self, messages: Sequence[bytes]) -> None:
        """See `SendsMany.send_many`."""
        if self._core.state is State.OPEN:
            for message in messages:
                self._core.send_text(message)
            self._flush()

    async def receive(self) -> bytes:
        """See `Transport.receive`."""
        return await self._received.receive()

    async def receive_many(self) -> Sequence[bytes]:
        """See `ReceivesMany.receive_many`."""
        return await self._received.receive_many()

    async def close(self) -> None:
        """See `Transport.close`."""
        self._why = self._why or LEFT
        if self._core.state is State.OPEN:
            self._core.send_close(1000)
            self._flush()
        await self._received.wait_ended()

    def abort(self) -> None:
        """End the connection now, without a closing handshake."""
        self._shaken.cancel()  # who dialled may have left before it waited for this
        self._give_up(LEFT)

    # -- asyncio.Protocol ----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._wire = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._keepalive.received()
        at = 0
        while self._core.state is State.CONNECTING and at < len(data):
            # Line by line, so that the core gets nothing of what may follow the answer.
            line = data[at : data.find(b"\n", at) + 1 or None]
            at += len(line)
            self._core.receive_data(line)
            self._answered()
        # Bytes, whatever the loop's own buffers are.
        messages = self._heartbeat.without_answers(self._frames.feed(bytes(data[at:])))
        self._flush()
        if messages:
            self._received.put_many(messages)

    def eof_received(self) -> None:
        self._core.receive_eof()
        self._answered()

    def connection_lost(self, exc: Exception | None) -> None:
        self._core.receive_eof()
        self._answered()
        self._keepalive.stop()
        self._received.end(self._reason(exc), exc or self._core.parser_exc)

    # -- to and from the core ------------------------------------------------------------------------------------

    def _answered(self) -> None:
        self._flush()
        for event in self._core.events_received():
            is_accepted = isinstance(event, Response) and self._core.handshake_exc is None
            if is_accepted and not self._shaken.done():  # or who dialled has given up in this step of the loop
                self._shaken.set_result(None)
        if self._core.handshake_exc is not None and not self._shaken.done():
            self._shaken.set_exception(_explain(self._core.handshake_exc))

    def _flush(self) -> None:
        assert self._wire is not None
        if self._core.close_expected():
            # A peer that sends a close frame and keeps the TCP connection would leave `receive` waiting for ever.
            self._keepalive.closing()
        parts = self._core.data_to_send()
        if self._wire.is_closing() or not parts:
            return
        if data := b"".join(parts):
            self._wire.write(data)
        if parts[-1] == b"":  # how the core says that nothing follows
            if self._wire.can_write_eof():
                self._wire.write_eof()
            else:
                self._wire.close()

    # -- the end -------------------------------------------------------------------------------------------------

    def _ping(self) -> None:
        if self._core.state is State.OPEN:
            self._core.send_ping(b"")
            self._flush()

    def _give_up(self, why: str | None) -> None:
        self._why = self._why or why
        if self._wire is not None:
            self._wire.abort()

    def _reason(self, exc: Exception | None) -> str:
        if self._why is not None:
            return self._why
        broken = self._core.parser_exc
        if isinstance(broken, PayloadTooBig):
            size = None if broken.size is None else broken.size + (broken.current_size or 0)
            return too_big(size, self._max_size)
        if self._core.close_rcvd is not None:
            return closed_with(self._core.close_rcvd.code)
        if isinstance(broken, EOFError) or isinstance(exc, OSError):
            return GONE
        return VIOLATED


def _explain(failure: Exception) -> Exception:
    if isinstance(failure, InvalidStatus):
        response = failure.response
        return UpgradeRefused(response.status_code, response.headers, bytes(response.body))
    return NotAWebSocket(hung_up=isinstance(failure.__cause__, EOFError))
