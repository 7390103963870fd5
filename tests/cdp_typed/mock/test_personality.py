"""Our own client with browsers that differ from a local Chrome."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.request

import pytest
from msgspec.structs import replace

from cdp_typed import connect
from cdp_typed.errors import ConnectionLost, EndpointError, InvalidParams, MethodNotFound
from cdp_typed.mock import MockServer, Page, ThreadedMockServer
from cdp_typed.mock.personality import LOCAL, PERSONALITIES, Personality
from cdp_typed.mock.server.pacing import MessagePacing
from cdp_typed.protocol import browser, page, runtime
from cdp_typed.schema import load_schema, parse_schema

SITE = {"http://top.test/": Page(title="Top", on_load="setTimeout(() => alert('late'), 20)")}


@pytest.mark.parametrize("name", ["proxy_answers_dialogs", "instant_dialogs"])
async def test_somebody_else_dismisses_the_dialog(name: str, no_leaks: None) -> None:
    async with (
        MockServer(personality=PERSONALITIES[name]) as mock,
        connect(mock.url) as connection,
        connection.new_page() as tab,
        tab.events(page.JavascriptDialogOpening, page.JavascriptDialogClosed) as dialogs,
    ):
        await tab.send(page.Enable())
        answer = await tab.send(runtime.Evaluate(expression="prompt('one') || confirm('two')"))
        seen = [await anext(dialogs) for _ in range(4)]

    assert answer.result.value is False
    assert [type(event).__name__ for event in seen] == ["JavascriptDialogOpening", "JavascriptDialogClosed"] * 2


async def test_an_instant_dialog_cannot_be_answered(no_leaks: None) -> None:
    """Not even by an answer that is on its way when the dialog opens."""
    async with (
        MockServer(personality=PERSONALITIES["instant_dialogs"]) as mock,
        connect(mock.url) as connection,
        connection.new_page() as tab,
    ):
        await tab.send(page.Enable())
        asked = tab.send_nowait(runtime.Evaluate(expression="confirm('now?')"))

        with pytest.raises(InvalidParams, match="No dialog is showing"):
            await tab.send(page.HandleJavaScriptDialog(accept=True))
        assert (await asked).result.value is False


async def test_a_dialog_of_a_timer_is_dismissed_too(no_leaks: None) -> None:
    async with (
        MockServer(SITE, personality=PERSONALITIES["instant_dialogs"]) as mock,
        connect(mock.url) as connection,
        connection.new_page() as tab,
    ):
        await tab.send(page.Enable())
        async with tab.expect(page.JavascriptDialogClosed) as closed:
            await tab.send(page.Navigate(url="http://top.test/"))

        assert (await closed).result is False


async def test_a_slow_remote_keeps_the_order(no_leaks: None) -> None:
    personality = Personality(latency_s=0.02, jitter_s=0.02, seed=7)
    async with MockServer(personality=personality) as mock, connect(mock.url) as connection:
        started = asyncio.get_running_loop().time()
        done: list[int] = []

        async def call(number: int) -> None:
            await connection.send(browser.GetVersion())
            done.append(number)

        await asyncio.gather(*(call(number) for number in range(20)))

    assert asyncio.get_running_loop().time() - started >= personality.latency_s
    assert done == list(range(20))


def test_jitter_is_the_same_with_the_same_seed() -> None:
    slow = PERSONALITIES["slow_remote"]

    def times(personality: Personality) -> list[float | None]:
        pace = MessagePacing(personality)
        return [pace.due(number / 1000 - 100) for number in range(20)]

    assert times(slow) == times(slow) == sorted(each for each in times(slow) if each is not None)
    assert times(slow) != times(replace(slow, seed=1))
    assert times(LOCAL) == [None] * 20


async def test_when_one_client_leaves_the_others_lose_their_connection(no_leaks: None) -> None:
    async with MockServer(personality=PERSONALITIES["one_leaves_all_leave"]) as mock, connect(mock.url) as stays:
        async with connect(mock.url) as leaves:
            await leaves.send(browser.GetVersion())

        assert isinstance(await asyncio.wait_for(asyncio.shield(stays.lost), 5), ConnectionLost)


async def test_an_expired_address_is_refused(no_leaks: None) -> None:
    async with MockServer(personality=replace(PERSONALITIES["signed_urls"], urls_expire_s=0.0)) as mock:
        for address in (mock.url, mock.url.partition("?")[0], mock.http_url):
            with pytest.raises(EndpointError) as caught:
                await connect(address)
            assert caught.value.status == 403
            assert "?token" not in str(caught.value)


async def test_a_fresh_address_lets_in(no_leaks: None) -> None:
    async with MockServer(personality=PERSONALITIES["signed_urls"]) as mock:
        for address in (mock.url, mock.http_url):
            async with connect(address) as connection:
                await connection.send(browser.GetVersion())


async def test_an_older_browser_misses_methods(no_leaks: None) -> None:
    async with (
        MockServer(personality=PERSONALITIES["older_protocol"]) as mock,
        connect(mock.url) as connection,
        connection.new_page() as tab,
    ):
        with pytest.raises(MethodNotFound, match="wasn't found"):
            await tab.send(runtime.GetExceptionDetails(error_object_id=runtime.RemoteObjectId("1.1.1")))


def fetched(address: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(address) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def test_an_older_browser_says_so_in_its_schema(no_leaks: None) -> None:
    older = PERSONALITIES["older_protocol"]
    with ThreadedMockServer(personality=older) as mock:
        commands = parse_schema(fetched(f"{mock.http_url}/json/protocol")[1]).commands

    assert load_schema().commands.keys() - commands.keys() == older.missing


def test_a_page_is_closed_over_http(no_leaks: None) -> None:
    with ThreadedMockServer() as mock:
        (only,) = mock.browser.pages

        assert fetched(f"{mock.http_url}/json/close/{only.id}") == (200, b"Target is closing")
        assert fetched(f"{mock.http_url}/json/close/{only.id}") == (404, f"No such target id: {only.id}".encode())
        assert mock.browser.pages == ()
        assert fetched(f"{mock.http_url}/json/new?http://x/")[0] == 405


def test_a_browser_that_is_named_chrome_lets_in_who_looks_for_the_name(no_leaks: None) -> None:
    with (
        ThreadedMockServer(personality=PERSONALITIES["named_chrome"]) as mock,
        urllib.request.urlopen(f"{mock.http_url}/json/version") as answer,
    ):
        said = json.load(answer)

    assert said["Browser"] == "Chrome/156.0.8078.0"
    # What chromedriver reads besides.
    assert re.fullmatch(r"537\.36 \(@[0-9a-f]{40}\)", said["WebKit-Version"])


async def test_the_product_is_a_field(no_leaks: None) -> None:
    personality = replace(LOCAL, product="HeadlessChrome", chromium=140)
    async with MockServer(personality=personality) as mock, connect(mock.url) as connection:
        assert (await connection.send(browser.GetVersion())).product == "HeadlessChrome/140.0.0.0"
