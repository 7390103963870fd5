"""The pipe, with the test at the browser's end of it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import TypeAlias

import pytest

from cdp_typed.transport import TransportClosed
from cdp_typed.transport.pipe import PipeTransport, open_pipe

pytestmark = pytest.mark.usefixtures("no_leaks")

MAX_SIZE = 100_000
Ends: TypeAlias = tuple[PipeTransport, socket.socket]


@pytest.fixture
async def ends() -> AsyncIterator[Ends]:
    """Our wire, and the browser's blocking end of it."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.settimeout(5)
    wire = await open_pipe(ours, max_size=MAX_SIZE)
    with theirs:
        yield wire, theirs
        await wire.close()


async def _first_error(wire: PipeTransport) -> TransportClosed:
    try:
        while True:
            await asyncio.wait_for(wire.receive(), 5)
    except TransportClosed as closed:
        return closed


async def test_messages_end_with_a_nul_and_are_cut_at_it_wherever_the_system_cut_them(ends: Ends) -> None:
    wire, browser = ends
    wire.send(b"one")
    wire.send_many([b"two", b"three"])
    assert browser.recv(1000) == b"one\0two\0three\0"

    received: list[bytes] = []
    for part in (b"on", b"e\0", b"two\0thr", b"", b"ee", b"\0\0four\0"):
        browser.sendall(part)
        received += [await wire.receive() for _ in range(part.count(b"\0"))]
    assert received == [b"one", b"two", b"three", b"", b"four"]

    await asyncio.to_thread(browser.sendall, b"x" * MAX_SIZE + b"\0")
    assert await wire.receive() == b"x" * MAX_SIZE
    await asyncio.get_running_loop().shutdown_default_executor()


@pytest.mark.parametrize("last", [b"", b"\0"], ids=["unfinished", "finished"])
async def test_f12_a_message_beyond_max_size_ends_the_wire_and_is_named(ends: Ends, last: bytes) -> None:
    wire, browser = ends
    browser.sendall(b"small\0" + b"x" * (MAX_SIZE // 2))
    assert await wire.receive() == b"small"
    browser.sendall(b"x" * (MAX_SIZE // 2 + 1) + last)

    so_far = "" if last else " so far"
    assert (await _first_error(wire)).reason == (
        f"a message has {MAX_SIZE + 1} bytes{so_far}, and max_size is {MAX_SIZE} bytes; raise max_size in connect()"
    )


async def test_f08_f09_a_browser_that_is_gone_is_told_after_its_last_whole_message(ends: Ends) -> None:
    wire, browser = ends
    browser.sendall(b"whole\0half")
    browser.close()

    assert await wire.receive() == b"whole"
    assert [(await _first_error(wire)).reason for _ in range(2)] == ["the browser is gone: the pipe closed"] * 2
    wire.send(b"nobody hears this")


async def test_closing_tells_the_browser_and_may_be_done_twice(ends: Ends) -> None:
    wire, browser = ends
    wire.send(b"last words")
    await asyncio.gather(wire.close(), wire.close())
    await wire.close()
    wire.send(b"nobody hears this")

    assert (await _first_error(wire)).reason == "closed by this side"
    assert (browser.recv(100), browser.recv(100)) == (b"last words\0", b"")
