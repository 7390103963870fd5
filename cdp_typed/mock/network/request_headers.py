"""`Origin` and `Referer` of script requests."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.js.effects import ScriptRequest
from cdp_typed.mock.site import origin_of, resolve
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.http import Headers, HttpRequest
from cdp_typed.mock.state.step import base_of, home_of

__all__ = ["asked_by", "headers_of"]


def asked_by(frame: FrameNode, asked: ScriptRequest) -> HttpRequest:
    """The request that a script of the frame makes."""
    request = HttpRequest(asked.method, resolve(base_of(frame), asked.url), asked.headers, asked.body)
    return replace(request, headers=headers_of(frame, request))


def headers_of(frame: FrameNode, request: HttpRequest) -> Headers:
    """The script's headers, and those that tell the site who asks."""
    headers = {name: value for name, value in request.headers if name not in ("Origin", "Referer")}
    home = home_of(frame)
    mine = origin_of(home)
    if mine != origin_of(request.url) or request.method not in ("GET", "HEAD"):
        headers["Origin"] = "null" if mine == "://" else mine
    if mine != "://":
        headers["Referer"] = home if mine == origin_of(request.url) else mine + "/"
    return tuple(headers.items())
