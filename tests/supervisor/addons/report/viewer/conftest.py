"""A report in a real Chromium, and what the browser says about it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import Session, connect
from cdp_typed.helpers import goto, js, press
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import emulation, log, network, runtime
from supervisor.addons.report import model
from supervisor.addons.report.html import report_html

__all__ = ["Viewed"]

_READY = """new Promise((done) => {
  const look = () => document.documentElement.dataset.ready
    ? requestAnimationFrame(() => requestAnimationFrame(done)) : setTimeout(look, 10);
  look();
})"""


class Viewed:
    """A report that is looked at."""

    def __init__(self, tab: Session, file: Path) -> None:
        self.tab = tab
        self._file = file
        self.complaints: list[str] = []
        """What the console and the log said, and what was thrown."""
        self.requests: list[str] = []

    async def open(
        self, report: model.Report, fragment: str = "#view=timeline", *, width: int = 1280, height: int = 800
    ) -> None:
        """Show a report in a window of this size."""
        self._file.write_text(report_html(report), encoding="utf-8")
        await self.tab.send(
            emulation.SetDeviceMetricsOverride(width=width, height=height, device_scale_factor=1, mobile=False)
        )
        await goto(self.tab, self._file.as_uri() + fragment)
        await self.js(_READY)

    async def js(self, expression: str, *args: Any) -> Any:
        """The value of an expression in the page."""
        return await js(self.tab, expression, *args)

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until their work is drawn."""
        for key in keys:
            await press(self.tab, key)
        await self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    async def texts(self, selector: str) -> list[str]:
        """The texts of the elements that match, in the order in which they are seen."""
        found: list[str] = await self.js(
            "(selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent)", selector
        )
        return found

    async def until(self, condition: str) -> None:
        """Wait until the expression is true."""
        look = f"const look = () => ({condition}) ? done() : setTimeout(look, 10)"
        await self.js(f"new Promise((done) => {{ {look}; look() }})")


@pytest.fixture
async def viewed(chromium: LaunchedBrowser, tmp_path: Path) -> AsyncIterator[Viewed]:
    """A page of the shared browser. At the end nothing was complained about, and nothing asked for but the file."""
    async with connect(chromium.http_url) as connection, connection.new_page() as tab:
        file = tmp_path / "report.html"
        view = Viewed(tab, file)

        def complain(_: str | None, event: runtime.ExceptionThrown | runtime.ConsoleAPICalled | log.EntryAdded) -> None:
            view.complaints.append(repr(event))

        def note(_: str | None, event: network.RequestWillBeSent) -> None:
            view.requests.append(event.request.url)

        tab.listen(complain, runtime.ExceptionThrown, runtime.ConsoleAPICalled, log.EntryAdded)
        tab.listen(note, network.RequestWillBeSent)
        await tab.send_many([runtime.Enable(), log.Enable(), network.Enable()])
        yield view
        assert view.complaints == []
        requested = {url.split("#")[0] for url in view.requests if not url.startswith("data:image/")}
        assert requested <= {file.as_uri(), "data:,"}
