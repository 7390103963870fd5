"""The browser of a session: launched over a pipe, on Windows on a port, or one that runs already."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec import Struct

from cdp_typed.cli.arguments import UsageError
from cdp_typed.endpoint import find_running
from cdp_typed.errors import ConnectionLost
from cdp_typed.launch import LaunchedBrowser, PipedBrowser, SharedBrowser, launch
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.transport import Transport
from cdp_typed.transport.websocket import open_websocket
from supervisor.cli.arguments import default_window
from supervisor.config import FEATURES, OMNIBOX, Endpoint

from .open_options import Choices

HAS_PIPES = sys.platform != "win32"
"""Whether a browser can be launched over a pipe."""
_DIAL_S = 10.0


class _OnPort(Struct, frozen=True):
    """A browser on a port, which the session's connections share like one on a pipe."""

    browser: LaunchedBrowser

    async def open_transport(self, *, max_size: int) -> Transport:
        url = self.browser.ws_url
        return await open_websocket(url, open_timeout=_DIAL_S, max_size=max_size, ping_interval=None)


class OwnBrowser:
    """A Chromium over a pipe, shared by the session's connections; it opens no port, except on Windows.

    It ends with the session's process, also when that is killed.
    """

    def __init__(self, private: Path, choices: Choices, downloads: Path) -> None:
        self._private = private
        self._downloads = downloads
        self._choices = choices
        self._stack: AsyncExitStack | None = None
        self._shared: SharedBrowser | None = None

    async def start(self) -> None:
        """Launch it. Raises `LaunchError`, and `UsageError` for a proxy that Chromium does not take."""
        LOOP_THREAD.keep()  # as long as the session's process lives
        await LOOP_THREAD.hop(self._start())

    async def _start(self) -> None:
        async with AsyncExitStack() as stack:
            # Without a window a browser needs no runtime folder, and would leave a file of dconf there.
            chosen = self._choices
            try:
                launching = launch(
                    headless=not chosen.headed,
                    isolate_sites=True,
                    args=(FEATURES + ",".join(OMNIBOX),),
                    env={} if chosen.headed else {"XDG_RUNTIME_DIR": str(self._private)},
                    pipe=HAS_PIPES,
                    profile=chosen.profile,
                    proxy=chosen.proxy,
                    window_size=chosen.window_size or default_window(headless=not chosen.headed),
                    downloads=self._downloads,
                )
            except ValueError as error:
                raise UsageError(str(error)) from None
            launched: LaunchedBrowser | PipedBrowser = await stack.enter_async_context(launching)
            shareable = launched if isinstance(launched, PipedBrowser) else _OnPort(launched)
            self._shared = await SharedBrowser.open(shareable)
            stack.push_async_callback(self._shared.close)
            self._stack = stack.pop_all()

    @property
    def has_ended(self) -> bool:
        """Whether the browser is gone."""
        return self._shared is None or self._shared.has_ended

    def endpoint(self) -> SharedBrowser:
        """The browser, for a connection. Raises `ConnectionLost` when it has ended."""
        if self._shared is None or self._shared.has_ended:
            raise ConnectionLost("the browser has ended")
        return self._shared

    async def close(self) -> None:
        """End it, and remove its profile."""
        stack, self._stack = self._stack, None
        if stack is not None:
            await LOOP_THREAD.hop(stack.aclose())


def endpoint_of(choices: Choices, own: OwnBrowser | None) -> Endpoint:
    """The endpoint for a supervisor."""
    if own is not None:
        return own.endpoint
    return find_running if choices.connect else choices.cdp or ""
