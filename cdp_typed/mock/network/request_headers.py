"""`Origin` and `Referer` of script requests."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.js.effects import ScriptRequest
from cdp_typed.mock.site import origin_of, resolve
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.http import Headers, HttpRequest
from cdp_typed.mock.state.step import base_url_of, origin_url_of


def http_request_of(frame: FrameNode, script_request: ScriptRequest) -> HttpRequest:
    """Return the HTTP request for a script's request."""
    request = HttpRequest(
        script_request.method,
        resolve(base_url_of(frame), script_request.url),
        script_request.headers,
        script_request.body,
    )
    return replace(request, headers=script_headers(frame, request))


def script_headers(frame: FrameNode, http: HttpRequest) -> Headers:
    """Return the script's headers with `Origin` and `Referer`."""
    headers = {name: value for name, value in http.headers if name not in ("Origin", "Referer")}
    origin_url = origin_url_of(frame)
    origin = origin_of(origin_url)
    if origin != origin_of(http.url) or http.method not in ("GET", "HEAD"):
        headers["Origin"] = "null" if origin == "://" else origin
    if origin != "://":
        headers["Referer"] = origin_url if origin == origin_of(http.url) else origin + "/"
    return tuple(headers.items())
