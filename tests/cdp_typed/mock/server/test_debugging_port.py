"""The debugging port responds like Chromium's: paths, verbs, and the checks of an upgrade."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import Iterator

import pytest

from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import MockServer, ThreadedMockServer

LOCAL = "127.0.0.1"
WEBSOCKET = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.fixture(scope="module")
def mock() -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer() as running:
        yield running


def ask(port: int, line: str, host: str = LOCAL, fields: str = "") -> tuple[int, str, str]:
    """Return status, content type and body of the response to a request."""
    with socket.create_connection((LOCAL, port), timeout=20) as client:
        client.sendall(f"{line} HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n".encode())
        with client.makefile("rb") as answer:
            status = int(answer.readline().split()[1])
            headers: dict[str, str] = {}
            while (field := answer.readline().strip()) != b"":
                name, _, value = field.decode().partition(":")
                headers[name.lower()] = value.strip()
            body = answer.read(int(headers.get("content-length", "0"))).decode()
    return status, headers.get("content-type", ""), body


def ask_blindly(port: int, line: str) -> tuple[int, str, str]:
    """Return the same with ids replaced."""
    status, kind, body = ask(port, line)
    return status, kind, re.sub(r"[0-9A-F]{32}", "ID", body)


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


SAME = [
    ("GET /json/new?about:blank", LOCAL, ""),
    ("POST /json/new", LOCAL, ""),
    ("GET /json/activate/nope", LOCAL, ""),
    ("PUT /json/activate", LOCAL, ""),
    ("GET /json/close/nope", LOCAL, ""),
    ("GET /json/close/", LOCAL, ""),
    ("GET /json/nope", LOCAL, ""),
    ("GET /nothing", LOCAL, ""),
    ("GET /", LOCAL, ""),
    ("GET /devtools/page/nope", LOCAL, ""),
    ("GET /json/list", "evil.test", ""),
    ("GET /json/list", "localhost.evil.test:80", ""),
    ("GET /json/list", "127.0.0.1.evil.test", ""),
    ("PUT /json/new?about:blank", "evil.test", ""),
    ("GET /devtools/page/nope", "evil.test", WEBSOCKET),
    ("GET /devtools/page/nope", LOCAL, WEBSOCKET),
    ("GET /devtools/browser/nope", LOCAL, WEBSOCKET),
    ("GET /json/version", LOCAL, WEBSOCKET),
    ("GET /nothing", LOCAL, WEBSOCKET),
]


@pytest.mark.parametrize(("line", "host", "fields"), SAME)
def test_what_is_refused_is_refused_as_by_chromium(
    mock: ThreadedMockServer, chromium: LaunchedBrowser, line: str, host: str, fields: str
) -> None:
    assert ask(port_of(mock.http_url), line, host, fields) == ask(port_of(chromium.http_url), line, host, fields)


@pytest.mark.parametrize("origin", ["http://evil.test", "http://127.0.0.1", "null"])
def test_a_page_of_the_web_gets_no_websocket(mock: ThreadedMockServer, chromium: LaunchedBrowser, origin: str) -> None:
    fields = f"{WEBSOCKET}Origin: {origin}\r\n"
    answers = [
        ask(port_of(browser.http_url), f"GET /{url.split('/', 3)[3]}", LOCAL, fields)
        for browser, url in ((mock, mock.url), (chromium, chromium.ws_url))
    ]

    assert answers[0] == answers[1]
    assert answers[0][0] == 403


@pytest.mark.parametrize("host", ["localhost:9", "LOCALHOST", "sub.localhost", "8.8.8.8", "[::1]:5", ""])
def test_a_name_of_the_own_machine_is_taken(mock: ThreadedMockServer, chromium: LaunchedBrowser, host: str) -> None:
    for browser in (mock, chromium):
        status, kind, body = ask(port_of(browser.http_url), "GET /json/version", host)

        assert (status, kind) == (200, "application/json; charset=UTF-8")
        assert json.loads(body)["webSocketDebuggerUrl"].startswith(f"ws://{host}/devtools/browser/")


@pytest.mark.parametrize(
    ("query", "url"),
    [
        ("?about:blank", "about:blank"),
        ("", "about:blank"),
        ("?nonsense", "about:blank"),
        ("?data%3A%2C%3Fa", "data:,?a"),
    ],
)
def test_a_page_is_opened_shown_and_closed_over_http(
    mock: ThreadedMockServer, chromium: LaunchedBrowser, query: str, url: str
) -> None:
    seen: list[list[tuple[int, str, str]]] = []
    for browser in (mock, chromium):
        port = port_of(browser.http_url)
        status, kind, body = ask(port, f"PUT /json/new{query}", fields="Origin: http://evil.test\r\n")
        opened = json.loads(body)
        assert opened["webSocketDebuggerUrl"] == f"ws://{LOCAL}/devtools/page/{opened['id']}"
        shown = [ask_blindly(port, f"GET /json/{verb}/{opened['id']}") for verb in ("activate", "close")]
        seen.append([(status, kind, f"{opened['type']} {opened['url']}"), *shown])

    assert seen[0] == seen[1]
    assert seen[0][0][2] == f"page {url}"


def test_the_list_has_an_alias_and_takes_any_verb(mock: ThreadedMockServer, chromium: LaunchedBrowser) -> None:
    lines = ("GET /json/list", "GET /json", "PUT /json/list/", "GET /json/")
    answers = [[ask(port_of(browser.http_url), line) for line in lines] for browser in (mock, chromium)]

    assert answers[0][1:3] == [answers[0][0]] * 2
    for answer, reference in zip(*answers, strict=True):
        assert answer[:2] == reference[:2]
    assert answers[0][3] == answers[1][3] == (404, "application/json; charset=UTF-8", "Unknown command: ")


async def test_a_request_may_come_in_pieces(no_leaks: None) -> None:
    async with MockServer() as mock:
        reader, writer = await asyncio.open_connection(LOCAL, port_of(mock.http_url))
        for piece in (b"GET /json/nope HT", b"TP/1.1\r\nHost: localhost\r\n", b"\r\n"):
            writer.write(piece)
            await asyncio.sleep(0)

        assert (await reader.read()).endswith(b"\r\n\r\nUnknown command: nope")
        writer.close()


@pytest.mark.parametrize("request_", [b"nonsense\r\n\r\n", b"GET / SPDY/3\r\n\r\n", b"GET /" + b"x" * 2**17])
async def test_what_is_no_request_gets_no_answer(no_leaks: None, request_: bytes) -> None:
    async with MockServer() as mock:
        reader, writer = await asyncio.open_connection(LOCAL, port_of(mock.http_url))
        writer.write(request_)

        # Reset where part of the request was still on its way.
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()


async def test_a_connection_that_says_nothing_ends_with_the_mock(no_leaks: None) -> None:
    async with MockServer() as mock:
        reader, writer = await asyncio.open_connection(LOCAL, port_of(mock.http_url))
    with contextlib.suppress(ConnectionResetError):
        assert await reader.read() == b""
    writer.close()
