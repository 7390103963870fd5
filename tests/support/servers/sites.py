"""Static pages on two sites of this machine: `localhost` and `127.0.0.1` are different sites to a browser."""

from __future__ import annotations

import contextlib
import mimetypes
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Request:
    """A request, as a callable page receives it. `path` is without the query."""

    method: str
    path: str
    query: str
    host: str
    body: bytes
    authorization: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """By their names in lower case."""


@dataclass(frozen=True)
class Response:
    """The response of a page, where HTML with status 200 is not enough."""

    body: str | bytes | Iterator[bytes] = ""
    """An iterator's pieces are sent one by one as they come, and the end of the connection ends the body."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


Page = str | Response | Callable[[Request], str | Response]
"""HTML, a whole response, or a function of the request (it runs in a thread of its own, and must end)."""


class Sites:
    """A server on 127.0.0.1 for the length of a `with` block; `pages` may be changed while it runs.

    `local("/a")` and `remote("/a")` are the same page on two sites, so that one embeds the other across origins.
    A path that is not in `pages` is looked for in `folders` (path with a slash at its end -> folder on the disk), and
    else answered with 404.
    """

    def __init__(
        self,
        pages: Mapping[str, Page] | None = None,
        *,
        folders: Mapping[str, Path] | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.pages: dict[str, Page] = dict(pages or {})
        self._folders = dict(folders or {})
        self._scheme = "https" if tls else "http"
        self.requests: list[Request] = []
        self._server = _Server(self, tls)
        self._thread = threading.Thread(target=self._serve, name="sites", daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def file(self, path: str) -> Response | None:
        """The file at a path of the folders as a response, or `None` if there is none."""
        for start, folder in self._folders.items():
            file = folder / path.removeprefix(start)
            if path.startswith(start) and ".." not in path and file.is_file():
                content_type = "text/javascript" if file.suffix == ".mjs" else mimetypes.guess_type(file.name)[0]
                return Response(file.read_bytes(), headers={"Content-Type": content_type or "application/octet-stream"})
        return None

    def local(self, path: str = "/") -> str:
        """The page on `localhost`, which Chromium resolves to 127.0.0.1 when no server listens on ::1."""
        return f"{self._scheme}://localhost:{self.port}{path}"

    def remote(self, path: str = "/") -> str:
        """The same page on `127.0.0.1`: another site, hence another process under site isolation."""
        return f"{self._scheme}://127.0.0.1:{self.port}{path}"

    def __enter__(self) -> Sites:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _serve(self) -> None:
        self._server.serve_forever(poll_interval=0.01)


def page_with_oopif(sites: Sites, frame_path: str, *, title: str = "top", body: str = "") -> str:
    """HTML for a page to be opened with `local()`, whose only iframe `#frame` shows `frame_path` on the other site."""
    return f"<!doctype html><title>{title}</title>{body}{iframe(sites.remote(frame_path))}"


def iframe(url: str, name: str = "frame") -> str:
    """An iframe element whose id and name are both `name`."""
    return f'<iframe id="{name}" name="{name}" src="{url}"></iframe>'


class _Server(ThreadingHTTPServer):
    # Not daemons: then `server_close` waits for them, and no test inherits another one's threads.
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, sites: Sites, tls: ssl.SSLContext | None) -> None:
        self.sites = sites
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)
        if tls is not None:  # shaken hands with in each connection's own thread
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

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
            # A browser opens connections in advance and keeps them: this ends the threads that read from those.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        super().server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = Request(
            str(self.command),
            url.path,
            url.query,
            str(self.headers.get("Host")),
            body,
            str(self.headers.get("Authorization") or ""),
            {name.lower(): str(value) for name, value in self.headers.items()},
        )
        self.server.sites.requests.append(request)
        page = self.server.sites.pages.get(url.path)
        answer = page(request) if callable(page) else page or self.server.sites.file(url.path)
        if answer is None:
            answer = Response(f"no page at {url.path}", 404)
        self._answer(Response(answer) if isinstance(answer, str) else answer)

    do_POST = do_GET  # noqa: N815 - as above
    do_PUT = do_GET  # noqa: N815 - as above
    do_OPTIONS = do_GET  # noqa: N815 - as above

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the requests are in `Sites.requests`."""

    def _answer(self, response: Response) -> None:
        body = response.body.encode() if isinstance(response.body, str) else response.body
        headers = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", **response.headers}
        try:
            self.send_response(response.status)
            for name, value in headers.items():
                self.send_header(name, value)
            if isinstance(body, bytes):
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            for piece in (body,) if isinstance(body, bytes) else body:
                self.wfile.write(piece)
        except ConnectionError:
            self.close_connection = True  # the browser went away; that is its right
