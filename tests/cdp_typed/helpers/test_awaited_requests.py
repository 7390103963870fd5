"""`wait_for_request` and `wait_for_response`: the request that was meant, and an end in time. On a real Chromium."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from cdp_typed import RequestTimeout, Session, TargetCrashed, connect_sync
from cdp_typed.helpers import blocking, goto, js, response_body, wait_for_request, wait_for_response
from cdp_typed.helpers.shared.request_match import RequestMatch
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import network, page
from tests.cdp_typed.helpers.conftest import answer_after
from tests.support.servers.sites import Response, Sites

pytestmark = pytest.mark.thorough


def _pieces() -> Iterator[bytes]:
    yield b"data: 1\n\n"
    time.sleep(1)


@pytest.fixture
async def shop(tab: Session, sites: Sites) -> Session:
    """A page with an API, which answers some of its requests otherwise than with a price."""
    allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "x-mine"}
    sites.pages |= {
        "/": "<link rel=icon href=data:,><title>Shop</title>",
        "/api/price": Response(body=b'{"price": 99}', headers={"Content-Type": "application/json", **allowed}),
        "/old": Response(status=302, headers={"Location": "/api/price"}),
        "/missing": Response(status=404, body=b"no such thing"),
        "/late": answer_after(1),
        "/stream": lambda _: Response(body=_pieces()),
    }
    await goto(tab, sites.local("/"))
    return tab


async def test_a_response_is_there_with_its_body_also_behind_a_redirect(shop: Session, sites: Sites) -> None:
    async with wait_for_response(shop, "*/api/price", until="body") as answered:
        with pytest.raises(RuntimeError, match="still awaited; read its value after the block"):
            _ = answered.value
        await js(shop, "{ fetch('/missing'); fetch('/api/price').then(reply => reply.text()); 0 }")
    async with wait_for_response(shop, "*/old") as redirected:
        await js(shop, "{ fetch('/old'); 0 }")

    assert answered.value.response.status == 200
    assert json.loads(await response_body(shop, answered.value)) == {"price": 99}
    assert redirected.value.response.url == sites.local("/api/price")


async def test_a_request_is_told_by_its_method_and_an_unknown_part_is_refused(shop: Session) -> None:
    async with wait_for_request(shop, "*/api/*", method="POST") as sent:
        await js(shop, "{ fetch('/api/price'); fetch('/api/price', {method: 'POST', body: 'two'}); 0 }")
    assert (sent.value.request.method, sent.value.request.has_post_data) == ("POST", True)

    unknown: Any = "head"
    with pytest.raises(ValueError, match="until must be one of headers, body, not 'head'"):
        async with wait_for_response(shop, "*", until=unknown):
            pass


def test_it_is_the_same_without_async(chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages |= {
        "/": "<link rel=icon href=data:,><title>Shop</title>",
        "/missing": Response(status=404, body=b"no such thing"),
    }
    with connect_sync(chromium.http_url) as browser, browser.new_page() as tab:
        blocking.goto(tab, sites.local("/"))
        with (
            blocking.wait_for_request(tab, "*/missing") as sent,
            blocking.wait_for_response(tab, "*/missing", until="body") as answered,
        ):
            blocking.js(tab, "{ fetch('/missing', {method: 'POST', body: 'x'}).then(reply => reply.text()); 0 }")

        assert (sent.value.request.method, answered.value.response.status) == ("POST", 404)
        assert blocking.response_body(tab, answered.value) == b"no such thing"


async def test_the_browsers_own_question_of_cors_is_not_meant(shop: Session, sites: Sites) -> None:
    asked = shop.events(network.RequestWillBeSent)
    asking = f"{{ fetch('{sites.remote('/api/price')}', {{headers: {{'X-Mine': '1'}}}}); 0 }}"
    async with (
        asked,
        wait_for_request(shop, "*/api/price") as sent,
        wait_for_response(shop, "*/api/price") as answered,
        shop.expect(network.ResponseReceived, lambda event: event.type == "Preflight", timeout=10),
    ):
        await js(shop, asking)
    match = RequestMatch("*/api/price", None, "headers", 1)
    async for event in asked:
        if event.initiator.type == "preflight":  # in some runs it comes before the request itself
            match.feed(event)

    assert match.request is None
    assert sent.value.request.method == "GET"
    assert answered.value.type == "Fetch"


async def test_a_response_that_does_not_end_is_there_with_its_headers(shop: Session) -> None:
    async with wait_for_response(shop, "*/stream") as answered:
        await js(shop, "{ fetch('/stream').catch(() => 0); 0 }")
    with pytest.raises(RequestTimeout, match="the response has begun, but its body does not end"):
        async with wait_for_response(shop, "*/stream", until="body", timeout=0.4):
            await js(shop, "{ fetch('/stream').catch(() => 0); 0 }")

    assert answered.value.response.status == 200


async def test_a_request_from_before_the_block_counts_by_its_response(shop: Session) -> None:
    await shop.send(network.Enable())
    async with shop.expect(network.RequestWillBeSent):
        await js(shop, "{ fetch('/late'); 0 }")
    async with wait_for_response(shop, "*/late") as answered:
        pass

    assert answered.value.response.status == 200


NOTHING: dict[str, tuple[str, str]] = {
    "no request": ("0", r'^"\*/price": no such request within 0.4 s'),
    "others": (
        "{ fetch('/missing?page=2&token=secret'); 0 }",
        r"no such request within 0.4 s among \d, the latest http://.*/missing\?page=2&token=<redacted>$",
    ),
    "failed": ("{ fetch('http://localhost:1/price').catch(() => 0); 0 }", "the request failed: net::ERR_UNSAFE_PORT"),
    "no response": ("{ fetch('/late?/price').catch(() => 0); 0 }", "the request has no response within 0.4 s$"),
}


@pytest.mark.parametrize(("script", "message"), NOTHING.values(), ids=NOTHING)
async def test_it_ends_in_time_and_says_how_far_it_came(shop: Session, script: str, message: str) -> None:
    with pytest.raises(RequestTimeout, match=message):
        async with wait_for_response(shop, "*/price", timeout=0.4):
            await js(shop, script)


async def test_the_deadline_counts_from_the_start_and_loses_nothing_that_came(shop: Session) -> None:
    async with wait_for_response(shop, "*/api/price", timeout=0.3) as answered:
        await js(shop, "fetch('/api/price').then(reply => reply.text())")
        await js(shop, "new Promise(resolve => setTimeout(resolve, 500))")

    assert answered.value.response.status == 200


async def test_a_crash_ends_it_at_once(shop: Session) -> None:
    with pytest.raises(TargetCrashed):
        async with wait_for_response(shop, "*/api/price"):
            _ = shop.send_nowait(page.Crash())
