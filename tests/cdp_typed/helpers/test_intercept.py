"""Requests that a function answers, changes or fails, on a real Chromium."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from cdp_typed import CDPError, InvalidParams, JavaScriptError, Session, UnlistedValue, WrongType, connect_sync
from cdp_typed.helpers import PausedRequest, RequestAnswer, blocking, intercept, js, response_body
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import fetch, page
from tests.cdp_typed.helpers.conftest import load
from tests.support.secrets import CANARY
from tests.support.servers.sites import Page, Request, Response, Sites

Handler: TypeAlias = Callable[[PausedRequest], RequestAnswer]

FETCH = "path => fetch(path).then(async response => [response.status, await response.text()])"


def _echo(request: Request) -> Response:
    heard = [request.method, request.headers.get("x-mine"), request.headers.get("content-type"), request.body.decode()]
    return Response(json.dumps(heard), headers={"Content-Type": "application/json"})


def _members(request: Request) -> str | Response:
    right = "Basic " + base64.b64encode(b"ada:lovelace").decode()
    challenge = Response("who are you?", 401, {"WWW-Authenticate": 'Basic realm="members"'})
    return "welcome" if request.authorization == right else challenge


PAGES: dict[str, Page] = {
    "/": "<!doctype html><link rel=icon href=data:,><title>Home</title>",
    "/api": Response('{"real": true}', headers={"Content-Type": "application/json", "X-Served": "yes"}),
    "/echo": _echo,
    "/members": _members,
}


@pytest.fixture
async def home(tab: Session, sites: Sites) -> Session:
    sites.pages.update(PAGES)
    await load(tab, sites.local("/"))
    return tab


class Held:
    """A handler that answers when it is told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked, self.answer, self.ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._error = error

    async def wait(self, request: PausedRequest) -> RequestAnswer:
        self.asked.set()
        await self.answer.wait()
        self.ended.set()
        if self._error is not None:
            raise self._error
        return request.fulfill()


async def test_what_matches_is_answered_and_the_rest_goes_on(home: Session) -> None:
    seen: list[tuple[str, str, str, bytes]] = []

    def mock(request: PausedRequest) -> RequestAnswer:
        seen.append((request.method, request.url.rpartition("/")[2], request.resource_type, request.body))
        return None if request.url.endswith("/api?real") else request.fulfill(json={"mock": [1, None]})

    async with intercept(home, "*/api*", mock):
        assert await js(home, FETCH, "/api") == [200, '{"mock": [1, null]}']
        assert await js(home, FETCH, "/api?real") == [200, '{"real": true}']
        assert (await js(home, FETCH, "/echo"))[0] == 200
        await js(home, "fetch('/api', {method: 'POST', body: 'sent'}).then(() => 0)")

    assert seen == [("GET", "api", "XHR", b""), ("GET", "api?real", "XHR", b""), ("POST", "api", "XHR", b"sent")]
    assert await js(home, FETCH, "/api") == [200, '{"real": true}']


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ({"body": "<p>\u00e9"}, [200, "OK", "<p>\u00e9", "text/html; charset=utf-8"]),
        ({"status": 404, "body": b"\xc3\xa9"}, [404, "Not Found", "\u00e9", None]),
        ({"status": 299, "json": None}, [299, "Unknown", "null", "application/json; charset=utf-8"]),
        ({"headers": {"content-type": "text/css"}, "body": "a"}, [200, "OK", "a", "text/css"]),
        ({"headers": [("X-A", "1"), ("X-A", "2")]}, [200, "OK", "", None]),
    ],
)
async def test_an_answer_has_a_status_headers_and_a_body(
    home: Session, options: dict[str, Any], answer: list[object]
) -> None:
    look = """path => fetch(path).then(async response => [
        response.status, response.statusText, await response.text(), response.headers.get('content-type'),
        response.headers.get('x-a')])"""
    async with intercept(home, "*/api", lambda request: request.fulfill(**options)):
        assert await js(home, look, "/api") == [*answer, "1, 2" if "X-A" in str(options) else None]


async def test_a_request_is_changed_on_its_way(home: Session, sites: Sites) -> None:
    def change(request: PausedRequest) -> RequestAnswer:
        headers = {**request.headers, "X-Mine": "1", "Content-Type": "text/plain"}
        return request.change(url=sites.local("/echo"), method="PUT", headers=headers, body="changed")

    async with intercept(home, "*/api", change):
        _, heard = await js(home, FETCH, "/api")
    async with intercept(home, "*/echo", lambda request: request.change(body=b"\xc3\xa9")):
        as_bytes = await js(home, "fetch('/echo', {method: 'POST', body: 'a'}).then(response => response.json())")
    async with intercept(home, "*/api", lambda request: request.change()):
        unchanged = await js(home, FETCH, "/api")

    assert json.loads(heard) == ["PUT", "1", "text/plain", "changed"]
    assert as_bytes[3] == "\u00e9"
    assert unchanged == [200, '{"real": true}']


