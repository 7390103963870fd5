"""The headers of requests: those that Chromium shows of a request, and those that it sends."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.js.effects import ScriptRequest
from cdp_typed.mock.js.navigation_api import USER_AGENT
from cdp_typed.mock.site import origin_of, resolve
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.http import HttpRequest, is_requested
from cdp_typed.mock.state.network import NetworkRequest
from cdp_typed.mock.state.step import base_url_of, origin_url_of
from cdp_typed.mock.urls import is_trustworthy

_ACCEPT: Final = {
    "Document": "text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;"
    "q=0.8,application/signed-exchange;v=b3;q=0.7",
    "Image": "image/jxl,image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
    "Stylesheet": "text/css,*/*;q=0.1",
}
DESTINATIONS: Final = {"Image": "image", "Stylesheet": "style", "Script": "script", "Font": "font", "Media": "audio"}
"""`Sec-Fetch-Dest` of subresources."""
HINTS: Final = {
    "sec-ch-ua": '"Not:A-Brand";v="8", "Chromium";v="156"',
    "sec-ch-ua-mobile": "?0",
    "sec-ch-ua-platform": '"Linux"',
}
"""The headers that tell which browser it is, to origins that are trusted."""
_SCRIPTED: Final = ("XHR", "Fetch")


def http_request_of(frame: FrameNode, script_request: ScriptRequest) -> HttpRequest:
    """Return the HTTP request for a script's request."""
    headers = script_request.headers
    if script_request.body is not None and "content-type" not in {name.lower() for name, _ in headers}:
        headers = (*headers, ("Content-Type", "text/plain;charset=UTF-8"))
    url = resolve(base_url_of(frame), script_request.url)
    return HttpRequest(script_request.method, url, headers, script_request.body)


def with_headers(frame: FrameNode, request: NetworkRequest) -> NetworkRequest:
    """Return the request with the headers that a renderer adds, as `Fetch.requestPaused` shows them."""
    http, kind = request.http, request.type
    if not is_requested(http.url):
        return request
    added = {"Accept": _ACCEPT.get(kind, "*/*"), "User-Agent": USER_AGENT}
    if kind == "Document":
        added["Upgrade-Insecure-Requests"] = "1"
    if kind in (*_SCRIPTED, "Font"):
        origin = origin_of(origin_url_of(frame))
        if origin != origin_of(http.url) or http.method not in ("GET", "HEAD") or kind == "Font":
            added["Origin"] = "null" if origin == "://" else origin
    if kind == "Media":
        added["Range"] = "bytes=0-"
    referrer = referrer_of(request.initiator.referrer, http.url, request.initiator.policy)
    if referrer:
        added["Referer"] = referrer
    if is_trustworthy(http.url):
        added |= HINTS
    own = {name: value for name, value in http.headers if name not in ("Origin", "Referer", *HINTS)}
    return replace(request, http=replace(http, headers=tuple((added | own).items())))


def referrer_of(source: str, url: str, policy: str = "") -> str:
    """Return the `Referer` of a request that the document at `source` caused."""
    origin = origin_of(source)
    if origin == "://" or policy == "no-referrer":
        return ""
    same = policy == "unsafe-url" or (origin == origin_of(url) and policy != "origin")
    return source.partition("#")[0] if same else origin + "/"


def shown_headers(request: NetworkRequest) -> dict[str, str]:
    """Return the headers of `Network.requestWillBeSent`: without what the network service adds."""
    origin = () if request.type == "Font" else ("Origin",)
    hidden = {"Accept", *origin, *(HINTS if request.redirects and request.type in _SCRIPTED else ())}
    return {name: value for name, value in request.http.headers if name not in hidden}
