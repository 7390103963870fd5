"""From an endpoint to the websocket behind it, against servers that misbehave."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest

from cdp_typed.endpoint.discovery import Resolved, resolve
from cdp_typed.errors import EndpointError
from tests.support.secrets import CANARY
from tests.support.servers.listeners import Handler, http_answer, listening

pytestmark = pytest.mark.usefixtures("no_leaks")

URL = "ws://evil.example:1/devtools/browser/abc"
BROWSER = json.dumps({"Browser": "Chrome/156.0.8078.79", "V8-Version": "15.6.75.27", "webSocketDebuggerUrl": URL})


async def test_a_websocket_address_comes_back_unchanged_without_io() -> None:
    url = "wss://user:pw@no.such.host/path?token=t"

    assert await resolve(url) == Resolved(url)


async def test_the_answer_gives_the_path_and_the_user_the_rest() -> None:
    async with listening(http_answer(200, BROWSER)) as port:
        expected = Resolved(f"ws://127.0.0.1:{port}/devtools/browser/abc", "browser", "15.6.75.27")

        assert await resolve(f"http://127.0.0.1:{port}") == expected
        assert await resolve(f"127.0.0.1:{port}") == expected


async def test_the_request_names_host_token_and_headers_but_no_origin() -> None:
    heads: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(f"HTTP/1.1 200 OK\r\n\r\n{BROWSER}".encode())

    async with listening(answer) as port:
        resolved = await resolve(f"http://us%40er:pw@127.0.0.1:{port}/base/?token=t", headers={"X-Key": "k"})

    assert resolved.url == f"ws://us%40er:pw@127.0.0.1:{port}/devtools/browser/abc?token=t"
    assert heads[0].split("\r\n") == [
        "GET /base/json/version?token=t HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Accept: application/json",
        "Connection: close",
        "Authorization: Basic dXNAZXI6cHc=",
        "X-Key: k",
        "",
        "",
    ]


@pytest.mark.parametrize("page", ["/json/version", "/json/list/", "/json", "/base/json"])
async def test_an_address_that_names_a_page_of_the_debugging_port_is_not_extended(page: str) -> None:
    asked: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).decode().split()[1])
        writer.write(f"HTTP/1.1 200 OK\r\n\r\n{BROWSER}".encode())

    async with listening(answer) as port:
        await resolve(f"http://127.0.0.1:{port}{page}")

    assert asked == ["/base/json/version" if page.startswith("/base") else "/json/version"]


async def test_a_chunked_answer_is_read() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        chunks = "".join(f"{len(part):x};x=y\r\n{part}\r\n" for part in (BROWSER[:20], BROWSER[20:]))
        writer.write(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}0\r\n\r\n".encode())
        await writer.drain()
        await reader.read()  # keeps the connection: the answer has an end of its own

    async with listening(answer) as port:
        assert (await resolve(f"127.0.0.1:{port}")).url.endswith("/devtools/browser/abc")


async def test_a_chunked_answer_without_end_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"8\r\n12345678\r\n" * 100)
        await reader.read()

    monkeypatch.setattr("cdp_typed.endpoint.http_get._MAX_BODY", 20)
    async with listening(answer) as port:
        with pytest.raises(EndpointError, match="an HTTP server, but not a browser"):
            await resolve(f"127.0.0.1:{port}")


async def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    with pytest.raises(
        EndpointError, match=rf"^http://127\.0\.0\.1:{port}: unreachable \(connection refused\)"
    ) as gone:
        await resolve(f"http://127.0.0.1:{port}?token={CANARY}")

    assert (gone.value.retryable, CANARY in str(gone.value)) == (True, False)
    assert gone.value.__cause__ is None


@pytest.mark.parametrize(
    "body", ["<html>hello</html>", "{}", "[]", '{"webSocketDebuggerUrl": 5}', '{"webSocketDebuggerUrl": "ws://[x"}', ""]
)
async def test_an_http_server_that_is_no_browser(body: str) -> None:
    async with listening(http_answer(200, body)) as port:
        with pytest.raises(EndpointError, match="an HTTP server, but not a browser"):
            await resolve(f"127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("status", "word"),
    [(404, "no browser at this path"), (403, "access denied"), (302, "redirects"), (500, "HTTP 500")],
)
async def test_an_answer_that_says_no(status: int, word: str) -> None:
    async with listening(http_answer(status, "", "Location: http://127.0.0.1:1/")) as port:
        with pytest.raises(EndpointError, match=word) as refused:
            await resolve(f"127.0.0.1:{port}")

    assert refused.value.status == status


async def _hangs_up(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    pass


def _saying(data: bytes) -> Handler:
    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await reader.read()

    return say


GREETING = _saying(b"220 smtp.example ESMTP\r\n\r\n")
ENDLESS_HEAD = _saying(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000)
ODD_LENGTH = _saying(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n")


@pytest.mark.parametrize("handler", [_hangs_up, GREETING, ENDLESS_HEAD, ODD_LENGTH])
async def test_something_that_does_not_speak_http(handler: Handler) -> None:
    async with listening(handler) as port:
        with pytest.raises(EndpointError, match=r"it does not speak HTTP|unreachable \(connection reset"):
            await resolve(f"127.0.0.1:{port}")


async def _drips(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b" ")
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("handler", [_saying(b""), _drips])
async def test_silence_and_an_answer_that_drips_for_ever_end_at_the_deadline(handler: Handler) -> None:
    async with listening(handler) as port:
        with pytest.raises(EndpointError, match=r"no answer from /json/version within 0\.1 s"):
            await resolve(f"127.0.0.1:{port}", timeout=0.1)


async def test_a_plain_port_is_no_tls() -> None:
    async with listening(GREETING) as port:
        with pytest.raises(EndpointError, match=r"the TLS handshake failed \(.+\); is it a plain port\?"):
            await resolve(f"https://127.0.0.1:{port}", timeout=60)


async def test_an_unknown_host() -> None:
    with pytest.raises(EndpointError, match="the host name is unknown"):
        await resolve(f"http://no-such-host.invalid:1?token={CANARY}", timeout=5)

    # Names are looked up in a thread of the loop, which asyncio keeps for the next one.
    await asyncio.get_running_loop().shutdown_default_executor()
