"""A browser of a few lines that answers four commands and plays one row of faults, over a websocket or a pipe."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import json
import socket
import struct
from types import TracebackType
from typing import Protocol

from tests.faults.rows import SESSION, Action, Binary, Close, Cut, End, Row, Silence, Text

QUIET = Row((), "no_fault", (Text(b'{"id":$ID,"result":$RESULT}'),))
"""A browser without a fault."""

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TARGET = b'{"targetId":"T1","type":"page","title":"","url":"about:blank","attached":true,"canAccessOpener":false}'
_VERSION = (
    b'{"protocolVersion":"1.3","product":"Chrome/156.0.0.0","revision":"@1","userAgent":"stub","jsVersion":"15.6"}'
)
_RESULTS = {
    "Browser.getVersion": _VERSION,
    "Runtime.evaluate": b'{"result":{"type":"number","value":1,"description":"1"}}',
    "Target.attachToTarget": b'{"sessionId":"%s"}' % SESSION.encode(),
    "Target.getTargetInfo": b'{"targetInfo":%s}' % _TARGET,
}
_ANNOUNCED = b'{"method":"Target.attachedToTarget","params":{"sessionId":"%s","waitingForDebugger":false,' % (
    SESSION.encode()
)


class Wire(Protocol):
    """Carries the stub's messages; the meaning of `end` and `close_frame` depends on the carrier."""

    async def say(self, data: bytes, *, binary: bool = False) -> None: ...
    async def cut(self, data: bytes) -> None: ...
    async def close_frame(self, code: int) -> None: ...
    def end(self, how: str) -> None: ...


class Player:
    """The stub's mind: what to say to each command, whatever wire brought it."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self._first: int | None = None
        self.silent = False

    async def hear(self, message: bytes, wire: Wire) -> None:
        """Answer one command, or play the row if it is the first."""
        command = json.loads(message)
        method, number = str(command["method"]), int(command["id"])
        if method == "Target.attachToTarget":
            await wire.say(_ANNOUNCED + b'"targetInfo":%s}}' % _TARGET)
        elif self._first is None:
            self._first = number
            await self._play(self._row.play, method, wire)
            return
        else:
            await self._play(self._row.before_second, method, wire)
        if not self.silent:
            await wire.say(b'{"id":%d,"result":%s}' % (number, _RESULTS.get(method, b"{}")))

    async def _play(self, actions: tuple[Action, ...], method: str, wire: Wire) -> None:
        for action in actions:
            match action:
                case Text():
                    for _ in range(action.times):
                        await wire.say(self._fill(action.data, method))
                case Binary():
                    await wire.say(self._fill(action.data, method), binary=True)
                case Cut():
                    await wire.cut(action.data)
                case Close():
                    self.silent = True
                    await wire.close_frame(action.code)
                case End():
                    wire.end(action.how)
                case Silence():
                    self.silent = True

    def _fill(self, data: bytes, method: str) -> bytes:
        data = data.replace(b"$ID", b"%d" % (self._first or 0)).replace(b"$SESSION", SESSION.encode())
        return data.replace(b"$RESULT", _RESULTS.get(method, b"{}"))


class StubBrowser:
    """The stub behind `url`, for `async with`. Every connection meets the row anew."""

    def __init__(self, row: Row = QUIET) -> None:
        self._row = row
        self._server: asyncio.Server | None = None
        self._open: set[_Socket] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self.url = ""

    async def __aenter__(self) -> StubBrowser:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}/devtools/browser/stub"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for wire in tuple(self._open):
            wire.end("reset")
        await asyncio.gather(*self._serving)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        wire = _Socket(reader, writer)
        player = Player(self._row)
        self._serving.add(task)
        self._open.add(wire)
        try:
            await wire.shake_hands()
            while not player.silent:
                await player.hear(await wire.hear(), wire)
            await writer.wait_closed()
        except (EOFError, ConnectionError):
            pass  # the client went, or the row hung up
        finally:
            wire.end("fin")
            self._open.discard(wire)
            self._serving.discard(task)


class StubPipe:
    """The stub at the other end of a pipe (messages end with a NUL), for `async with`; `sock` is the client's end."""

    def __init__(self, row: Row = QUIET) -> None:
        self.sock, self._own = socket.socketpair()
        self._player = Player(row)
        self._serving: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def __aenter__(self) -> StubPipe:
        reader, self._writer = await asyncio.open_unix_connection(sock=self._own)
        self._serving = asyncio.create_task(self._serve(reader, self._writer))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._serving is not None
        assert self._writer is not None
        self._writer.transport.abort()
        await self._serving
        self.sock.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = _Pipe(writer)
        with contextlib.suppress(EOFError, ConnectionError):
            while not self._player.silent:
                await self._player.hear((await reader.readuntil(b"\0"))[:-1], wire)
            await writer.wait_closed()
        writer.close()


