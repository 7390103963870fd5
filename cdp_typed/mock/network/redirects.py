"""Redirects: the request that follows a 3xx response, as Chromium makes it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.site import Site, resolve
from cdp_typed.mock.state.http import HttpRequest, HttpResponse, header, is_requested, site_response
from cdp_typed.mock.state.network import NetworkRequest

_REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS: Final = 20


def is_redirect(response: HttpResponse | None) -> bool:
    """Return whether the response is a redirect."""
    return response is not None and response.status in _REDIRECT_STATUSES and bool(header(response.headers, "Location"))


def redirected_request(request: NetworkRequest, response: HttpResponse) -> NetworkRequest | str:
    """Return the request that follows the redirect, or Chrome's net error."""
    http = _next(request.http, response)
    if not is_requested(http.url):
        return "net::ERR_UNSAFE_REDIRECT"
    if request.redirects == _MAX_REDIRECTS:
        return "net::ERR_TOO_MANY_REDIRECTS"
    redirects, original_url = request.redirects + 1, request.original_url or request.http.url
    return replace(
        request,
        http=http,
        stage="request",
        interceptors=(),
        response=None,
        redirect_response=None,
        from_site=None,
        redirects=redirects,
        original_url=original_url,
    )


def final_response(site: Site, http: HttpRequest, logins: frozenset[str]) -> tuple[HttpRequest, HttpResponse]:
    """Return the response at the end of all redirects, with its request; no events are emitted."""
    for _ in range(_MAX_REDIRECTS + 1):
        response = site_response(site, http, logins)
        if not is_redirect(response):
            return http, response
        http = _next(http, response)
    return http, HttpResponse(error="net::ERR_TOO_MANY_REDIRECTS")


def _next(http: HttpRequest, response: HttpResponse) -> HttpRequest:
    url = resolve(http.url, header(response.headers, "Location"))
    mark, fragment = http.url.partition("#")[1:]
    again = replace(http, url=url if "#" in url else url + mark + fragment)
    posted = http.method == "POST" and response.status in (301, 302)
    if posted or (response.status == 303 and http.method != "HEAD"):
        return replace(again, method="GET", body=None)
    return again
