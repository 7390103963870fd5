"""Cookies in the Network and Storage domains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from cdp_typed.mock.network.page_cookies import browser_context_of, delete_cookies, put_cookie
from cdp_typed.mock.state.browser_state import DEFAULT_CONTEXT, CDPSession, CommandCall
from cdp_typed.mock.state.cookies import Cookie, CookieJar, domain_of, for_url, is_sound
from cdp_typed.mock.state.error_texts import Refusal, Text, no_storage_context
from cdp_typed.mock.state.http import is_requested
from cdp_typed.mock.state.step import Step, origin_url_of

Params = dict[str, Any]


def _cookie_of(params: Params, context: str) -> Cookie | Refusal | Text | None:
    """Return the cookie for a `Network.CookieParam`; None for one that Chrome accepts and does not store."""
    url: str = params.get("url", "")
    parts = urlsplit(url)
    wanted: str = params.get("domain", "").partition(":")[0].lower()
    if not url and not wanted:
        return Text.NO_COOKIE_PLACE
    if url and not is_requested(url):
        return Text.COOKIE_URL
    if "partitionKey" in params:
        return Text.MOCK_NO_PARTITIONS
    port: int | None = params.get("sourcePort")
    if port is not None and port != -1 and not 0 < port < 2**16:
        return Text.COOKIE_PORT
    if port is not None and parts.port not in (None, port):
        return Text.OTHER_COOKIE_PORT
    secure: bool = params.get("secure", False) or parts.scheme == "https"
    scheme: str = params.get("sourceScheme", "Secure" if secure else "NonSecure")
    if secure and scheme == "NonSecure":
        return Text.INSECURE_SOURCE
    host = parts.hostname or ""
    cookie = Cookie(
        context=context,
        name=params["name"],
        value=params["value"],
        domain=host if not wanted else _given_domain(wanted),
        path=params.get("path") or "/",
        expires=params.get("expires", -1),
        http_only=params.get("httpOnly", False),
        secure=secure,
        same_site=params.get("sameSite", ""),
        priority=params.get("priority", "Medium"),
        scheme=scheme,
        port=(443 if secure else 80) if port is None else port,
    )
    if not is_sound(cookie):
        return Text.COOKIE_UNSOUND
    return None if cookie.same_site == "None" and not secure else cookie


def _given_domain(wanted: str) -> str:
    """Return the cookie's domain for any name of a client; only one with a leading dot includes subdomains."""
    if not wanted.startswith(".") or wanted.startswith(".."):
        return wanted
    plain = wanted.removeprefix(".")
    return domain_of(wanted, plain) or plain


def _set(step: Step, session: CDPSession, call: CommandCall) -> None:
    cookie = _cookie_of(call.params, _context(step, session))
    if isinstance(cookie, Refusal | Text):
        step.refuse(call, cookie)
        return
    if cookie is not None:
        put_cookie(step, cookie)
    step.reply(call, {"success": cookie is not None})


def _set_all(step: Step, call: CommandCall, context: str) -> None:
    cookies = [_cookie_of(params, context) for params in call.params["cookies"]]
    unpartitioned = all(cookie is not Text.MOCK_NO_PARTITIONS for cookie in cookies)
    if any(isinstance(cookie, Refusal | Text) for cookie in cookies):
        step.refuse(call, Text.COOKIE_FIELDS if unpartitioned else Text.MOCK_NO_PARTITIONS)
        return
    for cookie in cookies:
        if isinstance(cookie, Cookie):
            put_cookie(step, cookie)
    step.reply(call)


def _set_many(step: Step, session: CDPSession, call: CommandCall) -> None:
    _set_all(step, call, _context(step, session))


def _get(step: Step, session: CDPSession, call: CommandCall) -> None:
    context = _context(step, session)
    root = step.state.frames[session.target or ""]
    shown = [origin_url_of(frame) for frame in (root, *step.subtree(root.id))]
    urls: list[str] = call.params.get("urls", shown)
    cookies = {cookie.key: cookie for url in urls for cookie in for_url(step.state.cookies, context, url, step.now)}
    _reply_cookies(step, call, tuple(cookies.values()))


def _get_all(step: Step, session: CDPSession, call: CommandCall) -> None:
    _reply_cookies(step, call, _unexpired(step, _context(step, session)))


def _reply_cookies(step: Step, call: CommandCall, jar: CookieJar) -> None:
    step.reply(call, {"cookies": [cookie.described() for cookie in jar]})


def _unexpired(step: Step, context: str) -> CookieJar:
    return tuple(
        cookie for cookie in step.state.cookies if cookie.context == context and not 0 <= cookie.expires <= step.now
    )


def _delete(step: Step, session: CDPSession, call: CommandCall) -> None:
    params = call.params
    if "url" not in params and not params.get("domain"):
        step.refuse(call, Text.NO_COOKIE_TO_DELETE)
        return
    if "url" in params and not is_requested(params["url"]):
        step.refuse(call, Text.COOKIE_URL_TO_DELETE)
        return
    url: str = params.get("url", "")
    domain: str = params.get("domain") or urlsplit(url).hostname or ""
    path = params.get("path")

    def is_meant(cookie: Cookie) -> bool:
        return (cookie.name, cookie.domain) == (params["name"], domain) and path in (None, cookie.path)

    delete_cookies(step, _context(step, session), where=is_meant)
    step.reply(call)


def _clear(step: Step, session: CDPSession, call: CommandCall) -> None:
    delete_cookies(step, _context(step, session))
    step.reply(call)


def _context(step: Step, session: CDPSession) -> str:
    return browser_context_of(step, session.target or "")


def _storage(act: Callable[[Step, CommandCall, str], None]) -> Callable[[Step, CDPSession, CommandCall], None]:
    """Wrap a Storage command: it applies to the named browser context or to the default one, on any session."""

    def handle(step: Step, session: CDPSession, call: CommandCall) -> None:
        context: str = call.params.get("browserContextId", DEFAULT_CONTEXT)
        known = context == DEFAULT_CONTEXT or any(item.id == context for item in step.state.browser_contexts)
        if "browserContextId" in call.params and session.target is not None:
            step.refuse(call, Text.CONTEXT_OF_BROWSER_ONLY)
        elif not known:
            step.refuse(call, no_storage_context(context))
        else:
            act(step, call, context)

    return handle


def _get_stored(step: Step, call: CommandCall, context: str) -> None:
    _reply_cookies(step, call, _unexpired(step, context))


def _clear_stored(step: Step, call: CommandCall, context: str) -> None:
    delete_cookies(step, context)
    step.reply(call)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Network.clearBrowserCookies": _clear,
    "Network.deleteCookies": _delete,
    "Network.getAllCookies": _get_all,
    "Network.getCookies": _get,
    "Network.setCookie": _set,
    "Network.setCookies": _set_many,
    "Storage.clearCookies": _storage(_clear_stored),
    "Storage.getCookies": _storage(_get_stored),
    "Storage.setCookies": _storage(_set_all),
}
