"""A browser that tests share looks new to each of them, or is replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest

from cdp_typed import Connection, connect
from cdp_typed.protocol import browser, network, storage, target
from evals.browsers.starting import Started
from tests.support.stages.shared_browser import SharedBrowser

pytestmark = [pytest.mark.chromium, pytest.mark.thorough]


@pytest.fixture
def shared(no_leaks: None) -> Iterator[SharedBrowser]:
    with SharedBrowser("chromium") as shared_browser:
        yield shared_browser


def use(started: Started, work: Callable[[Connection], Awaitable[object]]) -> None:
    async def connected() -> None:
        async with connect(started.ws_url) as connection:
            await work(connection)

    asyncio.run(connected())


def left_in(started: Started) -> tuple[list[tuple[str, str]], list[str]]:
    """The types and URLs of its targets, and the names of its cookies."""
    targets: list[tuple[str, str]] = []
    cookies: list[str] = []

    async def look(connection: Connection) -> None:
        infos = (await connection.send(target.GetTargets())).target_infos
        targets.extend((info.type, info.url) for info in infos)
        cookies.extend(cookie.name for cookie in (await connection.send(storage.GetCookies())).cookies)

    use(started, look)
    return targets, cookies


def test_an_emptied_browser_has_one_empty_page_and_no_cookies(shared: SharedBrowser) -> None:
    async def leave_things(connection: Connection) -> None:
        await connection.send(target.CreateTarget(url="data:text/html,left"))
        cookie = network.CookieParam(name="left", value="x", url="http://localhost/")
        await connection.send(storage.SetCookies(cookies=[cookie]))

    first = shared.empty()
    use(first, leave_things)
    assert left_in(first) != ([("page", "about:blank")], [])

    assert shared.empty() is first
    assert left_in(first) == ([("page", "about:blank")], [])


def test_a_browser_that_cannot_be_emptied_is_replaced(shared: SharedBrowser) -> None:
    async def leave_a_context(connection: Connection) -> None:
        await connection.send(target.CreateBrowserContext())

    async def end(connection: Connection) -> None:
        await connection.send(browser.Close())

    first = shared.empty()
    use(first, leave_a_context)
    second = shared.empty()
    use(second, end)
    third = shared.empty()

    assert len({first.ws_url, second.ws_url, third.ws_url}) == 3
    assert left_in(third) == ([("page", "about:blank")], [])
