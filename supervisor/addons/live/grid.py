"""A web page with all live views of this user in one grid."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from supervisor.http_server import Address, RequestGuard, serving

from .announcements import announced
from .web_page import HEADERS, page_file

SESSIONS = "/sessions"
_FILES = {
    "/": ("grid.html", "text/html; charset=utf-8"),
    "/grid.js": ("grid.js", "text/javascript; charset=utf-8"),
    "/grid.css": ("grid.css", "text/css; charset=utf-8"),
    "/token.js": ("token.js", "text/javascript; charset=utf-8"),
    "/live.css": ("live.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
_POLICY = "Content-Security-Policy"
_HEADERS = {**HEADERS, _POLICY: HEADERS[_POLICY].replace("connect-src 'self'", "connect-src 'self' ws://127.0.0.1:*")}
"""The page connects to the live views of this machine, each with its token."""


async def _sessions(request: Request) -> Response:
    """List the views with their tokens: the guard has checked that this user asks."""
    return Response(msgspec.json.encode(announced()), media_type="application/json", headers=_HEADERS)


@asynccontextmanager
async def serve_grid(address: Address) -> AsyncGenerator[str]:
    """Serve for the length of the block; yields the URL, without the token. Raises `OSError` for a taken address."""
    files = [Route(path, partial(page_file, *served, headers=_HEADERS)) for path, served in _FILES.items()]
    app = Starlette(routes=[*files, Route(SESSIONS, _sessions)])
    async with serving(RequestGuard(app, address, public=frozenset(_FILES)), address) as url:
        yield url
