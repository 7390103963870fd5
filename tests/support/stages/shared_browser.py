"""A browser that several tests use one after the other, each as if it were new."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from types import TracebackType

from cdp_typed import CDPError, Connection, EndpointError, connect
from cdp_typed.protocol import browser, storage, target
from evals.browsers.starting import Started, started

CLEARS_WITHIN_S = 3.0
"""Pages and workers that take longer to go are a reason for a new browser."""


class SharedBrowser:
    """Starts a browser of one kind when it is first needed, for the length of a `with` block.

    Starting Chromium 156 takes 0.5 s of processor time, and emptying it 0.1 s.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._running: Started | None = None
        self._stack = ExitStack()

    def __enter__(self) -> SharedBrowser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    def empty(self) -> Started:
        """The browser with one page, which is new and empty; another browser where that cannot be had."""
        if self._running is not None and not _is_emptied(self._running.ws_url):
            self.discard()
        if self._running is None:
            self._running = self._stack.enter_context(started(self._kind, omnibox=False))
        return self._running

    def discard(self) -> None:
        """End the browser, whose state is not known."""
        self._stack.close()
        self._running = None


def _is_emptied(ws_url: str) -> bool:
    try:
        return asyncio.run(_empty(ws_url))
    except (CDPError, EndpointError, TimeoutError):
        return False


async def _empty(ws_url: str) -> bool:
    """Replace all pages by an empty one, forget cookies and settings. Returns whether nothing else is left."""
    async with connect(ws_url) as connection, asyncio.timeout(CLEARS_WITHIN_S):
        old = [info.target_id for info in await _targets(connection) if info.type == "page"]
        page = (await connection.send(target.CreateTarget(url="about:blank"))).target_id
        for target_id in old:
            await connection.send(target.CloseTarget(target_id=target_id))
        await connection.send(storage.ClearCookies())
        await connection.send(browser.ResetPermissions())
        await connection.send(browser.SetDownloadBehavior(behavior="default"))
        while [info.target_id for info in await _targets(connection)] != [page]:  # noqa: ASYNC110 - no event comes without discovery
            await asyncio.sleep(0.02)
        return not (await connection.send(target.GetBrowserContexts())).browser_context_ids


async def _targets(connection: Connection) -> tuple[target.TargetInfo, ...]:
    return (await connection.send(target.GetTargets())).target_infos
