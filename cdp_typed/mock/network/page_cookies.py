"""Cookies of pages and of their requests: who sets, sees and sends them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from cdp_typed.mock.network.events import is_same_site
from cdp_typed.mock.state.browser import Frame
from cdp_typed.mock.state.cookies import Cookie, accept, for_url, header_of, parse_cookie
from cdp_typed.mock.state.http import HttpResponse
from cdp_typed.mock.state.requests import Load
from cdp_typed.mock.state.step import Turn, home_of

__all__ = ["bake", "context_of", "cookies_for", "cookies_of", "forget_cookies", "keep", "keep_cookies"]


def cookies_of(turn: Turn, frame: Frame) -> str:
    """`document.cookie`. In an iframe of another site there are none."""
    if not _is_first_party(turn, frame):
        return ""
    found = for_url(turn.state.cookies, context_of(turn, frame.target), home_of(frame), turn.now)
    return header_of(cookie for cookie in found if not cookie.http_only)


def bake(turn: Turn, frame: Frame, text: str) -> None:
    """`document.cookie = text`, which a page may not do to a cookie that it cannot see."""
    if not _is_first_party(turn, frame):
        return
    cookie = parse_cookie(text, home_of(frame), context_of(turn, frame.target), turn.now, by_header=False)
    hidden = {other.key for other in turn.state.cookies if other.http_only}
    if cookie is not None and cookie.key not in hidden:
        keep(turn, cookie)


def keep_cookies(turn: Turn, load: Load, response: HttpResponse) -> None:
    """Keep what an answer sets: for a third party only what says that it is for such."""
    context = context_of(turn, load.target)
    for name, text in response.headers:
        if name.lower() == "set-cookie":
            cookie = parse_cookie(text, load.request.url, context, turn.now, by_header=True)
            if cookie is not None and _goes(turn, load, cookie):
                keep(turn, cookie)


def cookies_for(turn: Turn, load: Load) -> str:
    """The `Cookie` header of the request; empty if it has none."""
    found = for_url(turn.state.cookies, context_of(turn, load.target), load.request.url, turn.now)
    return header_of(cookie for cookie in found if _goes(turn, load, cookie))


def _goes(turn: Turn, load: Load, cookie: Cookie) -> bool:
    return cookie.same_site == "None" or is_same_site(turn, load, turn.state.frames[load.frame])


def _is_first_party(turn: Turn, frame: Frame) -> bool:
    return frame.target == frame.page


def context_of(turn: Turn, target: str) -> str:
    """The browser context of a target."""
    return turn.state.targets[target].context


def keep(turn: Turn, cookie: Cookie) -> None:
    """Put a cookie with the others."""
    turn.state = replace(turn.state, cookies=accept(turn.state.cookies, cookie, turn.now))


def forget_cookies(turn: Turn, context: str, *, where: Callable[[Cookie], bool] = lambda _: True) -> None:
    """Drop the cookies of a context, or some of them."""
    kept = tuple(cookie for cookie in turn.state.cookies if cookie.context != context or not where(cookie))
    turn.state = replace(turn.state, cookies=kept)
