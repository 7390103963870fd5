"""The server on this process's own stdin and stdout, where nothing but the protocol is written."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

from mcp.server.stdio import stdio_server

from supervisor.cli.session_agent import SessionAgent

from .server import make_server

_CHUNK = 65_536


async def serve_stdio(agent: SessionAgent, *, ask_user: bool = False, structured: bool = False) -> None:
    """Serve one client, until it closes stdin or no longer reads stdout."""
    served = make_server(agent, ask_user=ask_user, structured=structured)
    stdin = _Stdin()
    try:
        async with stdio_server() as (incoming, outgoing):
            with stdin.ending():
                async with served.running() as server:
                    await server.run(incoming, outgoing, server.create_initialization_options())
    except* BrokenPipeError:  # the client has gone
        _discard_stdout()


def _discard_stdout() -> None:
    """Let what is left in the buffer go nowhere: Python would write it at its end, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


class _Stdin:
    """Sits between this process's stdin and its reader, so that what is read can be ended from here.

    The library reads on a thread that nothing can interrupt, and waits for it: a server that is to end would wait for
    a client that says nothing. On Windows it still does.
    """

    def __init__(self) -> None:
        self._feed: socket.socket | None = None
        if sys.platform == "win32":
            return
        wire, (self._feed, reader) = os.dup(0), socket.socketpair()
        with reader:
            os.dup2(reader.fileno(), 0)
        # A daemon: it may be left behind in its read.
        threading.Thread(target=_copy, args=(wire, self._feed), name="stdin", daemon=True).start()

    @contextmanager
    def ending(self) -> Generator[None]:
        """End what is read when the block is left."""
        try:
            yield
        finally:
            if self._feed is not None:
                self._feed.shutdown(socket.SHUT_WR)


def _copy(wire: int, feed: socket.socket) -> None:
    with suppress(OSError):  # it has been ended
        while data := os.read(wire, _CHUNK):
            feed.sendall(data)
        feed.shutdown(socket.SHUT_WR)
