"""The socket of a session, on Windows its named pipe: who may speak, and what was said."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from cdp_agent import MOST_BYTES, USAGE, VERSION, command_of, own_uid

from .named_pipe import NamedPipe
from .session import CommandLine

READ_S = 10.0


class Accepting(Protocol):
    """A server that accepts clients."""

    def close(self) -> None:
        """Accept no more clients."""


Answering = Callable[[CommandLine], Awaitable[tuple[int, str]]]


class SessionSocket:
    """Takes one command from each connection, answers it, and closes the connection.

    A client that goes away (Ctrl-C) cancels its command. The connection that has `last` is left open, so that its
    client waits until this process has ended.
    """

    def __init__(self, key: str, answering: Answering, is_last: Callable[[], bool]) -> None:
        self._key = key
        self._answering = answering
        self._is_last = is_last
        self._kept: list[asyncio.StreamWriter] = []

    async def serve(self, path: Path, descriptor: int | None) -> Accepting:
        """Begin to listen on the socket with this descriptor, on Windows on a pipe that the file at `path` names."""
        if sys.platform == "win32" or descriptor is None:
            pipe = NamedPipe(self._client, MOST_BYTES)
            await pipe.serve(path)
            return pipe
        return await asyncio.start_unix_server(
            self._client_of_socket, sock=socket.socket(fileno=descriptor), limit=MOST_BYTES
        )

    async def _client_of_socket(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if uid_of(writer.get_extra_info("socket")) == own_uid():
            await self._client(reader, writer)
        else:
            writer.close()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._command(reader, writer)
        except (ConnectionError, TimeoutError, asyncio.IncompleteReadError, ValueError):
            pass  # the client has gone, or is none
        finally:
            if self._is_last():
                self._kept.append(writer)
            else:
                writer.close()

    async def _command(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(READ_S):
            length = int(await reader.readline())
            if not 0 < length <= MOST_BYTES:
                return
            version, key, folder, count, rest = (await reader.readexactly(length)).split(b"\0", 4)
        number = min(int(count), length)
        parts = rest.split(b"\0", number)
        if len(parts) != number + 1:
            return
        try:
            words = [part.decode() for part in parts[:-1]]
        except UnicodeDecodeError:
            await _write(writer, USAGE, "cdp-agent: a word of the command is not UTF-8\n")
            return
        is_known = version.decode() == VERSION or command_of(words) == "close"
        if os.fsdecode(key) != self._key or not is_known:
            await _write(
                writer, USAGE, "cdp-agent: this session is of another version or work tree; end it with close\n"
            )
            return
        request = CommandLine(folder=os.fsdecode(folder), words=words, given=parts[-1].decode("utf-8", "replace"))
        work = asyncio.ensure_future(self._answering(request))
        gone = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait([work, gone], return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                await _write(writer, *work.result())
        finally:
            gone.cancel()
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(work, gone, return_exceptions=True)


async def _write(writer: asyncio.StreamWriter, code: int, text: str) -> None:
    writer.write(b"%d\n" % code + text.encode("utf-8", "backslashreplace"))
    await writer.drain()


def uid_of(sock: socket.socket) -> int:
    """The user at the other end of a local socket."""
    if sys.platform == "darwin":
        # struct xucred: version, uid, ...; LOCAL_PEERCRED of level 0.
        return int(struct.unpack("II", sock.getsockopt(0, 1, 8))[1])
    if sys.platform == "linux":
        _, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(uid)
    raise NotImplementedError(f"the user of a socket is not known on {sys.platform}")
