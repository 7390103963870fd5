"""The pages of a site on an HTTP server of this machine, for a real browser."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Generator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cdp_typed.mock.site import Site, origin_of
from cdp_typed.mock.state.http import HttpRequest, header, site_response

Answer = tuple[int, Mapping[str, str], str]
"""Status, headers, body."""


class SiteServer:
    """Keeps a port of 127.0.0.1 until `close`, which refuses connections except within a block of `serving`."""

    def __init__(self) -> None:
        self._reserved = _bound(0)
        self.port = int(self._reserved.getsockname()[1])

    def close(self) -> None:
        """Give the port back."""
        self._reserved.close()

    @contextlib.contextmanager
    def serving(self, site: Site) -> Generator[None]:
        """Answer as the mock does with this site. Leaves no thread and no connection."""
        listening = _bound(self.port)
        listening.listen(128)
        server = _Server(listening, lambda request: answer(site, request))
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), name="cdp_site", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def _bound(port: int) -> socket.socket:
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_REUSEPORT", socket.SO_REUSEADDR), 1)
    bound.bind(("127.0.0.1", port))
    return bound


def answer(site: Site, request: HttpRequest) -> Answer | None:
    """Return the mock's response; None where the mock has no server."""
    login = header(request.headers, "Authorization").removeprefix("Basic ")
    response = site_response(site, request, frozenset({f"{origin_of(request.url)} {login}"}))
    if response.error:
        return None
    return response.status, dict(response.headers), response.body


class _Server(ThreadingHTTPServer):
    # Not daemons: then `server_close` waits for them.
    daemon_threads = False

    def __init__(self, listening: socket.socket, respond: Callable[[HttpRequest], Answer | None]) -> None:
        super().__init__(("", 0), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.respond = respond
        self._open: set[socket.socket] = set()

    def get_request(self) -> tuple[socket.socket, str]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        if isinstance(request, socket.socket):
            self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        for connection in tuple(self._open):
            # Chromium opens connections in advance; this ends the threads that read from them.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        super().server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = tuple((name, str(value)) for name, value in self.headers.items())
        url = f"http://{self.headers.get('Host')}{self.path}"
        answered = self.server.respond(HttpRequest(str(self.command), url, headers))
        self.close_connection = True
        if answered is None:
            return
        status, fields, body = answered
        with contextlib.suppress(ConnectionError):  # Chromium may go away
            self.send_response(status)
            for name, value in {"Cache-Control": "no-store", **fields, "Content-Length": len(body.encode())}.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(body.encode())

    do_POST = do_PUT = do_DELETE = do_OPTIONS = do_GET  # noqa: N815 - the names that the standard library looks for

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
