"""The demo's three pages, and the server that shows them on two sites of this machine."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOP_TITLE = "A shop"
OOPIF_TITLE = "A payment form from another site"
SAME_ORIGIN_TITLE = "A newsletter form"

TOP = """<!doctype html><meta charset=utf-8><link rel=icon href=data:,>
<title>{title}</title><h1>{title}</h1>
<iframe name=payment src="{other}/payment" width=400 height=120></iframe>
<iframe name=newsletter src="{own}/newsletter" width=400 height=120></iframe>"""

INNER = """<!doctype html><meta charset=utf-8><title>{title}</title><p>{title}</p>"""


def documents(own: str, other: str) -> dict[str, str]:
    """Path -> HTML. `own` and `other` are the two origins under which the server is reached."""
    return {
        "/": TOP.format(title=TOP_TITLE, own=own, other=other),
        "/payment": INNER.format(title=OOPIF_TITLE),
        "/newsletter": INNER.format(title=SAME_ORIGIN_TITLE),
    }


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        document = self.server.documents.get(self.path)
        body = (document or "not found").encode()
        self.send_response(200 if document else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """The demo tells its own story."""


class _Server(ThreadingHTTPServer):
    documents: dict[str, str]


@contextlib.contextmanager
def serve() -> Generator[str]:
    """Serve the pages on `localhost` and, as another site, on `127.0.0.1`; yields the URL of the top page."""
    server = _Server(("127.0.0.1", 0), _Handler)
    port = server.server_address[1]
    own, other = f"http://localhost:{port}", f"http://127.0.0.1:{port}"
    server.documents = documents(own, other)
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="demo-pages", daemon=True
    )
    thread.start()
    try:
        yield f"{own}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
