"""The fast wire: one websocket, read and written by the `picows` library (the extra `fast`).

That library parses and masks in compiled code. What it leaves open is done here as for the default wire: whole
messages out of fragments, one limit for their size, the clocks, and one reason at the end.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl as tls
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias, cast

from picows import (
    WSCloseCode,
    WSFrame,
    WSHandshakeError,
    WSInvalidStatusError,
    WSListener,
    WSMsgType,
    WSProtocolError,
    WSTransport,
    WSUpgradeResponse,
    ws_connect,  # pyright: ignore[reportUnknownVariableType]  # its **kwargs have no type
)

from cdp_typed.transport.dial import dial
from cdp_typed.transport.handshake import SILENT, Door, NotAWebSocket, Refused, opening
from cdp_typed.transport.heartbeat import Heartbeat
from cdp_typed.transport.inbox import GONE, LEFT, VIOLATED, Inbox, closed_with, too_big
from cdp_typed.transport.keepalive import PING_INTERVAL, Keepalive

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["PicowsTransport", "open_picows"]

_Connect: TypeAlias = Callable[[object], Awaitable[socket.socket]]
_TEXT, _CONTINUATION = WSMsgType.TEXT, WSMsgType.CONTINUATION
_DATA = (_TEXT, WSMsgType.BINARY, _CONTINUATION)
_SIZE = re.compile(r"(\d+) > \d+")

_READ_AT_MOST = 2**18
"""Bytes: what is cut and copied should still be in the processor's cache when it is decoded."""


async def open_picows(
    url: str,
    *,
    open_timeout: float,
    max_size: int,
    headers: Mapping[str, str] | None = None,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
    ping_interval: float | None = PING_INTERVAL,
    v8_version: str = "",
) -> PicowsTransport:
    """See `open_websocket`: the same arguments, the same errors."""
    door = Door.of(url, headers, ssl)
    sock: socket.socket | None = None

    async def connected(_: object) -> socket.socket:
        nonlocal sock
        sock = await dial(door.host, door.port, proxy=proxy)
        return sock

    try:
        async with opening(door, open_timeout):
            return await _shake_hands(
                door,
                connected,
                lambda: PicowsTransport(max_size=max_size, ping_interval=ping_interval, v8_version=v8_version),
                max_size,
            )
    except BaseException:
        # The library leaves the connection of a handshake that is given up open; this ends it.
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        raise


async def _shake_hands(
    door: Door, connected: _Connect, new_listener: Callable[[], WSListener], max_size: int
) -> PicowsTransport:
    try:
        _, listener = await ws_connect(
            new_listener,
            door.url,
            ssl_context=door.ssl,
            socket_factory=connected,
            websocket_handshake_timeout=None,
            logger_name=SILENT,
            max_frame_size=max_size,
            max_redirects=0,
            extra_headers=door.headers,
        )
    except WSInvalidStatusError as refused:
        response = cast("WSUpgradeResponse", refused.response)  # always there with a status
        raise Refused(response.status, response.headers, refused.raw_body or b"") from None
    except WSHandshakeError:
        raise NotAWebSocket(hung_up=False) from None
    # The library tells by this that the connection ended before there was any answer.
    if not isinstance(listener, PicowsTransport):
        raise NotAWebSocket(hung_up=True)
    return listener


