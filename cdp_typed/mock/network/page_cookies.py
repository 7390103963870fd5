"""Cookies of pages and requests: `document.cookie`, `Set-Cookie` and `Cookie`, with third-party rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.network.network_events import is_same_site
from cdp_typed.mock.site import origin_of, site_of
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.cookies import (
    NO_COOKIE_AT_ALL,
    Cookie,
    accept,
    for_host,
    for_url,
    header_of,
    misfits,
    parse_cookie,
)
from cdp_typed.mock.state.http import HttpResponse
from cdp_typed.mock.state.network import NetworkRequest
from cdp_typed.mock.state.step import Step, origin_url_of

_THIRD_PARTY: Final = "UserPreferences"
"""Why Chromium neither sends nor stores cookies of another site than the page's."""


def document_cookie(step: Step, frame: FrameNode) -> str:
    """Return `document.cookie`; in a third-party iframe it is empty."""
    if not _is_first_party(step, frame):
        return ""
    matching = for_url(step.state.cookies, browser_context_of(step, frame.target), origin_url_of(frame), step.now)
    return header_of(cookie for cookie in matching if not cookie.http_only)


def set_document_cookie(step: Step, frame: FrameNode, text: str) -> None:
    """Perform `document.cookie = text`, which cannot replace an HttpOnly cookie."""
    if not _is_first_party(step, frame):
        return
    context = browser_context_of(step, frame.target)
    cookie, reason = parse_cookie(text, origin_url_of(frame), context, step.now, by_header=False)
    hidden = {other.key for other in step.state.cookies if other.http_only}
    if not reason and cookie.key not in hidden:
        put_cookie(step, cookie)


def store_response_cookies(step: Step, request: NetworkRequest, response: HttpResponse) -> None:
    """Store the cookies of a response, but none of a third party."""
    for _, cookie, reason in _set_cookies(step, request, response):
        if not reason:
            put_cookie(step, cookie)


def blocked_cookies(step: Step, request: NetworkRequest, response: HttpResponse) -> list[dict[str, Any]]:
    """Return the `blockedCookies` of a response."""
    return [
        {
            "blockedReasons": [reason],
            "cookieLine": text,
            **({} if reason in NO_COOKIE_AT_ALL else {"cookie": cookie.described()}),
        }
        for text, cookie, reason in _set_cookies(step, request, response)
        if reason
    ]


def _set_cookies(step: Step, request: NetworkRequest, response: HttpResponse) -> list[tuple[str, Cookie, str]]:
    """Return each `Set-Cookie` of a response as text, as cookie, and why it is blocked, or an empty text."""
    if not _has_credentials(step, request):
        return []
    context = browser_context_of(step, request.target)
    third = "" if is_same_site(step, request, step.state.frames[request.frame]) else _THIRD_PARTY
    lines = [text for name, text in response.headers if name.lower() == "set-cookie"]
    parsed = [(text, *parse_cookie(text, request.http.url, context, step.now, by_header=True)) for text in lines]
    return [(text, cookie, reason or third) for text, cookie, reason in parsed]


def cookie_header(step: Step, request: NetworkRequest) -> str:
    """Return the `Cookie` header of the request; empty if it has none."""
    return header_of(cookie for cookie, reasons in associated_cookies(step, request) if not reasons)


def associated_cookies(step: Step, request: NetworkRequest) -> list[tuple[Cookie, list[str]]]:
    """Return the cookies of the request's host, and for each why it is not sent."""
    if not _has_credentials(step, request):
        return []
    url, context = request.http.url, browser_context_of(step, request.target)
    first = is_same_site(step, request, step.state.frames[request.frame])
    strict = first and site_of(request.initiator.document or url) == site_of(url)
    found: list[tuple[Cookie, list[str]]] = []
    for cookie in for_host(step.state.cookies, context, url, step.now):
        reasons = misfits(cookie, url)
        if (not first and cookie.same_site != "None") or (not strict and cookie.same_site == "Strict"):
            reasons.append(f"SchemefulSameSite{cookie.same_site or 'UnspecifiedTreatedAsLax'}")
        found.append((cookie, reasons if first else [*reasons, _THIRD_PARTY]))
    return found


def _has_credentials(step: Step, request: NetworkRequest) -> bool:
    """Return whether cookies are considered at all: scripts and fonts get none from another origin."""
    of_document = origin_of(origin_url_of(step.state.frames[request.frame]))
    return request.type not in ("XHR", "Fetch", "Font") or of_document == origin_of(request.http.url)


def _is_first_party(step: Step, frame: FrameNode) -> bool:
    return frame.target == frame.page


def browser_context_of(step: Step, target: str) -> str:
    """Return the browser context of a target."""
    return step.state.targets[target].context


def logins_of(step: Step, target: str) -> frozenset[str]:
    """Return the stored credentials of each origin in a target's browser context."""
    context = browser_context_of(step, target)
    return frozenset(login for within, login in step.state.logins if within == context)


def put_cookie(step: Step, cookie: Cookie) -> None:
    """Store a cookie."""
    step.state = replace(step.state, cookies=accept(step.state.cookies, cookie, step.now))


def delete_cookies(step: Step, context: str, *, where: Callable[[Cookie], bool] = lambda _: True) -> None:
    """Delete the cookies of a browser context, or those for which `where` is true."""
    kept = tuple(cookie for cookie in step.state.cookies if cookie.context != context or not where(cookie))
    step.state = replace(step.state, cookies=kept)
