"""A browser's own schema, fetched over HTTP from whatever address the user has."""

from __future__ import annotations

import asyncio
import socket
import struct

import pytest

from cdp_typed.endpoint.discovery import fetch_protocol
from cdp_typed.errors import EndpointError
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.schema import parse_schema
from tests.support.secrets import CANARY
from tests.support.servers.listeners import http_answer, listening

pytestmark = pytest.mark.usefixtures("no_leaks")


INSTEAD = "give a file instead: the /json/protocol of another build of that version"


async def test_a_refusal_keeps_the_token_secret() -> None:
    async with listening(http_answer(403, "no")) as port:
        with pytest.raises(EndpointError, match=r"access denied \(HTTP 403\)") as refused:
            await fetch_protocol(f"ws://user:{CANARY}@127.0.0.1:{port}/devtools/browser/{CANARY}?token={CANARY}")

    assert CANARY not in str(refused.value)


async def test_a_browser_without_a_schema_is_explained() -> None:
    """Deno and Lightpanda."""
    async with listening(http_answer(404, "Not Found")) as port:
        with pytest.raises(EndpointError) as refused:
            await fetch_protocol(f"127.0.0.1:{port}?token={CANARY}")

    assert (str(refused.value), refused.value.status) == (
        f"http://127.0.0.1:{port}: it has no schema (HTTP 404 at /json/protocol); {INSTEAD}",
        404,
    )


def _reset(writer: asyncio.StreamWriter) -> None:
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def test_tls_on_a_plain_port_is_not_taken_for_the_end_of_a_browser() -> None:
    async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        _reset(writer)

    async with listening(reset) as port:
        with pytest.raises(EndpointError, match="it ended the connection; is it a plain port"):
            await fetch_protocol(f"https://127.0.0.1:{port}")


@pytest.mark.parametrize("how", ["end", "reset"])
async def test_a_browser_that_ends_when_it_is_asked_for_its_schema_is_explained(how: str) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close() if how == "end" else _reset(writer)

    async with listening(hang_up) as port:
        with pytest.raises(EndpointError) as ended:
            await fetch_protocol(f"127.0.0.1:{port}?token={CANARY}")

    assert str(ended.value) == (
        f"http://127.0.0.1:{port}: it ended the connection at /json/protocol; a Chromium that was built without the "
        f"files of DevTools (@sparticuz/chromium) has no schema, and dies when it is asked for it; {INSTEAD}"
    )


async def test_silence_names_what_was_asked_for() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with listening(silent) as port:
        with pytest.raises(EndpointError, match=r"no answer from /json/protocol within 0\.1 s"):
            await fetch_protocol(f"127.0.0.1:{port}", timeout=0.1)


@pytest.mark.parametrize(
    ("endpoint", "asked"),
    [
        ("ws://127.0.0.1:PORT/devtools/browser/abc?token=t", "/json/protocol?token=t"),
        ("ws://127.0.0.1:PORT/base/devtools/browser/abc", "/base/json/protocol"),
        ("ws://127.0.0.1:PORT/68d20184-a72b-42b3-91a8-85d57921e973", "/json/protocol"),
        ("http://127.0.0.1:PORT/", "/json/protocol"),
        ("127.0.0.1:PORT/json/version", "/json/protocol"),
    ],
)
async def test_the_same_host_is_asked_whatever_the_address(endpoint: str, asked: str) -> None:
    heads: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode().splitlines()[0])
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n{}")

    async with listening(answer) as port:
        assert await fetch_protocol(endpoint.replace("PORT", str(port))) == b"{}"

    assert heads == [f"GET {asked} HTTP/1.1"]


async def test_chromium_gives_its_whole_schema(chromium: LaunchedBrowser) -> None:
    answer = await fetch_protocol(chromium.ws_url)

    assert len(answer) > 2**20
    assert "Page.navigate" in parse_schema(answer).commands
