"""Redirects: the request that follows a 3xx response, as Chromium makes it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.site import Site, resolve
from cdp_typed.mock.state.http import HttpRequest, HttpResponse, answer, header, is_requested
from cdp_typed.mock.state.network import NetworkRequest

__all__ = ["answer_at_last", "follow", "is_redirect"]

_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_MOST: Final = 20


def is_redirect(response: HttpResponse | None) -> bool:
    """Whether the answer says that what is wanted is elsewhere."""
    return response is not None and response.status in _STATUSES and bool(header(response.headers, "Location"))


def follow(load: NetworkRequest, response: HttpResponse) -> NetworkRequest | str:
    """The load of what the redirect leads to, or Chrome's name for why it leads nowhere."""
    request = _next(load.request, response)
    if not is_requested(request.url):
        return "net::ERR_UNSAFE_REDIRECT"
    if load.redirects == _MOST:
        return "net::ERR_TOO_MANY_REDIRECTS"
    redirects, asked = load.redirects + 1, load.asked or load.request.url
    return replace(
        load, request=request, stage="request", holders=(), response=None, moved=None, redirects=redirects, asked=asked
    )


def answer_at_last(site: Site, request: HttpRequest, logins: frozenset[str]) -> tuple[HttpRequest, HttpResponse]:
    """The answer where all redirects end, and what it answers; nobody hears of them."""
    for _ in range(_MOST + 1):
        response = answer(site, request, logins)
        if not is_redirect(response):
            return request, response
        request = _next(request, response)
    return request, HttpResponse(error="net::ERR_TOO_MANY_REDIRECTS")


def _next(request: HttpRequest, response: HttpResponse) -> HttpRequest:
    url = resolve(request.url, header(response.headers, "Location"))
    mark, fragment = request.url.partition("#")[1:]
    again = replace(request, url=url if "#" in url else url + mark + fragment)
    posted = request.method == "POST" and response.status in (301, 302)
    if posted or (response.status == 303 and request.method != "HEAD"):
        return replace(again, method="GET", body=None)
    return again
