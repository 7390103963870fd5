"""The web page of the live view, the websocket behind it, and the place for files that viewers send."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from supervisor.http_server import Address, RequestGuard, serving

from .uploads import Uploads
from .view import LiveView
from .viewer import Viewer

FEED = "/feed"
UPLOAD = "/upload"
_FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/live.css": ("live.css", "text/css; charset=utf-8"),
    "/live.js": ("live.js", "text/javascript; charset=utf-8"),
    "/panels.js": ("panels.js", "text/javascript; charset=utf-8"),
    "/picture.js": ("picture.js", "text/javascript; charset=utf-8"),
    "/token.js": ("token.js", "text/javascript; charset=utf-8"),
    "/hands.js": ("hands.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Nothing is run, loaded or sent anywhere but what this server serves; no page may frame it."""


def _live_app(view: LiveView, address: Address, uploads: Uploads) -> RequestGuard:
    """Return the ASGI application, behind its guard. Its files are for everybody: they hold no secret."""

    async def feed(socket: WebSocket) -> None:
        await Viewer(view, socket).run()

    async def upload(request: Request) -> Response:
        return await uploads.take(request, view.supervisor)

    routes = [Route(path, partial(page_file, *reported)) for path, reported in _FILES.items()]
    app = Starlette(routes=[*routes, Route(UPLOAD, upload, methods=["POST"]), WebSocketRoute(FEED, feed)])
    return RequestGuard(app, address, public=frozenset(_FILES))


async def page_file(name: str, media_type: str, request: Request, headers: Mapping[str, str] = HEADERS) -> Response:
    """Answer with a file of the pages."""
    content = (files("supervisor.addons.live") / "page" / name).read_bytes()
    return Response(content, media_type=media_type, headers=headers)


def live_url(url: str, address: Address) -> str:
    """Return the address to open: the token is in its fragment, which no browser sends anywhere."""
    return f"{url}/#token={quote(address.token, safe='')}"


@asynccontextmanager
async def serve_live(view: LiveView, address: Address) -> AsyncGenerator[str]:
    """Serve for the length of the block; yields the URL, without the token. Raises `OSError` for a taken address."""
    uploads = Uploads()
    try:
        async with serving(_live_app(view, address, uploads), address) as url:
            yield url
    finally:
        uploads.close()
