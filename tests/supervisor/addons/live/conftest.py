"""A supervised Chromium, its live view, and another Chromium in which people look at it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias

import pytest

from cdp_typed import Connection, Session, connect
from cdp_typed.helpers import goto, js
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import emulation
from cdp_typed.protocol import page as page_domain
from supervisor import AsyncSupervisor
from supervisor.addons.live import Address, LiveView, live_url, serve_live
from tests.support.browsers import launched
from tests.support.secrets import CANARY
from tests.support.servers.sites import Sites

__all__ = ["PATIENCE_S", "Live", "LiveOn", "soon", "until"]

PATIENCE_S = 30.0


async def until(page: Session, condition: str) -> Any:
    """Wait until an expression is true in a page, and return its value."""
    found = f"(() => {{ try {{ return ({condition}) }} catch {{}} }})()"
    look = f"setInterval(() => {{ const is = {found}; if (is) {{ clearInterval(id); done(is) }} }}"
    return await js(page, f"new Promise(done => {{ const id = {look}, 20) }})", timeout=PATIENCE_S)


async def soon(holds: Callable[[], bool]) -> None:
    """Wait until something holds on the side of the server."""
    for _ in range(int(PATIENCE_S / 0.01)):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError("it did not come about")


class Live:
    """One supervisor with its live view, and what opens viewers."""

    def __init__(self, supervisor: AsyncSupervisor, view: LiveView, address: str, viewers: Connection) -> None:
        self.supervisor = supervisor
        self.view = view
        self.address = address
        self.viewers: Connection = viewers

    @asynccontextmanager
    async def viewer(self, *, is_pictured: bool = True) -> AsyncGenerator[Session]:
        """A page of the second Chromium that shows the live view, with a picture unless there can be none."""
        async with self.viewers.new_page() as page:
            await page.send(
                emulation.SetDeviceMetricsOverride(width=1400, height=900, device_scale_factor=1, mobile=False)
            )
            await goto(page, self.address)
            if is_pictured:
                await until(page, "Number(document.getElementById('picture').dataset.pictures) > 0")
            yield page

    @asynccontextmanager
    async def tab_in_front(self) -> AsyncGenerator[None]:
        """Another tab of the viewers' browser, which hides theirs."""
        async with self.viewers.new_page() as tab:
            await tab.send(page_domain.BringToFront())
            yield


LiveOn: TypeAlias = Callable[..., AbstractAsyncContextManager[Live]]


@pytest.fixture(scope="module")
def supervised() -> Iterator[LaunchedBrowser]:
    """The browser that is supervised."""
    with launched() as browser:
        yield browser


@pytest.fixture
def live(supervised: LaunchedBrowser, chromium: LaunchedBrowser, sites: Sites) -> LiveOn:
    """A call of it opens a page with this HTML in a supervisor of its own, and serves its live view."""

    @asynccontextmanager
    async def serving(html: str, **settings: Any) -> AsyncGenerator[Live]:
        sites.pages["/"] = html
        async with (
            AsyncSupervisor(supervised.ws_url, scope="own", **settings) as supervisor,
            connect(chromium.ws_url) as viewers,
        ):
            await supervisor.navigate(sites.local("/"))
            view = LiveView(supervisor)
            address = Address(token=CANARY)
            async with serve_live(view, address) as url:
                yield Live(supervisor, view, live_url(url, address), viewers)

    return serving
