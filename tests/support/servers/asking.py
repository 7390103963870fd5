"""A browser that asks a person before a websocket opens, as Chrome 144 and later do, in front of a mock."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Literal
from urllib.parse import urlsplit

from cdp_typed.mock import ThreadedMockServer

Answer = Literal["allow", "cancel"]

# As Chromium 156 answers.
_NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length:0\r\nContent-Type:text/html\r\n\r\n"
_CANCELLED = b"HTTP/1.1 403 Forbidden\r\nContent-Length:19\r\nContent-Type:text/html\r\n\r\nConnection rejected"


class AskingBrowser:
    """Answers 404 to every GET, and holds each websocket until `answer` is called."""

    def __init__(self, mock: ThreadedMockServer) -> None:
        self.asked: queue.Queue[int] = queue.Queue()
        """An item for each question, with its number."""
        self.questions = 0
        self.to_get = _NOT_FOUND
        self._answers: queue.Queue[Answer] = queue.Queue()
        parts = urlsplit(mock.url)
        self._behind = (str(parts.hostname), parts.port or 0)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self.path: str = parts.path
        self.url: str = f"ws://127.0.0.1:{self.port}{self.path}"
        self._open: list[socket.socket] = []
        self._has_ended = False
        threading.Thread(target=self._accept, daemon=True).start()

    def answer(self, answer: Answer) -> None:
        """Answer the oldest question, or the next one."""
        self._answers.put(answer)

    def allow_later(self) -> None:
        """Allow the next connection as quickly as a person can."""
        threading.Timer(0.4, self.answer, ["allow"]).start()

    def cut(self) -> None:
        """End every connection, as a browser that ends does."""
        for sock in self._open:
            _end(sock)

    def close(self) -> None:
        """End it."""
        self._has_ended = True
        _end(self._server)
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._server.accept()
            except OSError:
                return
            self._open.append(sock)
            if self._has_ended:
                _end(sock)
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                received = sock.recv(65_536)
                if not received:  # a client that only looked whether somebody listens
                    return
                head += received
            if b"upgrade: websocket" not in head.lower():
                sock.sendall(self.to_get)
                return
            self.questions += 1
            self.asked.put(self.questions)
            if self._answers.get() == "cancel":
                sock.sendall(_CANCELLED)
                return
            behind = socket.create_connection(self._behind)
            self._open.append(behind)
            behind.sendall(head)
            threading.Thread(target=_pass_on, args=(behind, sock), daemon=True).start()
            _pass_on(sock, behind)
        except OSError:
            pass
        finally:
            _end(sock)


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(65_536):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        _end(source)
        _end(sink)


def _end(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


@contextmanager
def asking_browser() -> Generator[AskingBrowser]:
    """A mock behind a question, for the length of the block."""
    with ThreadedMockServer() as mock:
        asking = AskingBrowser(mock)
        try:
            yield asking
        finally:
            asking.close()
