"""A server that accepts a connection and never says a word."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import contextmanager


class Silent:
    """Listens on loopback."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._accepted: list[socket.socket] = []
        self.url = f"ws://127.0.0.1:{listener.getsockname()[1]}/devtools/browser/x"

    def accept(self) -> None:
        """Wait until a client has connected; its connection stays open until `close`."""
        self._accepted.append(self._listener.accept()[0])

    def close(self) -> None:
        """Close all accepted connections."""
        for connection in self._accepted:
            connection.close()


@contextmanager
def silence() -> Generator[Silent]:
    """One for the length of a block."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        silent = Silent(listener)
        try:
            yield silent
        finally:
            silent.close()