class PicowsTransport(WSListener):
    """`Transport` over a websocket. Binary frames are received like text; everything is sent as text."""

    def __init__(self, *, max_size: int, ping_interval: float | None, v8_version: str) -> None:
        super().__init__()
        self._max_size = max_size
        self._inbox = Inbox()
        self._heartbeat = Heartbeat(ping=self._ping, send=self.send, v8_version=v8_version)
        self._keepalive = Keepalive(ping_interval, ask=self._heartbeat.ask, give_up=self._give_up)
        self._wire: WSTransport | None = None
        self._whole: list[bytes] = []
        """Messages of one read, on their way to the inbox."""
        self._parts: list[bytes] = []
        self._size = 0
        self._why: str | None = None
        self._ending: asyncio.Task[None] | None = None

    def send(self, data: bytes) -> None:
        """See `Transport.send`."""
        if self._why is None:
            self._open.send(WSMsgType.TEXT, data)

    def send_many(self, messages: Sequence[bytes]) -> None:
        """See `SendsMany.send_many`; each message is a write of its own, but made in compiled code."""
        for message in messages:
            self.send(message)

    async def receive(self) -> bytes:
        """See `Transport.receive`."""
        return await self._inbox.receive()

    async def receive_many(self) -> Sequence[bytes]:
        """See `ReceivesMany.receive_many`."""
        return await self._inbox.receive_many()

    async def close(self) -> None:
        """See `Transport.close`."""
        self._say_goodbye(LEFT, WSCloseCode.OK)
        await self._inbox.wait_ended()

    def abort(self) -> None:
        """End the wire now, without a goodbye."""
        self._why = self._why or LEFT
        self._open.disconnect(graceful=False)

    # -- picows.WSListener ---------------------------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._wire = transport
        wire = transport.underlying_transport
        inner = cast("asyncio.BufferedProtocol", wire.get_protocol())
        wire.set_protocol(_Ear(inner, self._keepalive.heard, self._hand_over))
        self._keepalive.start()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        whole = kind is _TEXT and frame.fin and frame.payload_size <= self._max_size
        if whole and not (self._parts or self._why or frame.rsv1 or frame.rsv2 or frame.rsv3):  # nearly all frames
            self._whole.append(frame.get_payload_as_bytes())
        elif kind in _DATA:
            self._data(frame, first=kind != _CONTINUATION)
        elif kind == WSMsgType.CLOSE:
            # Out of the bytes: the library has no name for the codes of applications. RFC 6455 calls "none" 1005.
            code = int.from_bytes(frame.get_payload_as_bytes()[:2], "big") or 1005
            self._say_goodbye(closed_with(code), WSCloseCode.OK)
            transport.disconnect()
        if frame.last_in_buffer:  # what came together with the handshake is read before there is an `_Ear`
            self._hand_over()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._keepalive.stop()
        self._hand_over()
        # Why the library itself hung up can be asked only when it is through with this call.
        self._ending = asyncio.get_running_loop().create_task(self._end(transport), name="cdp_typed picows end")

    # -- from frames to messages ---------------------------------------------------------------------------------

    def _data(self, frame: WSFrame, *, first: bool) -> None:
        if self._why is not None and self._why != LEFT:
            return
        size = self._size + frame.payload_size
        if first == bool(self._parts) or frame.rsv1 or frame.rsv2 or frame.rsv3:
            self._break_off(VIOLATED, WSCloseCode.PROTOCOL_ERROR)
        elif size > self._max_size:
            self._break_off(too_big(size, self._max_size, so_far=not frame.fin), WSCloseCode.MESSAGE_TOO_BIG)
        elif first and frame.fin:
            self._whole.append(frame.get_payload_as_bytes())
        else:
            self._parts.append(frame.get_payload_as_bytes())
            self._size = size
            if frame.fin:
                self._whole.append(b"".join(self._parts))
                self._parts.clear()
                self._size = 0

    def _hand_over(self) -> None:
        if self._whole:
            messages = self._heartbeat.without_answers(self._whole)
            self._whole = []
            if messages:
                self._inbox.put_many(messages)

    # -- the end -------------------------------------------------------------------------------------------------

    @property
    def _open(self) -> WSTransport:
        assert self._wire is not None
        return self._wire

    def _say_goodbye(self, why: str, code: WSCloseCode) -> None:
        if self._why is None:
            self._why = why
            self._open.send_close(code)
            self._keepalive.closing()

    def _break_off(self, why: str, code: WSCloseCode) -> None:
        self._say_goodbye(why, code)
        self._open.disconnect()

    def _ping(self) -> None:
        self._open.send_ping()

    def _give_up(self, why: str | None) -> None:
        self._why = self._why or why
        self._open.disconnect(graceful=False)

    async def _end(self, transport: WSTransport) -> None:
        try:
            await transport.wait_disconnected()
        except WSProtocolError as broken:
            self._inbox.end(self._why or self._explain(broken), broken)
        else:
            # How the socket ended, the library does not tell.
            self._inbox.end(self._why or GONE, None if self._why else ConnectionError("the socket closed"))

    def _explain(self, broken: WSProtocolError) -> str:
        if broken.code != WSCloseCode.MESSAGE_TOO_BIG:
            return VIOLATED
        found = _SIZE.search(str(broken))
        return too_big(int(found[1]) if found else None, self._max_size)


class _Ear(asyncio.BufferedProtocol):
    """Stands between the socket and the library's protocol: hears of every byte, reads in pieces, and tells their ends.

    The library tells of whole frames only, and one long message may take longer than a peer may be silent. Of a ping it
    tells nothing at all, not even that the frame before it was the last of a piece.
    """

    def __init__(self, inner: asyncio.BufferedProtocol, heard: Callable[[], None], read: Callable[[], None]) -> None:
        self._inner = inner
        self._heard = heard
        self._read = read

    def get_buffer(self, sizehint: int) -> Buffer:
        return memoryview(self._inner.get_buffer(sizehint))[:_READ_AT_MOST]

    def buffer_updated(self, nbytes: int) -> None:
        self._heard()
        self._inner.buffer_updated(nbytes)
        self._read()

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()