class _Pipe:
    """The browser's end of a pipe, which knows neither binary nor closing frames."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def say(self, data: bytes, *, binary: bool = False) -> None:
        assert not binary
        self._writer.write(data + b"\0")
        await self._writer.drain()

    async def cut(self, data: bytes) -> None:
        self._writer.write(data[: len(data) // 2])
        await self._writer.drain()

    async def close_frame(self, code: int) -> None:
        raise AssertionError(f"a pipe has no closing frame ({code})")

    def end(self, how: str) -> None:
        assert how == "fin"
        self._writer.close()


class Refuser:
    """A server that answers every dial with the same bytes, or never, for `async with`."""

    def __init__(self, answer: bytes | None) -> None:
        self._answer = answer
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.address = ""
        self.dials = 0
        """Handshakes of websockets that began."""

    async def __aenter__(self) -> Refuser:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for writer in tuple(self._open):
            writer.transport.abort()
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        with contextlib.suppress(EOFError, ConnectionError):
            head = await reader.readuntil(b"\r\n\r\n")
            self.dials += b"upgrade: websocket" in head.lower()
            if self._answer is None:
                await reader.read()
            else:
                writer.write(self._answer)
                await writer.drain()
        writer.close()
        self._open.discard(writer)


class _Socket:
    """The server's end of a websocket (RFC 6455), as far as a client's text, ping and close frames need it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def shake_hands(self) -> None:
        head = await self._reader.readuntil(b"\r\n\r\n")
        fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
        key = next(value for name, value in fields.items() if name.lower() == b"sec-websocket-key")
        accept = base64.b64encode(hashlib.sha1(key + _GUID).digest())
        self._writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )

    async def hear(self) -> bytes:
        """The next text message. Raises `EOFError` when the client says goodbye or is gone."""
        while True:
            first, second = await self._reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", await self._reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self._reader.readexactly(8))
            mask = await self._reader.readexactly(4)
            masked = await self._reader.readexactly(size)
            data = bytes(byte ^ mask[at % 4] for at, byte in enumerate(masked))
            opcode = first & 0x0F
            if opcode == 8:
                self._writer.write(_frame(8, data))
                raise EOFError
            if opcode == 9:
                self._writer.write(_frame(10, data))
            elif opcode == 1:
                return data

    async def say(self, data: bytes, *, binary: bool = False) -> None:
        self._writer.write(_frame(2 if binary else 1, data))
        await self._writer.drain()

    async def cut(self, data: bytes) -> None:
        self._writer.write(_frame(1, data)[: -len(data) // 2])
        await self._writer.drain()

    async def close_frame(self, code: int) -> None:
        self._writer.write(_frame(8, struct.pack("!H", code)))
        await self._writer.drain()

    def end(self, how: str) -> None:
        if how == "reset" and not self._writer.is_closing():
            raw = self._writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._writer.transport.abort()
        else:
            self._writer.close()


def _frame(opcode: int, data: bytes) -> bytes:
    head = bytes([0x80 | opcode])
    if len(data) < 126:
        return head + bytes([len(data)]) + data
    if len(data) < 2**16:
        return head + struct.pack("!BH", 126, len(data)) + data
    return head + struct.pack("!BQ", 127, len(data)) + data