async def test_a_response_is_read_and_changed(home: Session) -> None:
    async def shout(request: PausedRequest) -> RequestAnswer:
        body = await response_body(home, request)
        assert request.status == 200
        assert ("X-Served", "yes") in request.response_headers
        return request.fulfill(201, headers=request.response_headers, body=body.upper())

    look = "fetch('/api').then(response => [response.status, response.headers.get('x-served')])"
    async with intercept(home, "*/api", shout, stage="Response"):
        assert await js(home, FETCH, "/api") == [201, '{"REAL": TRUE}']
    async with intercept(home, "*/api", lambda request: request.change(status=202), stage="Response"):
        assert await js(home, look) == [202, "yes"]
    async with intercept(home, "*/api", lambda request: request.change(headers={"X-Served": "no"}), stage="Response"):
        assert await js(home, look) == [200, "no"]
    async with intercept(home, "*/api", lambda request: None, stage="Response"):
        assert await js(home, look) == [200, "yes"]


async def test_a_request_fails_as_told(home: Session) -> None:
    patterns: list[str | fetch.RequestPattern] = [
        "*/api",
        fetch.RequestPattern(url_pattern="*/echo", resource_type="Fetch"),
    ]
    async with intercept(home, patterns, lambda request: request.fail("AddressUnreachable")):
        for path in ("/api", "/echo"):
            with pytest.raises(JavaScriptError, match="Failed to fetch"):
                await js(home, FETCH, path)


@pytest.mark.parametrize("gives", [True, False])
async def test_who_is_not_let_in_is_asked_once(home: Session, sites: Sites, gives: bool) -> None:
    challenges: list[str] = []

    def try_it(request: PausedRequest) -> RequestAnswer:
        if request.challenge is None:
            return None
        assert (request.status, request.response_headers) == (None, [])
        challenges.append(request.url)
        return request.authenticate("ada", "wrong") if gives else None

    async with intercept(home, "*/members", try_it, auth=True):
        text = await js(home, FETCH, "/members")

    assert challenges == [sites.local("/members")]
    assert text == [401, "who are you?"]


def _raise(_request: PausedRequest) -> None:
    raise ZeroDivisionError("of the handler")


FAILING: list[tuple[Callable[[PausedRequest], Any], type[Exception], str]] = [
    (_raise, ZeroDivisionError, "of the handler"),
    (lambda request: True, WrongType, "a handler of intercept returns request.fulfill(...)"),
    (lambda request: request.fulfill(headers={"a b": ""}), InvalidParams, "Invalid header"),
    (lambda request: request.authenticate("a", "b"), ValueError, "give intercept auth=True"),
    (lambda request: request.change(status=201), ValueError, "a request has no status"),
]


@pytest.mark.parametrize(("handler", "kind", "text"), FAILING)
async def test_a_handler_that_fails_hangs_no_page_and_is_told(
    home: Session, caplog: pytest.LogCaptureFixture, handler: Any, kind: type[Exception], text: str
) -> None:
    async def fetch_it() -> None:
        async with intercept(home, "*/api?*", handler):
            with pytest.raises(JavaScriptError, match="Failed to fetch"):
                await js(home, FETCH, f"/api?token={CANARY}")

    with caplog.at_level(logging.ERROR, "cdp_typed"), pytest.raises(kind) as told:
        await fetch_it()

    assert text in str(told.value)
    (record,) = caplog.records
    assert record.getMessage().startswith("the handler of intercept failed for <PausedRequest GET http://localhost:")


async def test_a_handler_that_fails_at_a_response_or_a_challenge_hangs_no_page(home: Session) -> None:
    async def fetch_response() -> None:
        async with intercept(home, "*/api", lambda request: request.change(url="/"), stage="Response"):
            with pytest.raises(JavaScriptError, match="Failed to fetch"):
                await js(home, FETCH, "/api")

    async def fetch_members() -> None:
        async with intercept(
            home, "*/members", lambda request: _raise(request) if request.challenge else None, auth=True
        ):
            assert await js(home, FETCH, "/members") == [401, "who are you?"]

    with pytest.raises(ValueError, match="of a response, status and headers can be changed"):
        await fetch_response()
    with pytest.raises(ZeroDivisionError):
        await fetch_members()


START_TO_STOP = "() => { window.stop = new AbortController(); fetch('/api', {signal: stop.signal}).catch(() => 0) }"


async def test_a_request_that_the_page_has_cancelled_is_no_error(home: Session) -> None:
    held = Held()
    async with intercept(home, "*/api", held.wait):
        await js(home, START_TO_STOP)
        await held.asked.wait()
        await js(home, "stop.abort()")
        held.answer.set()
        assert await js(home, FETCH, "/api") == [200, ""]


