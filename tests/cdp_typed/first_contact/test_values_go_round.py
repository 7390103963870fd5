"""What a result or an event gave is accepted where a command takes it, and Chromium gets what was meant."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from cdp_typed import UNSET, Connection, Session, connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import fetch, network, page, runtime, storage
from tests.support.servers.sites import Response, Sites


def sent(command: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(command))


@pytest.fixture
async def browser(no_leaks: None, chromium: LaunchedBrowser) -> AsyncIterator[Connection]:
    async with connect(chromium) as connection:
        yield connection


@pytest.fixture
async def tab(browser: Connection) -> AsyncIterator[Session]:
    async with browser.new_page() as session:
        yield session


def test_what_is_absent_is_not_sent() -> None:
    assert sent(page.Navigate(url="x", referrer=None, frame_id=UNSET)) == {"url": "x"}
    assert sent(page.CaptureScreenshot(clip=None, quality=0, from_surface=False)) == {
        "quality": 0,
        "fromSurface": False,
    }
    assert sent(browser_domain.Bounds(left=None, top=0)) == {"top": 0}


def test_null_is_sent_where_any_json_may_be() -> None:
    assert sent(runtime.CallArgument(value=None)) == {"value": None}
    assert sent(runtime.CallArgument(value=UNSET)) == sent(runtime.CallArgument()) == {}


def test_an_array_is_whatever_sequence_there_is() -> None:
    expected = {"requestId": "1", "responseHeaders": [{"name": "a", "value": "b"}]}
    header = fetch.HeaderEntry(name="a", value="b")
    for headers in ((header,), [header]):
        assert sent(fetch.ContinueResponse(request_id=fetch.RequestId("1"), response_headers=headers)) == expected


COOKIE = network.Cookie(
    name="a", value="b", domain="x.test", path="/", expires=-1.0, size=2, http_only=True, secure=False, session=True,
    priority="Medium", source_scheme="NonSecure", source_port=80, same_site="Lax",
)  # fmt: skip
PARAM = network.CookieParam(
    name="a", value="b", domain="x.test", path="/", expires=-1.0, http_only=True, secure=False,
    priority="Medium", source_scheme="NonSecure", source_port=80, same_site="Lax",
)  # fmt: skip


def test_cookies_become_what_setting_them_takes() -> None:
    other = network.CookieParam(name="c", value="d", url="http://x.test/")

    for command in (network.SetCookies(cookies=(COOKIE, other)), storage.SetCookies(cookies=[COOKIE, other])):
        assert command.cookies == (PARAM, other)
    given = [other]
    assert network.SetCookies(cookies=given).cookies is given
    assert msgspec.convert({"cookies": [{"name": "c", "value": "d"}]}, network.SetCookies).cookies[0].name == "c"
    no_cookie: Any = [COOKIE, {"name": "c"}]  # which is left for the browser to refuse
    assert sent(network.SetCookies(cookies=no_cookie))["cookies"][1] == {"name": "c"}


async def test_the_headers_of_a_response_are_given_back(tab: Session) -> None:
    answer = Response("<title>there</title>", headers={"X-Given": "back", "Content-Type": "text/html"})
    with Sites({"/": answer, "/other": answer}) as sites:
        await tab.send(page.Enable())
        await tab.send(network.Enable())
        await tab.send(fetch.Enable(patterns=(fetch.RequestPattern(request_stage="Response"),)))
        async with tab.expect(network.ResponseReceived) as received:
            async with tab.expect(fetch.RequestPaused) as paused:
                navigating = tab.send_nowait(page.Navigate(url=sites.local("/")))
            event = paused.value
            command = fetch.ContinueResponse(
                request_id=event.request_id,
                response_code=event.response_status_code,
                response_phrase=event.response_status_text or None,
                response_headers=event.response_headers,
            )
            await tab.send(command)
            assert (await navigating).error_text is None

    assert received.value.response.headers["X-Given"] == "back"


async def test_a_request_is_continued_with_what_an_event_did_not_have(tab: Session) -> None:
    with Sites({"/": "<title>there</title>"}) as sites:
        await tab.send(fetch.Enable())
        async with tab.expect(fetch.RequestPaused) as paused:
            navigating = tab.send_nowait(page.Navigate(url=sites.local("/")))
        event = paused.value
        assert event.response_headers is None
        await tab.send(fetch.ContinueRequest(request_id=event.request_id, headers=event.response_headers))

        assert (await navigating).error_text is None


async def test_a_page_is_gone_when_its_block_ends(chromium: LaunchedBrowser, browser: Connection) -> None:
    async with connect(chromium) as judge:
        for _ in range(3):
            async with browser.new_page() as tab:
                pass
            listed = (await judge.send_raw("Target.getTargets"))["targetInfos"]
            assert tab.target_id not in [item["targetId"] for item in listed]
