"""A page of the shared Chromium, and the helpers in both of their forms."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import pytest

from cdp_typed import Connection, Session, SyncConnection, SyncSession, connect, connect_sync, helpers
from cdp_typed._base import Command
from cdp_typed.helpers import blocking
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page, storage
from tests.support.servers.sites import Request


async def load(tab: Session, url: str) -> None:
    """Navigate without a helper, and wait for the load event."""
    await tab.send(page.Enable())
    async with tab.expect(page.LoadEventFired, timeout=20):
        await tab.send(page.Navigate(url=url))


def answer_after(seconds: float) -> Callable[[Request], str]:
    """A page of a server that takes its time, so that a request is under way."""

    def answer(_: Request) -> str:
        time.sleep(seconds)
        return "late"

    return answer


class Helpers:
    """Calls a helper by its name on a page: as it is, or its blocking twin on a thread without an event loop."""

    def __init__(self, kind: str, tab: Session, of_thread: SyncSession | None, thread: ThreadPoolExecutor) -> None:
        self.kind = kind
        self.tab = tab
        self._of_thread = of_thread
        self._thread = thread

    async def send(self, command: Command[Any]) -> None:
        if self._of_thread is None:
            await self.tab.send(command)
        else:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._of_thread.send, command)

    @property
    def session_id(self) -> str:
        return (self._of_thread or self.tab).session_id

    async def call(self, name: str, *args: Any, **options: Any) -> Any:
        if self._of_thread is None:
            return await getattr(helpers, name)(self.tab, *args, **options)
        of_thread = self._of_thread
        twin = getattr(blocking, name)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: twin(of_thread, *args, **options))


@pytest.fixture
async def browser(no_leaks: None, chromium: LaunchedBrowser) -> AsyncIterator[Connection]:
    async with connect(chromium.http_url) as connection:
        yield connection
        await connection.send(storage.ClearCookies())  # the tests of a file share the browser


@pytest.fixture
async def tab(browser: Connection) -> AsyncIterator[Session]:
    async with browser.new_page() as session:
        yield session


@pytest.fixture(params=["async", "blocking"])
async def page_helpers(
    request: pytest.FixtureRequest, tab: Session, chromium: LaunchedBrowser
) -> AsyncIterator[Helpers]:
    kind: Literal["async", "blocking"] = request.param
    with ThreadPoolExecutor(1) as thread:
        if kind == "async":
            yield Helpers(kind, tab, None, thread)
            return
        loop = asyncio.get_running_loop()
        connection: SyncConnection = await loop.run_in_executor(thread, connect_sync, chromium.http_url)
        try:
            yield Helpers(kind, tab, await loop.run_in_executor(thread, connection.attach, tab.target_id), thread)
        finally:
            await loop.run_in_executor(thread, connection.close)
