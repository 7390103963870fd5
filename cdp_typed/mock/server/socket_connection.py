"""A client's TCP connection: HTTP at first, then a websocket if the client asks for one.

Frames are parsed by the sans-IO part of `websockets`. They are written here, because faults need bytes that no library
would write.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from typing import cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import Protocol, Side, State
from websockets.utils import accept_key

from cdp_typed.mock.control.faults import EndConnection, Outgoing, ReadSlowly
from cdp_typed.mock.control.handshake_faults import HandshakeFault, handshake_reply, http_response
from cdp_typed.mock.server.debugging_port import PAGE_PATH, PortRequest, PortResponse, read_request
from cdp_typed.mock.server.delivery import Delivery
from cdp_typed.mock.server.pacing import ReadThrottle
from cdp_typed.mock.state.messages import Hangup

_LARGEST_FRAME = 100 * 2**20
_LARGEST_HEAD = 2**16
_GOODBYE_S = 1.0
"""The seconds that a client has to answer a closing frame."""
_RESET = struct.pack("ii", 1, 0)


class SocketConnection(asyncio.Protocol):
    """A `ClientConnection` over TCP: HTTP first, then a websocket.

    `answer` is called for each request; a `PortResponse` or a `HandshakeFault` ends the connection, None upgrades it.
    """

    def __init__(
        self,
        delivery: Delivery,
        answer: Callable[[PortRequest], PortResponse | HandshakeFault | None],
        left: Callable[[SocketConnection], None],
        *,
        drops_pings: bool = False,
    ) -> None:
        self._delivery = delivery
        self._answer = answer
        self._left = left
        self._drops_pings = drops_pings
        self._head = bytearray()
        self._reader: Protocol | None = None
        self._parts: list[bytes] = []
        self._out: list[bytes] = []
        self._number: int | None = None
        self._silent = False
        self._leaving = False
        self._goodbye: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self._throttle: ReadThrottle | None = None

    @property
    def was_open(self) -> bool:
        """Return whether it was upgraded to a websocket."""
        return self._number is not None

    def go_away(self) -> None:
        """Close it: with a closing frame if the client can read one, and at once if not."""
        self._leaving = True
        if self._transport is None:
            return
        if self._reader is None or self._silent or self._reader.state is not State.OPEN:
            self._tcp.abort()
        else:
            self._hang_up(self._reader, CloseCode.GOING_AWAY)

    @property
    def _tcp(self) -> asyncio.Transport:
        assert self._transport is not None
        return self._transport

    @property
    def _read_throttle(self) -> ReadThrottle:
        assert self._throttle is not None
        return self._throttle

    # -- asyncio.Protocol ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._throttle = ReadThrottle(self._transport)
        if self._leaving:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._read_throttle.took(len(data))
        if self._reader is not None:
            self._read(self._reader, data)
            return
        self._head += data
        head, end, rest = bytes(self._head).partition(b"\r\n\r\n")
        if end:
            self._request(head, rest)
        elif len(self._head) > _LARGEST_HEAD:
            self._tcp.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._read_throttle.end()
        if self._goodbye is not None:
            self._goodbye.cancel()
        if self._number is not None:
            self._delivery.leave(self._number)
        self._left(self)

    # -- the handshake ---------------------------------------------------------------------------------------------

    def _request(self, head: bytes, rest: bytes) -> None:
        request = read_request(head)
        if request is None:
            # Chrome closes the connection without a response to anything but HTTP.
            self._tcp.close()
            return
        match self._answer(request):
            case None:
                self._open(request, rest)
            case PortResponse() as answer:
                self._say_and_close(http_response(answer.status, answer.body, {"Content-Type": answer.content_type}))
            case dial:
                self._say_and_close(handshake_reply(dial))

    def _say_and_close(self, data: bytes | None) -> None:
        if data is None:
            self._read_throttle.stop()
            return
        self._tcp.write(data)
        self._tcp.close()

    def _open(self, request: PortRequest, rest: bytes) -> None:
        fields = {"Upgrade": "WebSocket", "Connection": "Upgrade"}
        fields["Sec-WebSocket-Accept"] = accept_key(request.fields["sec-websocket-key"])
        lines = ["HTTP/1.1 101 WebSocket Protocol Handshake", *(f"{name}: {value}" for name, value in fields.items())]
        self._tcp.write("\r\n".join([*lines, "", ""]).encode())
        self._reader = Protocol(Side.SERVER, state=State.OPEN, max_size=_LARGEST_FRAME)
        target = request.path.removeprefix(PAGE_PATH) if request.path.startswith(PAGE_PATH) else None
        self._number = self._delivery.join(self, target)
        if rest:
            self._read(self._reader, rest)

    # -- incoming --------------------------------------------------------------------------------------------------

    def _read(self, reader: Protocol, data: bytes) -> None:
        reader.receive_data(data)
        # The handshake is done elsewhere, so that all its events are frames.
        for frame in cast("list[Frame]", reader.events_received()):
            if frame.opcode is Opcode.BINARY or (frame.opcode is Opcode.PING and self._drops_pings):
                # Chrome aborts the connection; at a ping, only the old Chrome of this personality does.
                self._tcp.abort()
                return
            if frame.opcode in (Opcode.TEXT, Opcode.CONT):
                self._parts.append(bytes(frame.data))
                if frame.fin:
                    self._message(reader)
        self._after_reading(reader)

    def _message(self, reader: Protocol) -> None:
        data = b"".join(self._parts)
        self._parts.clear()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            reader.fail(CloseCode.INVALID_DATA)
            return
        assert self._number is not None
        self._delivery.receive(self._number, text)

    def _after_reading(self, reader: Protocol) -> None:
        """Send the protocol's own frames: pongs, and closing frames."""
        if self._silent or self._tcp.is_closing():
            return
        for data in reader.data_to_send():
            if data:
                self._tcp.write(data)
        if reader.close_rcvd is not None:
            self._tcp.close()
        elif reader.close_expected() and self._goodbye is None:
            self._goodbye = asyncio.get_running_loop().call_later(_GOODBYE_S, self._tcp.abort)

    # -- outgoing --------------------------------------------------------------------------------------------------

    def put(self, item: Outgoing) -> None:
        """See `ClientConnection.put`."""
        assert self._reader is not None
        if self._silent or self._tcp.is_closing() or self._reader.state is not State.OPEN:
            return
        match item:
            case Hangup():
                self._hang_up(self._reader, item.code)
            case EndConnection():
                self._end(item)
            case ReadSlowly():
                self._read_throttle.slow_down(item.bytes_per_s)
            case _:
                binary = isinstance(item.data, bytes) and not item.text
                data = item.data.encode() if isinstance(item.data, str) else item.data
                frame = _frame(Opcode.BINARY if binary else Opcode.TEXT, data)
                self._out.append(frame[: len(frame) // 2] if item.half else frame)

    def flush(self) -> None:
        """See `ClientConnection.flush`."""
        data = b"".join(self._out)
        self._out.clear()
        if data and not self._tcp.is_closing():
            self._tcp.write(data)

    def _hang_up(self, reader: Protocol, code: int | None) -> None:
        self.flush()
        if code is None:
            self._tcp.abort()
        else:
            reader.send_close(code)
            self._after_reading(reader)

    def _end(self, item: EndConnection) -> None:
        self.flush()
        match item.how:
            case "fin":
                self._tcp.close()
            case "reset":
                raw = cast("socket.socket", self._tcp.get_extra_info("socket"))
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                self._tcp.abort()
            case _:
                if item.how == "goodbye":
                    self._tcp.write(_frame(Opcode.CLOSE, struct.pack("!H", item.code)))
                self._silent = True
                self._read_throttle.stop()


def _frame(opcode: Opcode, data: bytes) -> bytes:
    """Return a frame as a server sends it."""
    first, size = 0x80 | opcode, len(data)
    if size < 126:
        return struct.pack("!BB", first, size) + data
    if size < 2**16:
        return struct.pack("!BBH", first, 126, size) + data
    return struct.pack("!BBQ", first, 127, size) + data
