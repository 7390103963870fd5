"""Cookies of pages and requests: `document.cookie`, `Set-Cookie` and `Cookie`, with third-party rules."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from cdp_typed.mock.network.network_events import is_same_site
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.cookies import Cookie, accept, for_url, header_of, parse_cookie
from cdp_typed.mock.state.http import HttpResponse
from cdp_typed.mock.state.network import NetworkRequest
from cdp_typed.mock.state.step import Step, origin_url_of


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
    cookie = parse_cookie(text, origin_url_of(frame), browser_context_of(step, frame.target), step.now, by_header=False)
    hidden = {other.key for other in step.state.cookies if other.http_only}
    if cookie is not None and cookie.key not in hidden:
        put_cookie(step, cookie)


def store_response_cookies(step: Step, request: NetworkRequest, response: HttpResponse) -> None:
    """Store the cookies of a response; third-party ones only with `SameSite=None`."""
    context = browser_context_of(step, request.target)
    for name, text in response.headers:
        if name.lower() == "set-cookie":
            cookie = parse_cookie(text, request.http.url, context, step.now, by_header=True)
            if cookie is not None and _applies(step, request, cookie):
                put_cookie(step, cookie)


def cookie_header(step: Step, request: NetworkRequest) -> str:
    """Return the `Cookie` header of the request; empty if it has none."""
    matching = for_url(step.state.cookies, browser_context_of(step, request.target), request.http.url, step.now)
    return header_of(cookie for cookie in matching if _applies(step, request, cookie))


def _applies(step: Step, request: NetworkRequest, cookie: Cookie) -> bool:
    return cookie.same_site == "None" or is_same_site(step, request, step.state.frames[request.frame])


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
