"""`cdp_typed.connect`, over real websockets."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from cdp_typed import CommandTimeout, Connection, ConnectionLost, EndpointError, SchemaMismatch, connect
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import page, target
from tests.support.servers.listeners import http_answer, listening

pytestmark = pytest.mark.usefixtures("no_leaks")

VERSION = {"protocolVersion": "1.3", "product": "P", "revision": "R", "userAgent": "U", "jsVersion": "J"}


def _version_page(_: ServerConnection, request: Request) -> Response | None:
    if not request.path.startswith("/json/version"):
        return None
    body = json.dumps({"webSocketDebuggerUrl": "ws://elsewhere.example:1/devtools/browser/abc"}).encode()
    return Response(HTTPStatus.OK, "OK", Headers({"Content-Length": str(len(body))}), body)


async def _answer(peer: ServerConnection) -> None:
    async for message in peer:
        command: dict[str, Any] = json.loads(message)
        if command["method"] == "Browser.getVersion":
            await peer.send(json.dumps({"id": command["id"], "result": VERSION}))
        elif command["method"] == "Page.navigate":
            await peer.send(json.dumps({"id": command["id"], "result": {}}))
        elif command["method"] == "Browser.crash":
            peer.transport.abort()


@asynccontextmanager
async def _fake_browser(port: int = 0) -> AsyncGenerator[int]:
    async with serve(_answer, "127.0.0.1", port, process_request=_version_page) as server:
        bound_port: int = next(iter(server.sockets)).getsockname()[1]
        yield bound_port


async def _lose_and_raise(browser: Connection) -> None:
    _ = browser.send_nowait(browser_domain.Crash())
    await browser.wait_closed()
    raise KeyError


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


@pytest.mark.parametrize("endpoint", ["ws://127.0.0.1:{}/devtools/browser/abc", "http://127.0.0.1:{}", "127.0.0.1:{}"])
async def test_every_kind_of_endpoint_leads_to_the_browser_past_the_proxies_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")

    async with _fake_browser() as port, connect(endpoint.format(port)) as browser:
        assert (await browser.send(browser_domain.GetVersion())).product == "P"


async def test_what_is_given_to_connect_reaches_the_connection() -> None:
    async with _fake_browser() as port, connect(f"127.0.0.1:{port}", command_timeout=0.05, strict=True) as browser:
        with pytest.raises(CommandTimeout, match=r"within 0\.05 s"):
            await browser.send(target.GetTargets())
        with pytest.raises(SchemaMismatch):
            await browser.send(page.Navigate(url="x"))


async def test_a_browser_that_dies_fails_what_is_in_flight_at_once() -> None:
    async with _fake_browser() as port, connect(f"127.0.0.1:{port}") as browser:
        with pytest.raises(ConnectionLost, match=r"^Browser\.crash: connection lost: the browser is gone"):
            await asyncio.wait_for(browser.send(browser_domain.Crash(), timeout=None), 2)


async def test_an_exception_of_the_block_is_not_masked() -> None:
    async with _fake_browser() as port:
        opening = connect(f"127.0.0.1:{port}")
        with pytest.raises(KeyError):
            async with opening as browser:
                await _lose_and_raise(browser)


@pytest.mark.parametrize(("wait_for_browser", "open_timeout"), [(False, 30), (True, 0.3)])
async def test_a_refused_dial_fails_at_once_or_at_the_deadline(wait_for_browser: bool, open_timeout: float) -> None:
    opening = connect(f"127.0.0.1:{_free_port()}", open_timeout=open_timeout, wait_for_browser=wait_for_browser)
    with pytest.raises(EndpointError, match="unreachable"):
        await opening


@pytest.mark.parametrize("endpoint", ["ws://127.0.0.1:{}/devtools/browser/abc", "http://127.0.0.1:{}"])
async def test_a_browser_that_is_still_starting_is_waited_for(endpoint: str) -> None:
    port = _free_port()
    opening = asyncio.create_task(connect(endpoint.format(port), wait_for_browser=True)._open())  # pyright: ignore[reportPrivateUsage]  # a task of it is needed
    await asyncio.sleep(0.1)  # long enough to be refused once
    async with _fake_browser(port):
        browser = await opening
        await browser.close()


async def test_a_try_cut_short_by_the_deadline_does_not_hide_the_refusal_before_it() -> None:
    answers = iter([http_answer(502, "starting")])

    async def refuse_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if answer := next(answers, None):
            await answer(reader, writer)
        else:
            await reader.read(65536)
            await reader.read()

    async with listening(refuse_once) as port:
        for_long = connect(f"127.0.0.1:{port}", open_timeout=0.5, wait_for_browser=True)
        with pytest.raises(EndpointError) as refused:
            await for_long
        assert refused.value.status == 502


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_what_cannot_change_is_not_waited_for(status: int) -> None:
    async with listening(http_answer(status, "")) as port:
        for endpoint in (f"ws://127.0.0.1:{port}/x", f"http://127.0.0.1:{port}"):
            with pytest.raises(EndpointError) as refused:
                await asyncio.wait_for(connect(endpoint, open_timeout=30, wait_for_browser=True), 2)
            assert refused.value.status == status
