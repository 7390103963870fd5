"""Browsers and tabs that stay until they are closed, as at a prompt; and the errors of one form used like another."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from cdp_typed import CDPError, Connection, SyncConnection, connect, connect_sync
from cdp_typed.helpers import blocking, goto, har, js, network_idle_after, new_context
from cdp_typed.launch import launch
from cdp_typed.mock import MockServer, ThreadedMockServer
from cdp_typed.protocol import target
from tests.support.processes import processes_of

URL = "data:text/html,<title>Shop</title>"


@pytest.fixture
async def mock(no_leaks: None) -> AsyncIterator[MockServer]:
    async with MockServer() as server:
        yield server


@pytest.fixture
def threaded_mock(no_leaks: None) -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer() as server:
        yield server


async def _pages(browser: Connection) -> int:
    return sum(info.type == "page" for info in (await browser.send(target.GetTargets())).target_infos)


async def test_a_tab_stays_until_it_is_closed_whatever_is_collected(mock: MockServer) -> None:
    async with connect(mock.url) as browser:
        before = await _pages(browser)
        tab = await browser.open_page(URL)
        target_id = tab.target_id
        del tab
        gc.collect()
        await asyncio.sleep(0)
        assert await _pages(browser) == before + 1

        [again] = [session for session in browser.sessions if session.target_id == target_id]
        await again.close()
        await again.close()
        assert (await _pages(browser), again.is_over) == (before, True)
    await again.close()


async def test_a_tab_may_be_entered_too_and_is_closed_at_the_end_of_the_block(mock: MockServer) -> None:
    async with connect(mock.url) as browser:
        before = await _pages(browser)
        opening = browser.open_page(URL)
        tab = await opening.__aenter__()
        assert (await tab.send(target.GetTargetInfo())).target_info.url == URL
        await opening.__aexit__(ZeroDivisionError, ZeroDivisionError(), None)
        assert await _pages(browser) == before

        async with browser.open_page(URL) as other:
            assert await _pages(browser) == before + 1
        assert (other.is_over, await _pages(browser)) == (True, before)


def test_the_blocking_client_has_the_same_names(threaded_mock: ThreadedMockServer) -> None:
    browser = connect_sync(threaded_mock.url)
    before = len(browser.send(target.GetTargets()).target_infos)
    tab = browser.open_page(URL)
    gc.collect()
    assert tab.send(target.GetTargetInfo()).target_info.url == URL
    tab.close()
    assert len(browser.send(target.GetTargets()).target_infos) == before
    browser.close()
    tab.close()


@pytest.mark.chromium
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
@pytest.mark.parametrize("pipe", [False, True], ids=["port", "pipe"])
async def test_a_browser_that_was_awaited_lives_until_it_is_closed(pipe: bool) -> None:
    chromium = await launch(pipe=pipe)
    browser = await connect(chromium)
    tab = await browser.open_page()
    gc.collect()
    await goto(tab, URL)
    assert await js(tab, "document.title", type=str) == "Shop"

    await tab.close()
    await browser.close()
    await chromium.close()
    await chromium.close()
    assert (processes_of(chromium.pid, chromium.profile), chromium.profile.exists()) == ({}, False)


@pytest.mark.chromium
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
def test_a_browser_that_was_started_is_closed_by_its_own_close() -> None:
    chromium = launch().start()
    browser = connect_sync(chromium)
    tab = browser.open_page()
    blocking.goto(tab, URL)
    assert blocking.js(tab, "document.title") == "Shop"

    browser.close()
    assert repr(chromium.close()) == "<closed>"
    assert (processes_of(chromium.pid, chromium.profile), chromium.profile.exists()) == ({}, False)


# -- one form used like the other --------------------------------------------------------------------------------

BLOCK = r"new_page\(\.\.\.\) lasts as long as a block: async with new_page\(\.\.\.\) as tab; for a tab until await "
SYNC_BLOCK = r"lasts as long as a block: with new_page\(\.\.\.\) as tab; .*: tab = browser\.open_page\(url\)$"


async def _awaited(value: Any) -> None:
    await value


async def _entered(value: Any) -> None:
    async with value:
        pass


async def _with(value: Any) -> None:
    with value:
        pass


async def _used(value: Any) -> None:
    value.send(target.GetTargets())


FORMS: list[tuple[Callable[[Connection], Any], Callable[[Any], Awaitable[None]], type[Exception], str]] = [
    (lambda browser: browser.new_page(), _awaited, TypeError, BLOCK),
    (lambda browser: browser.new_page(), _with, TypeError, BLOCK),
    (lambda browser: browser.new_page(), _used, AttributeError, "not entered yet, so it has no 'send': " + BLOCK),
    (lambda browser: browser.open_page(), _used, AttributeError, r"'send': tab = await browser\.open_page\(url\)"),
    (lambda browser: connect("127.0.0.1:9"), _with, TypeError, "for code that is not async: with connect_sync"),
    (lambda browser: new_context(browser), _awaited, TypeError, r"a block: async with new_context\(\.\.\.\)$"),
    (lambda browser: network_idle_after(browser.root), _awaited, TypeError, r"async with network_idle_after\("),
    (lambda browser: har(browser.sessions[0], "x.har"), _with, TypeError, r"async with har\(\.\.\.\)$"),
    (lambda browser: launch("/none"), _used, AttributeError, r"no 'send': .* chromium = await launch\(\)$"),
]


@pytest.mark.parametrize(("make", "use", "error", "says"), FORMS)
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
async def test_a_form_used_like_the_other_says_what_to_write(
    mock: MockServer,
    make: Callable[[Connection], Any],
    use: Callable[[Any], Awaitable[None]],
    error: type[Exception],
    says: str,
) -> None:
    async with connect(mock.url) as browser, browser.new_page():
        with pytest.raises(error, match=says):
            await use(make(browser))


BLOCKING_FORMS: list[tuple[Callable[[SyncConnection], Any], Callable[[Any], Awaitable[None]], type[Exception], str]] = [
    (lambda browser: browser.new_page(), _awaited, TypeError, SYNC_BLOCK),
    (lambda browser: browser.new_page(), _entered, TypeError, SYNC_BLOCK),
    (lambda browser: browser.new_page(), _used, AttributeError, SYNC_BLOCK),
    (lambda browser: browser.open_page(), _with, TypeError, r"with browser\.new_page\(url\) as tab"),
    (lambda browser: blocking.new_context(browser), _entered, TypeError, r"a block: with new_context\(\.\.\.\)$"),
]


@pytest.mark.parametrize(("make", "use", "error", "says"), BLOCKING_FORMS)
def test_a_blocking_form_used_like_the_other_says_what_to_write(
    threaded_mock: ThreadedMockServer,
    make: Callable[[SyncConnection], Any],
    use: Callable[[Any], Awaitable[None]],
    error: type[Exception],
    says: str,
) -> None:
    with connect_sync(threaded_mock.url) as browser:
        made = make(browser)
        with pytest.raises(error, match=says):
            asyncio.run(_plainly(use, made))


async def _plainly(use: Callable[[Any], Awaitable[None]], value: Any) -> None:
    with suppress(CDPError):
        await use(value)
