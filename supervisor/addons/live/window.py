"""The browser's window while a person is in control: as large as the viewer's, and put back after it."""

from __future__ import annotations

from contextlib import suppress

from cdp_typed import CDPError, Connection
from cdp_typed.protocol import browser, target

WINDOW_S = 2.0
"""Seconds for the browser to tell or change the size of a window."""


class FittedWindow:
    """The window of a tab. Its size is changed (`Browser.setWindowBounds`), because an emulated size would end the one
    of another client."""

    def __init__(self, connection: Connection, target_id: str, shown: tuple[float, float]) -> None:
        self.target_id: str = target_id
        self._connection = connection
        self._shown = shown
        """The size of the page before, in CSS pixels."""
        self._before: browser.GetWindowForTargetResult | None = None
        self._size: tuple[int, int] | None = None

    async def fit(self, size: tuple[int, int]) -> None:
        """Give the page such a width and height in CSS pixels, if it has its own window that can be changed."""
        if size == self._size:
            return
        self._size = size
        with suppress(CDPError, TimeoutError):  # not every browser has windows
            if self._before is None:
                asked = browser.GetWindowForTarget(target_id=target.TargetID(self.target_id))
                self._before = await self._connection.send(asked, timeout=WINDOW_S)
            before = self._before.bounds
            if before.window_state == "normal" and before.width is not None and before.height is not None:
                frame = before.width - round(self._shown[0]), before.height - round(self._shown[1])
                await self._set(self._before, size[0] + frame[0], size[1] + frame[1])

    async def put_back(self) -> None:
        """Give the window the size that it had."""
        before, self._before = self._before, None
        if before is not None and before.bounds.window_state == "normal":
            with suppress(CDPError, TimeoutError):
                await self._set(before, before.bounds.width, before.bounds.height)

    async def _set(self, of: browser.GetWindowForTargetResult, width: int | None, height: int | None) -> None:
        bounds = browser.Bounds(width=width, height=height)
        await self._connection.send(browser.SetWindowBounds(window_id=of.window_id, bounds=bounds), timeout=WINDOW_S)
