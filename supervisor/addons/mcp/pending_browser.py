"""A browser that starts while clients are served already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress

from cdp_typed.errors import LaunchError
from cdp_typed.launch import Launch


class PendingBrowser:
    """An endpoint: a callable that waits for the address of a browser, and raises `LaunchError` when its start fails.

    Raises `LaunchError` here when no browser could ever start.
    """

    def __init__(self, launching: Launch) -> None:
        launching.find()
        self._launching = launching
        self._address: Future[str] = Future()

    async def __call__(self) -> str:
        """Return the address, on any event loop."""
        return await asyncio.shield(asyncio.wrap_future(self._address))

    @asynccontextmanager
    async def starting(self) -> AsyncGenerator[None]:
        """The browser starts, and runs until the block ends. The block begins at once."""
        running = asyncio.create_task(self._run())
        try:
            await asyncio.sleep(0)
            yield
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    async def _run(self) -> None:
        try:
            async with self._launching as browser:
                self._address.set_result(browser.ws_url)
                await asyncio.get_running_loop().create_future()
        except Exception as error:
            if self._address.done():
                raise
            first, *printed = str(error).splitlines()
            told = LaunchError(f"{' '.join([first, *printed[-1:]])}. Start the MCP server again to try again.")
            told.__cause__ = error
            self._address.set_exception(told)