async def test_a_handler_that_fails_for_a_cancelled_request_is_told(home: Session) -> None:
    held = Held(ZeroDivisionError())

    async def fetch_and_stop() -> None:
        async with intercept(home, "*/api", held.wait):
            await js(home, START_TO_STOP)
            await held.asked.wait()
            await js(home, "stop.abort()")
            held.answer.set()
            await js(home, "1")

    with pytest.raises(ZeroDivisionError):
        await fetch_and_stop()


async def test_at_the_end_of_the_block_what_waits_goes_on(home: Session) -> None:
    held = Held()
    async with intercept(home, "*/api", held.wait):
        await js(home, "() => { window.text = fetch('/api').then(response => response.text()) }")
        await held.asked.wait()

    assert await js(home, "window.text") == '{"real": true}'
    held.answer.set()
    await js(home, "1")


async def test_the_end_of_the_tab_is_no_error_of_the_handler(home: Session) -> None:
    held = Held()
    async with intercept(home, "*/api", held.wait):
        await js(home, "() => { fetch('/api') }")
        await held.asked.wait()
        await home.detach()
        held.answer.set()
        await asyncio.sleep(0)


async def test_of_nested_blocks_the_latest_answers_first(home: Session) -> None:
    asked: list[str] = []

    def first(request: PausedRequest) -> RequestAnswer:
        asked.append("first")
        return request.fulfill(body="first")

    def passes(_request: PausedRequest) -> RequestAnswer:
        asked.append("passes")
        return None

    def echo(request: PausedRequest) -> RequestAnswer:
        asked.append("echo")
        return request.fulfill(body="echo")

    async with intercept(home, "*/api", first):
        async with intercept(home, "*/api*", passes), intercept(home, "*/echo", echo):
            assert await js(home, FETCH, "/api") == [200, "first"]
            assert await js(home, FETCH, "/echo") == [200, "echo"]
            assert await js(home, FETCH, "/api?real") == [200, '{"real": true}']
        assert asked == ["passes", "first", "echo", "passes"]
        assert (await js(home, FETCH, "/echo"))[1] != "echo"
        assert await js(home, FETCH, "/api") == [200, "first"]
    assert await js(home, FETCH, "/api") == [200, '{"real": true}']


async def test_nested_blocks_meet_a_request_and_its_response(home: Session) -> None:
    async def shout(request: PausedRequest) -> RequestAnswer:
        return request.fulfill(body=(await response_body(home, request)).upper())

    def change(request: PausedRequest) -> RequestAnswer:
        assert request.status is None
        return request.change(method="PUT")

    async with intercept(home, "*/echo", shout, stage="Response"), intercept(home, "*/echo", change):
        assert '"PUT"' in (await js(home, FETCH, "/echo"))[1]


async def test_a_challenge_is_answered_and_nested_blocks_share_it(home: Session, sites: Sites) -> None:
    asked: list[str | None] = []

    def log_in(request: PausedRequest) -> RequestAnswer:
        asked.append(request.challenge.realm if request.challenge else None)
        return request.authenticate("ada", "lovelace") if request.challenge else None

    async with intercept(home, "*", log_in, auth=True), intercept(home, "*", lambda request: None):
        await load(home, sites.local("/members"))
        assert await js(home, "document.body.textContent") == "welcome"

    assert asked[:2] == [None, "members"]


async def test_the_end_of_an_inner_block_frees_only_what_it_holds(home: Session) -> None:
    held = Held()
    async with intercept(home, "*/echo", lambda request: request.fulfill(body="outer")):
        async with intercept(home, "*/api", held.wait):
            await js(home, "() => { window.text = fetch('/api').then(response => response.text()) }")
            await held.asked.wait()
        assert await js(home, "window.text") == '{"real": true}'
        held.answer.set()
        await held.ended.wait()
        assert await js(home, FETCH, "/echo") == [200, "outer"]


async def test_an_interception_that_cannot_begin_leaves_the_other_one(home: Session) -> None:
    wrong = fetch.RequestPattern(resource_type=UnlistedValue("Nonsense"))
    async with intercept(home, "*/api", lambda request: request.fulfill(body="outer")):
        with pytest.raises(CDPError):
            async with intercept(home, [wrong], lambda request: None):
                raise AssertionError
        assert await js(home, FETCH, "/api") == [200, "outer"]


def test_without_async_the_handler_may_use_the_client(no_leaks: None, chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages.update(PAGES)
    with connect_sync(chromium.http_url) as browser, browser.new_page() as tab:
        with tab.expect(page.LoadEventFired, timeout=20):
            tab.send(page.Enable())
            tab.send(page.Navigate(url=sites.local("/")))

        def shout(request: PausedRequest) -> RequestAnswer:
            return request.fulfill(body=blocking.response_body(tab, request).upper())

        with blocking.intercept(tab, "*/api", shout, stage="Response"):
            assert blocking.js(tab, FETCH, "/api") == [200, '{"REAL": TRUE}']
        with pytest.raises(ZeroDivisionError), blocking.intercept(tab, "*/api", _raise):
            assert blocking.js(tab, "fetch('/api').catch(() => 'failed')") == "failed"
