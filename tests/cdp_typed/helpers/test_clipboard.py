"""The clipboard, read and written by a program."""

from __future__ import annotations

import pytest

from cdp_typed import Connection, Session, connect_sync
from cdp_typed.helpers import blocking, js, new_context, read_clipboard, write_clipboard
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import page, target
from tests.support.servers.sites import Sites

pytestmark = pytest.mark.thorough


async def test_a_page_reads_the_text_that_was_written_and_the_other_way_round(
    browser: Connection, tab: Session, sites: Sites
) -> None:
    sites.pages["/"] = "<title>p</title>"
    await tab.send(page.Enable())
    async with tab.expect(page.LoadEventFired):
        await tab.send(page.Navigate(url=sites.local()))
    for name in ("clipboard-read", "clipboard-write"):
        asked = browser_domain.PermissionDescriptor(name=name)
        await browser.send(browser_domain.SetPermission(permission=asked, setting="granted"))

    assert await write_clipboard(browser, "a\nb") == "a\nb"

    assert await js(tab, "navigator.clipboard.readText()") == "a\nb"
    await js(tab, "navigator.clipboard.writeText('c')")
    assert await read_clipboard(browser) == "c"
    tabs = [info for info in (await browser.send(target.GetTargets())).target_infos if info.type == "page"]
    assert tab.target_id in [info.target_id for info in tabs]


async def test_contexts_share_the_clipboard(browser: Connection) -> None:
    async with new_context(browser) as context, context.new_page():
        await write_clipboard(browser, "shared")

        assert await read_clipboard(browser) == "shared"


def test_a_program_without_async_has_the_same(no_leaks: None, chromium: LaunchedBrowser) -> None:
    with connect_sync(chromium.ws_url) as connection:
        assert blocking.write_clipboard(connection, "blocking") == "blocking"
        assert blocking.read_clipboard(connection) == "blocking"
