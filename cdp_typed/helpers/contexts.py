"""`new_context`: a separate browser context, like an incognito window."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import suppress
from urllib.parse import unquote

from cdp_typed.client.blocks import async_block
from cdp_typed.client.connection import Connection
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError
from cdp_typed.helpers.cookie_access import Cookies, set_cookies
from cdp_typed.helpers.request_interception import intercept
from cdp_typed.helpers.shared.paused_request import PausedRequest, RequestAnswer
from cdp_typed.protocol import page, target
from cdp_typed.protocol.browser import BrowserContextID

_CLOSE_TIMEOUT = 5.0


class BrowserContext:
    """Pages with separate cookies, storage and cache; `new_context` creates it."""

    def __init__(
        self, browser: Connection, browser_context_id: BrowserContextID, proxy_login: tuple[str, str] | None
    ) -> None:
        self._browser = browser
        self._proxy_login = proxy_login
        self.browser_context_id = browser_context_id

    @async_block
    async def new_page(self, url: str = "about:blank") -> AsyncGenerator[Session]:
        """Open a tab of the context during a block, as `Connection.new_page` does."""
        login = self._proxy_login
        if login is None:
            async with self._browser.new_page(url, browser_context_id=self.browser_context_id) as tab:
                yield tab
            return

        def log_in(request: PausedRequest) -> RequestAnswer:
            asked_by_proxy = request.challenge is not None and request.challenge.source == "Proxy"
            return request.authenticate(*login) if asked_by_proxy else None

        async with (
            self._browser.new_page(browser_context_id=self.browser_context_id) as tab,
            intercept(tab, "*", log_in, auth=True),
        ):
            if url != "about:blank":
                await tab.send(page.Navigate(url=url))
            yield tab


@async_block
async def new_context(
    browser: Connection, *, cookies: Cookies = (), proxy: str | None = None, proxy_bypass: str | None = None
) -> AsyncGenerator[BrowserContext]:
    """Create a browser context for a block (`Target.createBrowserContext`), optionally with cookies or a proxy.

    `async with new_context(browser, proxy="http://127.0.0.1:3128") as context, context.new_page() as tab:`. The proxy
    is an address such as `socks5://host:port`; `proxy_bypass` lists hosts that do not use it, such as
    `<-loopback>;*.local`. `cookies` are set as by `set_cookies`. The context and its pages end with the block. Raises
    as `set_cookies` does.

    If the proxy has a name and a password (`http://user:password@host:3128`, with special characters percent-encoded),
    the pages of `new_page` send them through `intercept`, which answers all other login challenges without credentials.
    Raises `ValueError` for a SOCKS proxy with a password, which Chromium cannot use.
    """
    server, proxy_login = (None, None) if proxy is None else _without_login(proxy)
    create = target.CreateBrowserContext(
        dispose_on_detach=True,
        proxy_server=server,
        proxy_bypass_list=proxy_bypass,
    )
    created = await browser.send(create)
    try:
        if cookies:
            await set_cookies(browser, cookies, browser_context_id=created.browser_context_id)
        yield BrowserContext(browser, created.browser_context_id, proxy_login)
    finally:
        with suppress(CDPError):  # the browser may be gone already
            dispose = target.DisposeBrowserContext(browser_context_id=created.browser_context_id)
            await browser.send(dispose, timeout=_CLOSE_TIMEOUT)


def _without_login(proxy: str) -> tuple[str, tuple[str, str] | None]:
    """Return the address of a proxy, and the name and password in it; Chromium takes no address that has them."""
    login, at, host = proxy.rpartition("@")
    if not at:
        return proxy, None
    scheme, separator, login = login.rpartition("://")
    if scheme.startswith("socks"):
        raise ValueError("Chromium gives no name and password to a SOCKS proxy; use an HTTP proxy")
    name, _, password = login.partition(":")
    return f"{scheme}{separator}{host}", (unquote(name), unquote(password))
