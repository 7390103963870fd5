"""The built site on a real Chromium: `make docs` runs this, and `make test` does not, because it needs `site/`."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import threading
from collections.abc import AsyncIterator, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cdp_typed import CDPError, Session, __version__, connect
from cdp_typed.helpers import click, goto, js
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import emulation, log, network, runtime
from cdp_typed.protocol import input as user_input
from website.repository import ROOT

PAGES = (
    "",
    "start-agent/",
    "recipes/",
    "api/",
    "api/supervisor/",
    "protocol/",
    "protocol/page/",
    "protocol/Page/",
    "changelog/",
)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=ROOT / "site")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
async def tab(chromium: LaunchedBrowser) -> AsyncIterator[Session]:
    async with connect(chromium) as browser, browser.new_page() as tab:
        await tab.send(emulation.SetDeviceMetricsOverride(width=1300, height=800, device_scale_factor=1, mobile=False))
        yield tab


async def until(tab: Session, condition: str) -> None:
    """Wait for a condition of the page, through the navigations that it makes."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(CDPError):
                if await js(tab, f"Boolean({condition})"):
                    return
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("page", PAGES)
async def test_a_page_loads_nothing_from_elsewhere_and_has_no_errors(tab: Session, site: str, page: str) -> None:
    requested: list[str] = []
    errors: list[object] = []
    await tab.send_many((network.Enable(), runtime.Enable(), log.Enable()))
    tab.listen(lambda _, event: requested.append(event.request.url), network.RequestWillBeSent)
    tab.listen(lambda _, event: errors.append(event), runtime.ExceptionThrown, log.EntryAdded)

    await goto(tab, f"{site}{__version__}/{page}")
    await until(tab, "document.querySelector('.md-version__link')")

    assert [url for url in requested if not url.startswith((site, "data:"))] == []
    assert errors == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Page.navigate", '[href*="/protocol/page/"][href$="#navigate"]'),
        ("unhandled alert", '[href*="/supervisor/"]'),
        ("iframe", '[href*="/supervisor/"]'),
        ("captcha", '[href*="/live/"]'),
        ("screenshot", '[href*="/recipes/"]'),
        ("no such session", '[href*="/client/"]'),
        ("docker no sandbox", '[href*="/containers/"]'),
        ("execution context destroyed", '[href*="/client/"]'),
        ("iframe cross origin", '[href*="/client/"]'),
    ],
)
async def test_the_search_finds_a_command_and_what_people_call_otherwise(
    tab: Session, site: str, query: str, found: str
) -> None:
    await goto(tab, f"{site}{__version__}/client/")
    await until(tab, "document.querySelector('.md-version__link')")

    await click(tab, ".md-search__button")
    await until(tab, "document.activeElement.shadowRoot?.activeElement")
    await tab.send(user_input.InsertText(text=query))

    await until(tab, f"document.activeElement.shadowRoot.querySelector({json.dumps('a' + found)})")


async def test_the_site_is_dark_for_those_who_prefer_it(tab: Session, site: str) -> None:
    dark = emulation.MediaFeature(name="prefers-color-scheme", value="dark")
    await tab.send(emulation.SetEmulatedMedia(features=[dark]))

    await goto(tab, f"{site}{__version__}/")

    await until(tab, "document.body.dataset.mdColorScheme === 'slate'")


async def test_the_first_page_leads_to_the_newest_version_and_the_switch_lists_all(tab: Session, site: str) -> None:
    await goto(tab, site)

    await until(tab, "document.querySelector('.md-version__link')")
    versions = sorted(path.parent.name for path in (ROOT / "site").glob("*/index.html"))
    assert (
        sorted(await js(tab, "Array.from(document.querySelectorAll('.md-version__link'), e => e.text.trim())"))
        == versions
    )
