"""The relay: who is let in, what goes through it, and how each end ends the other."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from cdp_typed.errors import EndpointError
from cdp_typed.recording.relay import Relay
from cdp_typed.recording.taps import Direction
from tests.support.wires.memory_wire import MemoryWire

CALL = '{"id": 1, "method": "A.b"}'
ANSWER: dict[str, Any] = {"id": 1, "result": {}}


class Stand:
    """A relay with a browser in memory."""

    def __init__(self) -> None:
        self.wire = MemoryWire()
        self.asked: list[str] = []
        self.seen: list[tuple[int, Direction, bytes]] = []
        self.refusal: Exception | None = None
        self.fails: Direction | None = None
        self.failure: Exception = OSError("no space left")
        self.passed = asyncio.Event()
        self.relay = Relay(self.dial, self.watch)

    async def dial(self, path: str) -> MemoryWire:
        self.asked.append(path)
        if self.refusal is not None:
            raise self.refusal
        return self.wire

    def watch(self, client: int, direction: Direction, data: bytes) -> None:
        if direction == self.fails:
            raise self.failure
        self.seen.append((client, direction, data))
        self.passed.set()


@asynccontextmanager
async def standing() -> AsyncGenerator[Stand]:
    stand = Stand()
    async with stand.relay:
        yield stand


async def test_a_web_page_is_not_let_in() -> None:
    async with standing() as stand:
        with pytest.raises(InvalidStatus, match="403"):
            await connect(stand.relay.url, origin="http://127.0.0.1")  # type: ignore[arg-type] # a NewType of str


async def test_a_name_that_is_not_this_machine_is_not_let_in() -> None:
    """Or a page could get in by a name of its own that resolves to 127.0.0.1."""
    async with standing() as stand:
        with pytest.raises(InvalidStatus, match="500"):
            await connect(stand.relay.url.replace("127.0.0.1", "evil.test"), host="127.0.0.1")


@pytest.mark.parametrize("host", ["evil.test@127.0.0.1", "127.0.0.1/evil.test", "127.0.0.1 evil.test", ""])
async def test_a_host_that_no_browser_writes_is_not_let_in(host: str) -> None:
    async with standing() as stand:
        port = urlsplit(stand.relay.url).port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /json/version HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        assert b" 500 " in head.splitlines()[0]
        assert json.loads(body) == {"error": "the Host must be this machine"}

        writer.close()


async def test_another_path_is_not_found() -> None:
    async with standing() as stand:
        with pytest.raises(InvalidStatus, match="404"):
            await connect(stand.relay.url.replace("/devtools/browser/", "/other/"))

        assert stand.asked == []


async def test_what_both_sides_say_passes_and_is_seen() -> None:
    async with standing() as stand, connect(stand.relay.url) as client:
        await client.send(CALL)
        await stand.passed.wait()
        stand.wire.feed(ANSWER)
        received = await client.recv()

    assert json.loads(received) == ANSWER
    assert isinstance(received, str)
    assert stand.wire.sent == [json.loads(CALL)]
    assert stand.seen == [(0, "sent", CALL.encode()), (0, "received", received.encode())]


async def test_a_client_asks_for_a_path_and_is_numbered() -> None:
    async with standing() as stand:
        async with connect(stand.relay.url):
            pass
        stand.wire = MemoryWire()
        async with connect(stand.relay.url.replace("browser/relay", "page/T")) as client:
            await client.send(CALL)
            stand.wire.feed(ANSWER)
            await client.recv()

    assert stand.asked == ["/devtools/browser/relay", "/devtools/page/T"]
    assert [client for client, _, _ in stand.seen] == [1, 1]


async def test_a_browser_that_goes_takes_its_client_with_it() -> None:
    async with standing() as stand, connect(stand.relay.url) as client:
        stand.wire.end("the browser was killed")

        with pytest.raises(ConnectionClosedError, match="no close frame received"):
            await client.recv()


async def test_a_client_learns_that_the_browser_cannot_be_reached() -> None:
    async with standing() as stand:
        stand.refusal = EndpointError("127.0.0.1:1: nobody listens", url="127.0.0.1:1")
        async with connect(stand.relay.url) as client:
            with pytest.raises(ConnectionClosedError, match=r"1011 .* 127\.0\.0\.1:1: nobody listens"):
                await client.recv()


async def test_a_client_that_sends_a_binary_frame_is_dropped_as_chromium_does() -> None:
    async with standing() as stand, connect(stand.relay.url) as client:
        await client.send(b"{}")

        with pytest.raises(ConnectionClosedError, match="no close frame received"):
            await client.recv()


@pytest.mark.parametrize("failure", [OSError("no space left"), RecursionError("no space left")])
@pytest.mark.parametrize("direction", ["sent", "received"])
async def test_a_watch_that_fails_is_told_and_ends_the_connection(direction: Direction, failure: Exception) -> None:
    async with standing() as stand, connect(stand.relay.url) as client:
        stand.failure = failure
        stand.fails = direction
        await client.send(CALL)
        stand.wire.feed(ANSWER, ANSWER)
        await client.wait_closed()

        assert str(await stand.relay.failed) == "no space left"


async def test_the_first_failure_of_the_watch_is_the_one_that_is_told() -> None:
    async with standing() as stand:
        stand.fails = "sent"
        for _ in range(2):
            stand.wire = MemoryWire()
            async with connect(stand.relay.url) as client:
                await client.send(CALL)
                await client.wait_closed()

        assert str(await stand.relay.failed) == "no space left"


async def test_a_client_that_vanishes_leaves_the_browser() -> None:
    async with standing() as stand:
        client = await connect(stand.relay.url)
        client.transport.abort()
        await client.wait_closed()

    assert stand.wire.ended


async def test_the_http_address_leads_to_the_websocket() -> None:
    async with standing() as stand:
        address = stand.relay.url.replace("ws://", "http://").partition("/devtools")[0]

        body = await asyncio.to_thread(_get, f"{address}/json/version")

        assert json.loads(body)["webSocketDebuggerUrl"] == stand.relay.url


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as response:
        body: bytes = response.read()
        return body
