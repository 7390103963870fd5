"""The web page of the live view, and the websocket behind it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
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

from .view import LiveView
from .viewer import Viewer

FEED = "/feed"
_FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/live.css": ("live.css", "text/css; charset=utf-8"),
    "/live.js": ("live.js", "text/javascript; charset=utf-8"),
    "/panels.js": ("panels.js", "text/javascript; charset=utf-8"),
    "/picture.js": ("picture.js", "text/javascript; charset=utf-8"),
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


def live_app(view: LiveView, address: Address) -> RequestGuard:
    """Return the ASGI application, behind its guard. Its files are for everybody: they hold no secret."""

    async def feed(socket: WebSocket) -> None:
        await Viewer(view, socket).run()

    routes = [Route(path, partial(_file, *reported)) for path, reported in _FILES.items()]
    app = Starlette(routes=[*routes, WebSocketRoute(FEED, feed)])
    return RequestGuard(app, address, public=frozenset(_FILES))


async def _file(name: str, media_type: str, request: Request) -> Response:
    content = (files("supervisor.live") / "page" / name).read_bytes()
    return Response(content, media_type=media_type, headers=HEADERS)


def live_url(url: str, address: Address) -> str:
    """Return the address to open: the token is in its fragment, which no browser sends anywhere."""
    return f"{url}/#token={quote(address.token, safe='')}"


@asynccontextmanager
async def serve_live(view: LiveView, address: Address) -> AsyncGenerator[str]:
    """Serve for the length of the block; yields the URL, without the token. Raises `OSError` for a taken address."""
    async with serving(live_app(view, address), address) as url:
        yield url
