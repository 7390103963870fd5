"""The HTTP clients that the server accepts."""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from cdp_typed.mock import ThreadedMockServer
from supervisor.addons.mcp import Address
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.http_server import RequestGuard, is_loopback
from tests.supervisor.addons.mcp.conftest import TOKEN, http_server, serving_http

GOOD = {"host": "localhost:8000", "authorization": f"Bearer {TOKEN}"}
ACCEPTED = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}


async def nobody(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError("nobody is let in here")


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, None),
        ({"host": "127.0.0.1:8000"}, None),
        ({"host": "[::1]:8000", "origin": "http://[::1]:8000"}, None),
        ({"origin": "http://localhost:3000"}, None),
        ({"host": "proxy.example"}, None),
        ({"host": "evil.example:8000"}, 421),
        ({"host": "localhost.evil.example"}, 421),
        ({"host": ""}, 421),
        ({"host": "[::1"}, 421),
        ({"host": "evil.example@127.0.0.1"}, 421),
        ({"host": "localhost:80:80"}, 421),
        ({"host": "localhost/"}, 421),
        ({"host": "localhost, evil.example"}, 421),
        ({"host": "localhost#.evil.example"}, 421),
        ({"host": "localhost\\.evil.example"}, 421),
        ({"origin": "https://evil.example@127.0.0.1"}, 403),
        ({"origin": "https://localhost\\@evil.example"}, 403),
        ({"origin": "https://localhost/evil"}, 403),
        ({"origin": "https://localhost https://evil.example"}, 403),
        ({"origin": "localhost"}, 403),
        ({"origin": "file://localhost"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:8000.evil.example"}, 403),
        ({"authorization": ""}, 401),
        ({"authorization": TOKEN}, 401),
        ({"authorization": f"Basic {TOKEN}"}, 401),
        ({"authorization": f"Bearer {TOKEN}x"}, 401),
        ({"authorization": "Bearer \u00e9"}, 401),
        ({"origin": ("http://localhost", "https://evil.example")}, 403),
        ({"origin": ("https://evil.example", "http://localhost")}, 403),
        ({"origin": ("http://localhost", "http://localhost")}, 403),
        ({"host": ("localhost", "evil.example")}, 421),
    ],
)
def test_only_known_names_with_the_token_are_let_in(
    changed: dict[str, str | tuple[str, ...]], status: int | None
) -> None:
    """Several values are a header that is there several times."""
    guard = RequestGuard(nobody, Address(token=TOKEN, names=frozenset({"Proxy.example"})))
    several = {name: (text,) if isinstance(text, str) else text for name, text in {**GOOD, **changed}.items()}

    raw = [(name.encode(), text.encode("latin-1")) for name, texts in several.items() for text in texts]
    refusal = guard.refusal(Headers(raw=raw))

    assert (refusal[0] if refusal else None) == status


def test_elsewhere_than_on_loopback_only_its_own_names_count() -> None:
    guard = RequestGuard(nobody, Address(token=TOKEN, host="192.0.2.7"))

    assert guard.refusal(Headers(GOOD)) == (421, "This server is not known by that Host.")
    assert guard.refusal(Headers({**GOOD, "host": "192.0.2.7:80"})) is None
    hosts = ("127.3.2.1", "::1", "LocalHost", "example.com", "0.0.0.0")
    assert [host for host in hosts if is_loopback(host)] == ["127.3.2.1", "::1", "LocalHost"]


def test_an_address_needs_a_token_and_does_not_show_it() -> None:
    with pytest.raises(InvalidConfig, match="token"):
        Address(token="")

    assert TOKEN not in repr(Address(token=TOKEN))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server on the mock."""
    with ThreadedMockServer() as mock, serving_http("--cdp-url", mock.url) as running:
        yield running


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({}, 200),
    ],
    ids=["no token", "wrong token", "foreign host", "foreign origin", "right"],
)
def test_a_request_is_refused_before_anything_is_done_for_it(url: str, headers: dict[str, str], status: int) -> None:
    answer = httpx2.post(url, json=INITIALIZE, headers={**ACCEPTED, **headers}, timeout=20)

    assert answer.status_code == status
    assert ("cdp-agent" in answer.text) is (status == 200)
    assert TOKEN not in answer.text


HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
KNOCKS = {
    "nothing": b"",
    "half a head": HEAD,
    "a body that never ends": HEAD + b"Content-Length: 1000000000\r\n\r\n{",
    "pieces that never end": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    "no http": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc" * 40,
    "a long head": HEAD + b"A: " + b"b" * 60_000,
    "many requests": (HEAD + b"\r\n") * 20,
    "a wrong token": HEAD + b"Authorization: Bearer x\r\n\r\n",
    "a websocket": HEAD.replace(b"POST", b"GET") + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
}
"""What somebody without the token may send and then leave the connection open."""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="prlimit")
def test_nobody_without_the_token_keeps_others_out() -> None:
    with ThreadedMockServer() as mock, http_server("--cdp-url", mock.url) as (server, url):
        address = urlsplit(url)
        assert httpx2.post(url, json=INITIALIZE, headers=ACCEPTED, timeout=20).status_code == 200
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (400, 400))
        for knock in KNOCKS.values():
            with ExitStack() as stack:
                for _ in range(400):
                    caller = stack.enter_context(socket.create_connection((address.hostname, address.port), 20))
                    with suppress(ConnectionError):
                        caller.sendall(knock)
                assert httpx2.post(url, json=INITIALIZE, headers=ACCEPTED, timeout=20).status_code == 200
        os.kill(server.pid, signal.SIGINT)
        out, err = server.communicate(timeout=20)
        assert (out, err) == ("", "cdp-agent: error: interrupted\n")  # a full stderr that nobody reads would stop it


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"[" + b",".join([b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'] * 1000) + b"]", 400),
        (b'{"jsonrpc": "2.0", "id": 7, "method": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001, 400),
        (b'{"jsonrpc": "2.0", "id": 1' + b"0" * 10_000 + b', "method": "tools/list"}', 400),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"a": "' + b"a" * 20_000_000 + b'"}}', 413),
        (b"\xff\x00", 400),
    ],
    ids=["a batch", "deep", "a long number", "huge", "no text"],
)
def test_a_message_that_is_none_gets_one_answer_and_the_next_one_too(url: str, body: bytes, status: int) -> None:
    headers = {**ACCEPTED, "Content-Type": "application/json"}
    with suppress(httpx2.TransportError):  # cut off before all of it was sent
        answer = httpx2.post(url, content=body, headers=headers, timeout=20)
        assert (answer.status_code, len(answer.text) < 3000) == (status, True)
    assert httpx2.post(url, json=INITIALIZE, headers=ACCEPTED, timeout=20).status_code == 200
