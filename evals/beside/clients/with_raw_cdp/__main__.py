"""Our own client plays scenarios with nothing but CDP; see `programs.main`."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from cdp_typed import CDPError, Connection, connect
from cdp_typed.protocol import page, runtime, target
from evals.beside.clients.programs import main
from evals.beside.clients.with_raw_cdp import browsing, waiting
from evals.beside.clients.with_raw_cdp.tab import SCENARIOS, Tab

__all__ = ["browsing", "waiting"]  # their scenarios


@asynccontextmanager
async def connected(
    address: str, shared_url: str | None
) -> AsyncGenerator[Callable[[], AbstractAsyncContextManager[Tab]]]:
    async with connect(address, command_timeout=10) as browser:
        if shared_url is None:
            yield lambda: new_tab(browser)
        else:
            infos = (await browser.send(target.GetTargets())).target_infos
            shared = next(info.target_id for info in infos if info.type == "page" and info.url == shared_url)
            session = await browser.attach(shared)  # attached all the while, and to be known by a world of its own,
            frame = (await session.send(page.GetFrameTree())).frame_tree.frame  # as Playwright and Puppeteer are
            await session.send(page.CreateIsolatedWorld(frame_id=frame.id, world_name="client"))
            yield lambda: same_tab(browser, shared, shared_url)


@asynccontextmanager
async def new_tab(browser: Connection) -> AsyncGenerator[Tab]:
    async with browser.new_page() as session:
        await session.send_many([page.Enable(), runtime.Enable()])
        yield Tab(browser, session)


@asynccontextmanager
async def same_tab(browser: Connection, target_id: target.TargetID, url: str) -> AsyncGenerator[Tab]:
    session = await browser.attach(target_id, enable=[page.Enable(), runtime.Enable()])
    tab = Tab(browser, session)
    try:
        yield tab
    finally:
        with contextlib.suppress(CDPError):  # there is none, unless the scenario failed
            await session.send(page.HandleJavaScriptDialog(accept=True))
        with contextlib.suppress(CDPError):
            await tab.go("about:blank")  # within a site, Chromium waits for what the page's scripts wait for
        await tab.go(url)
        await session.detach()


main(SCENARIOS, connected)
