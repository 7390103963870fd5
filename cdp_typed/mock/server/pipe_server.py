"""`MockPipe`: the mock's browser at the end of a pipe, as with `--remote-debugging-pipe`.

    async with MockPipe(site) as mock:
        connect_client(mock.sock)

A pipe has one client, and the browser ends with it. Each message ends with a NUL.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
from collections.abc import Mapping
from types import TracebackType
from typing import IO, cast

from cdp_typed.mock.control.faults import EndConnection, Outgoing, ReadSlowly
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.personality import LOCAL, Personality
from cdp_typed.mock.server.delivery import Delivery
from cdp_typed.mock.server.pacing import ReadThrottle
from cdp_typed.mock.site import Page, Site
from cdp_typed.mock.state.messages import Hangup


class MockPipe:
    """A mock browser with one client at the other end of a pipe, for `async with`.

    `site` is what it can visit, or a whole `MockBrowser`. Without `files` the pipe is a pair of sockets, and `sock` is
    the client's end: give it away, or it is closed with the mock. `files` are open descriptors, to read from and to
    write to: 3 and 4 in a program that was started in place of Chrome. Raises `OSError` for descriptors that are
    neither pipes nor sockets.

    An error of the test that shows only when a call arrives ends the pipe, and is raised when the block ends.
    """

    def __init__(
        self,
        site: Site | Mapping[str, Page] | MockBrowser | None = None,
        *,
        personality: Personality = LOCAL,
        files: tuple[int, int] | None = None,
    ) -> None:
        for file in files or ():
            _check(file)
        self.browser: MockBrowser = site if isinstance(site, MockBrowser) else MockBrowser(site)
        for rule in personality.rules():
            self.browser.add_rule(rule)
        self._delivery = Delivery(self.browser, personality, died=lambda: None)
        self._files = files
        self._ends: tuple[socket.socket, socket.socket] | None = None
        self._wire = _PipeConnection(self._delivery)

    @property
    def sock(self) -> socket.socket:
        """Return the client's end."""
        assert self._ends is not None
        return self._ends[1]

    async def __aenter__(self) -> MockPipe:
        self._delivery.open()
        loop = asyncio.get_running_loop()
        if self._files is None:
            self._ends = socket.socketpair()
            await loop.create_unix_connection(lambda: self._wire, sock=self._ends[0])
        elif _is_one_socket(*self._files):
            os.close(self._files[1])
            await loop.create_unix_connection(lambda: self._wire, sock=socket.socket(fileno=self._files[0]))
        else:
            reading, writing = self._files
            self._wire.writing, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, _opened(writing, "wb"))
            await loop.connect_read_pipe(lambda: self._wire, _opened(reading, "rb"))
        return self

    async def wait_ended(self) -> None:
        """Wait until the client or the browser has gone."""
        await self._wire.ended.wait()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wire.close()
        await self.wait_ended()
        self._delivery.close()
        if self._ends is not None:
            self._ends[1].close()
        if self._delivery.errors and error is None:
            raise self._delivery.errors[0]


def _check(file: int) -> None:
    mode = os.fstat(file).st_mode
    if not stat.S_ISFIFO(mode) and not stat.S_ISSOCK(mode):
        raise OSError(errno.EBADF, f"descriptor {file} is neither a pipe nor a socket")


def _opened(file: int, mode: str) -> IO[bytes]:
    return cast("IO[bytes]", os.fdopen(file, mode, buffering=0))


def _is_one_socket(reading: int, writing: int) -> bool:
    """Return whether both descriptors are the same socket, as some launchers pass them."""
    read_stat, write_stat = os.fstat(reading), os.fstat(writing)
    return stat.S_ISSOCK(read_stat.st_mode) and (read_stat.st_dev, read_stat.st_ino) == (
        write_stat.st_dev,
        write_stat.st_ino,
    )


class _PipeConnection(asyncio.Protocol):
    """`ClientConnection` over a pipe. It has no frames, so binary ones are like others, and no closing frame."""

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery
        self._parts: list[bytes] = []
        self._out: list[bytes] = []
        self._silent = False
        self._number = 0
        self.writing: asyncio.WriteTransport | None = None
        self.ended = asyncio.Event()

    def close(self) -> None:
        """Close it after what was written."""
        self._writing.close()
        self._transport.close()

    @property
    def _writing(self) -> asyncio.WriteTransport:
        return self.writing or self._transport

    # -- asyncio.Protocol ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # One transport for both directions, or one that only reads.
        self._transport = cast("asyncio.Transport", transport)
        self._throttle = ReadThrottle(self._transport)
        self._number = self._delivery.join(self)

    def data_received(self, data: bytes) -> None:
        self._throttle.took(len(data))
        *whole, rest = data.split(b"\0")
        for part in whole:
            message = b"".join([*self._parts, part])
            self._parts.clear()
            if not self._silent:
                self._delivery.receive(self._number, message.decode(errors="replace"))
        self._parts.append(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        self._throttle.end()
        self._writing.close()
        self._delivery.leave(self._number)
        self.ended.set()

    # -- outgoing --------------------------------------------------------------------------------------------------

    def put(self, item: Outgoing) -> None:
        """See `ClientConnection.put`."""
        if self._silent:
            return
        match item:
            case ReadSlowly():
                self._throttle.slow_down(item.bytes_per_s)
            case EndConnection(how="silence" | "goodbye"):
                self._silent = True
                self._throttle.stop()
            case EndConnection() | Hangup():
                self.flush()
                self.close()
            case _:
                data = item.data.encode() if isinstance(item.data, str) else item.data
                self._out.append(data[: len(data) // 2] if item.half else data + b"\0")

    def flush(self) -> None:
        """See `ClientConnection.flush`."""
        data = b"".join(self._out)
        self._out.clear()
        if data and not self._writing.is_closing():
            self._writing.write(data)
