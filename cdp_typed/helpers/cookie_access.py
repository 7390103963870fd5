"""`cookies` and `set_cookies`: save and restore the cookies of a browser context."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import DecodeError, to_builtins

from cdp_typed.client.channel import Channel
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import Session
from cdp_typed.conversions import convert, decode
from cdp_typed.protocol import network, storage
from cdp_typed.protocol.browser import BrowserContextID

Cookies: TypeAlias = Iterable[network.Cookie | network.CookieParam] | str | PathLike[str]
"""Cookies, or the path of a JSON file that `msgspec.json.encode(await cookies(tab))` was written to."""


async def cookies(
    browser_or_tab: Channel, *, browser_context_id: BrowserContextID | None = None, timeout: Timeout = DEFAULT
) -> tuple[network.Cookie, ...]:
    """Return all cookies of a tab's browser context, or of a browser's context `browser_context_id` or its default one.

    Uses `Network.getAllCookies` and `Storage.getCookies`. `set_cookies` accepts the result unchanged. Raises as
    `Session.send` does.
    """
    if isinstance(browser_or_tab, Session):  # Storage would answer a page for the default context, whichever it has
        plain = await browser_or_tab.send_raw("Network.getAllCookies", timeout=timeout)
        return convert(plain["cookies"], tuple[network.Cookie, ...])
    return tuple(
        (await browser_or_tab.send(storage.GetCookies(browser_context_id=browser_context_id), timeout=timeout)).cookies
    )


async def set_cookies(
    browser_or_tab: Channel,
    cookies: Cookies,
    *,
    browser_context_id: BrowserContextID | None = None,
    timeout: Timeout = DEFAULT,
) -> None:
    """Set cookies in a tab's browser context, or in a browser's context `browser_context_id` or its default one.

    Accepts the result of `cookies`, `network.CookieParam`, or the path of a file with
    `msgspec.json.encode(await cookies(tab))`. Uses `Network.setCookies` and `Storage.setCookies`. Raises
    `CommandError` for a cookie that the browser does not accept, and `ValueError` for a file without cookies;
    otherwise as `Session.send` does.
    """
    params = [_as_param(cookie) for cookie in _read(cookies)]
    if isinstance(browser_or_tab, Session):
        await browser_or_tab.send(network.SetCookies(cookies=params), timeout=timeout)
        return
    await browser_or_tab.send(
        storage.SetCookies(cookies=params, browser_context_id=browser_context_id), timeout=timeout
    )


def _read(cookies: Cookies) -> Iterable[network.Cookie | network.CookieParam]:
    if not isinstance(cookies, str | PathLike):
        return cookies
    try:
        return decode(Path(cookies).read_bytes(), type=list[network.Cookie])
    except DecodeError as error:
        raise ValueError(f"{Path(cookies).name}: expected a JSON array of cookies: {error}") from None


def _as_param(cookie: object) -> network.CookieParam:
    """Return a cookie to be set. A cookie of one host alone keeps to it: it is set by an address, not for a domain."""
    if isinstance(cookie, network.CookieParam):
        return cookie
    if not isinstance(cookie, network.Cookie):
        expected = "network.CookieParam(name=..., value=..., url=...), or what cookies(...) returned"
        raise TypeError(f"a cookie is {expected}, not an object of type {type(cookie).__name__}")
    fields: dict[str, Any] = to_builtins(cookie)
    if cookie.session:
        del fields["expires"]
    if not cookie.domain.startswith("."):
        del fields["domain"]
        host = f"[{cookie.domain}]" if ":" in cookie.domain else cookie.domain
        fields["url"] = f"{'https' if cookie.secure else 'http'}://{host}{cookie.path}"
    return convert(fields, network.CookieParam)
