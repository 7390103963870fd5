"""The browser of a host: started when it is needed, and again when it has died."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from cdp_typed import connect
from cdp_typed.errors import CommandTimeout, LaunchError
from cdp_typed.launch import SharedBrowser, launch
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import system_info
from supervisor.addons.fleet.settings import Hosts
from supervisor.config import FEATURES, OMNIBOX

from .browser_services import services_in, what_ended
from .page_memory import PageMemory

DEATHS, WITHIN_S = 3, 60.0
"""A browser that has died this many times within this many seconds is not started again."""

LOOK_S = 1.0
"""Seconds between two looks at the processes of the browser."""


class HostBrowser:
    """Starts a Chromium over a pipe, which all tasks of a host share. Used on the shared loop thread.

    `ended` is called there with a reason when a browser has died.
    """

    def __init__(self, hosts: Hosts, ended: Callable[[str], None]) -> None:
        self.deaths: int = 0
        self.product: str | None = None
        """The product and version of the browser; None before the first one has started."""
        self.memory: PageMemory = PageMemory(hosts.page_mb)
        self._hosts = hosts
        self._ended = ended
        self._lock = asyncio.Lock()
        self._shared: SharedBrowser | None = None
        self._stack: AsyncExitStack | None = None
        self._died_at: list[float] = []
        self._watching: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def reported(self) -> dict[str, Any]:
        """The fields of a host's report about its browser."""
        memory = self.memory
        return {
            "browser_deaths": self.deaths,
            "browser_mb": memory.browser_mb,
            "largest_page_mb": memory.largest_page_mb,
            "pages_ended": memory.ended,
            "is_sick": self.is_sick,
        }

    @property
    def is_sick(self) -> bool:
        """The browser has died `DEATHS` times within `WITHIN_S` and is not started again."""
        recent = [at for at in self._died_at if time.monotonic() - at < WITHIN_S]
        return len(recent) >= DEATHS

    async def endpoint(self) -> SharedBrowser:
        """Return the running browser; starts one when there is none. Raises `LaunchError`."""
        async with self._lock:
            if self._is_closed:
                raise LaunchError("the host is ending")
            if self.is_sick:
                raise LaunchError(f"the browser has died {DEATHS} times within a minute and is not started again")
            if self._shared is None or self._shared.has_ended:
                await self._end()
                self._shared = await self._start()
            return self._shared

    async def close(self) -> None:
        """End the browser."""
        self._is_closed = True
        async with self._lock:
            await self._end()

    async def restart(self) -> None:
        """End the browser and delete its profile; the next task starts a new one."""
        async with self._lock:
            await self._end()

    async def _start(self) -> SharedBrowser:
        hosts = self._hosts
        launching = launch(
            hosts.executable, headless=hosts.headless, args=_args(hosts.args), timeout=hosts.start_timeout_s, pipe=True
        )
        async with AsyncExitStack() as stack:
            shared = await SharedBrowser.open(await stack.enter_async_context(launching))
            stack.push_async_callback(shared.close)
            async with connect(shared) as connection:
                self.product = (await connection.send(browser_domain.GetVersion())).product
            self._stack = stack.pop_all()
        self._watching = asyncio.create_task(self._watch(shared))
        return shared

    async def _watch(self, shared: SharedBrowser) -> None:
        ending = asyncio.ensure_future(shared.wait_ended())
        failing = asyncio.create_task(self._wait_failed(shared))
        try:
            await asyncio.wait({ending, failing}, return_when=asyncio.FIRST_COMPLETED)
            has_failed = not ending.done() and failing.exception() is None
            reason = failing.result() if has_failed else await ending
        finally:
            ending.cancel()
            failing.cancel()
        self.deaths += 1
        self._died_at = [*self._died_at[1 - DEATHS :], time.monotonic()]
        self._ended(f"its browser ended ({reason})")
        if has_failed:
            self._watching = None  # this task ends by itself
            await self.restart()

    async def _wait_failed(self, shared: SharedBrowser) -> str:
        """Return why the browser cannot go on: its process does not answer any more, which busy pages do not keep it
        from, or one that holds the state of its pages has ended."""
        services: dict[str, int] = {}
        async with connect(shared) as connection:
            while True:
                try:
                    found = await connection.send(system_info.GetProcessInfo(), timeout=self._hosts.hang_s)
                except CommandTimeout:
                    return f"it did not answer for {self._hosts.hang_s:g} s"
                self.memory.look(found.process_info)
                now = services_in(found)
                if ended := what_ended(services, now):
                    return ended
                services = now
                await asyncio.sleep(min(LOOK_S, self._hosts.hang_s / 2))

    async def _end(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        stack, self._stack, self._shared, self._watching = self._stack, None, None, None
        if stack is not None:
            await stack.aclose()


def _args(given: tuple[str, ...]) -> tuple[str, ...]:
    """Add our features to the caller's `--disable-features`, because Chromium reads only the last such flag."""
    named = [arg.removeprefix(FEATURES) for arg in given if arg.startswith(FEATURES)]
    return (*given, FEATURES + ",".join((*named[-1:], *OMNIBOX)))
