"""Getting a socket: directly, and through a proxy that may be anything."""

from __future__ import annotations

import asyncio
import socket

import pytest

from cdp_typed.errors import EndpointError
from cdp_typed.transport.tcp import dial
from tests.support.secrets import CANARY
from tests.support.servers.gateways import proxy
from tests.support.servers.listeners import Handler, http_answer, listening

pytestmark = pytest.mark.usefixtures("no_leaks")


async def _greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"hello")
    await writer.drain()


async def _greeting(sock: socket.socket) -> bytes:
    with sock:
        return await asyncio.get_running_loop().sock_recv(sock, 5)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


@pytest.mark.parametrize(
    "address",
    [
        "ftp://127.0.0.1:1",
        f"https://{CANARY}@127.0.0.1:1",
        "127.0.0.1:1",
        "http://",
        "http://h:0",
        "http://[::1",
        f"http://{'a' * 64}:1",
        "",
    ],
)
async def test_what_is_no_address_of_a_proxy_is_refused(address: str) -> None:
    with pytest.raises(EndpointError, match="not an address of a proxy; use http://") as refused:
        await dial("browser.example", 80, proxy=address)

    assert CANARY not in str(refused.value)


async def _hangs_up(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")


async def _says_much(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000)
    await writer.drain()


async def _greets(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 smtp.example ESMTP\r\n\r\n")
    await reader.read()


NOT_HTTP = "it hung up, or it does not speak HTTP"
NOT_RUNNING = "unreachable (connection refused); is the proxy running?"


@pytest.mark.parametrize(
    ("handler", "problem"), [(_hangs_up, NOT_HTTP), (_says_much, NOT_HTTP), (_greets, NOT_HTTP), (None, NOT_RUNNING)]
)
async def test_a_proxy_that_is_none_or_does_not_run_is_explained(handler: Handler | None, problem: str) -> None:
    async with listening(handler or _greets) as port:
        wanted = port if handler else _free_port()
        with pytest.raises(EndpointError) as refused:
            await dial("browser.example", 80, proxy=f"http://{CANARY}:{CANARY}@127.0.0.1:{wanted}")

    assert str(refused.value) == f"proxy http://127.0.0.1:{wanted}: {problem}"


@pytest.mark.parametrize(("status", "retryable"), [(407, False), (403, False), (502, True)])
async def test_a_proxy_that_says_no_is_explained(status: int, retryable: bool) -> None:
    async with listening(http_answer(status, "")) as port:
        with pytest.raises(EndpointError) as refused:
            await dial("browser.example", 80, proxy=f"http://{CANARY}:{CANARY}@127.0.0.1:{port}")

    assert str(refused.value) == (
        f"proxy http://127.0.0.1:{port}: it does not connect to the browser's host (HTTP {status})"
    )
    assert (refused.value.status, refused.value.retryable) == (None, retryable)


async def test_giving_up_on_a_proxy_leaves_nothing_behind() -> None:
    asked = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()

    async with listening(silent) as port:
        dialling = asyncio.create_task(dial("browser.example", 80, proxy=f"http://127.0.0.1:{port}"))
        await asked.wait()
        dialling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dialling


@pytest.mark.parametrize(
    ("host", "named"),
    [
        ("browser.example", "browser.example:9222"),
        ("2001:db8::1", "[2001:db8::1]:9222"),
        ("b\u00fcro.example", "xn--bro-hoa.example:9222"),
    ],
)
async def test_a_proxy_is_told_the_host_and_our_name_and_nothing_else(host: str, named: str) -> None:
    heads: list[str] = []
    async with listening(_greet) as target, proxy(target, heads) as port:
        sock = await dial(host, 9222, proxy=f"http://us%40er:pw@127.0.0.1:{port}")

        assert await _greeting(sock) == b"hello"
    assert heads == [f"CONNECT {named} HTTP/1.1\r\nHost: {named}\r\nProxy-Authorization: Basic dXNAZXI6cHc=\r\n\r\n"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_this_machine_is_never_reached_through_a_proxy(host: str) -> None:
    async with listening(_greet) as port:
        sock = await dial(host, port, proxy=f"http://127.0.0.1:{_free_port()}")

        assert await _greeting(sock) == b"hello"
    # Names are looked up in a thread of the loop, which asyncio keeps for the next one.
    await asyncio.get_running_loop().shutdown_default_executor()


async def test_every_address_of_a_host_is_tried_and_one_without_any_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    ports: list[int] = []

    async def addresses(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)) for port in ports]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", addresses)
    with pytest.raises(socket.gaierror):
        await dial("none.example", 1)
    async with listening(_greet) as port:
        ports += [_free_port(), port]
        assert await _greeting(await dial("both.example", 1)) == b"hello"


async def test_giving_up_a_connect_closes_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[socket.socket] = []

    async def never(sock: socket.socket, _: object) -> None:
        tried.append(sock)
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", never)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(dial("127.0.0.1", 9), 0.05)

    assert [sock.fileno() for sock in tried] == [-1]
