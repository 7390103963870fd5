"""`new_context`: a separate browser context, like an incognito window."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import suppress

from cdp_typed.client.blocks import async_block
from cdp_typed.client.connection import Connection
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError
from cdp_typed.protocol import target
from cdp_typed.protocol.browser import BrowserContextID

_CLOSE_TIMEOUT = 5.0


class BrowserContext:
    """Pages with separate cookies, storage and cache; made by `new_context`."""

    def __init__(self, browser: Connection, browser_context_id: BrowserContextID) -> None:
        self._browser = browser
        self.browser_context_id = browser_context_id

    @async_block
    async def new_page(self, url: str = "about:blank") -> AsyncGenerator[Session]:
        """Open a tab of the context for the length of a block, as `Connection.new_page` opens one."""
        async with self._browser.new_page(url, browser_context_id=self.browser_context_id) as tab:
            yield tab


@async_block
async def new_context(
    browser: Connection, *, proxy: str | None = None, proxy_bypass: str | None = None
) -> AsyncGenerator[BrowserContext]:
    """Make a browser context for the length of a block (`Target.createBrowserContext`), with a proxy if you want.

    `async with new_context(browser, proxy="http://127.0.0.1:3128") as context, context.new_page() as tab:`. The proxy
    is an address such as `socks5://host:port`; `proxy_bypass` lists hosts that do without it, such as
    `<-loopback>;*.local`. The context ends with the block, and its pages with it. Raises as `Session.send` does.
    """
    create = target.CreateBrowserContext(
        dispose_on_detach=True,
        proxy_server=proxy,
        proxy_bypass_list=proxy_bypass,
    )
    created = await browser.send(create)
    try:
        yield BrowserContext(browser, created.browser_context_id)
    finally:
        with suppress(CDPError):  # the browser may be gone already
            dispose = target.DisposeBrowserContext(browser_context_id=created.browser_context_id)
            await browser.send(dispose, timeout=_CLOSE_TIMEOUT)
