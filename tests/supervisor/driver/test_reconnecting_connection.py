"""One connection that can be opened again: what an older one has to say is not heard, and nothing is left behind."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import get_args

import pytest

from cdp_typed import ConnectionLost, EndpointError
from cdp_typed.mock import MockServer
from cdp_typed.protocol import browser, target
from supervisor import NotRunning
from supervisor.config import Config, Endpoint
from supervisor.core.vocabulary.inputs import CdpEvent, ConnectFailed
from supervisor.driver.reconnecting_connection import ConnectionListener, ReconnectingConnection, browser_id
from tests.support.servers.gateways import browser_behind, refusal

ID = "0d9fa7ea-64a2-4b3b-9c6a-0a3c4d1b7f00"


class Told:
    """A listener that keeps what it is told."""

    def __init__(self) -> None:
        self.news: asyncio.Queue[object] = asyncio.Queue()
        self.listener = ConnectionListener(
            lambda _: None, self.news.put_nowait, self.news.put_nowait, self.news.put_nowait, self.hear
        )

    def hear(self, session_id: str | None, event: CdpEvent) -> None:
        self.news.put_nowait((session_id, event))

    async def next(self) -> object:
        async with asyncio.timeout(20):
            return await self.news.get()


@pytest.fixture
async def mock(no_leaks: None) -> AsyncIterator[MockServer]:
    async with MockServer() as server:
        yield server


def connection_to(address: Endpoint) -> tuple[ReconnectingConnection, Told]:
    told = Told()
    return ReconnectingConnection(Config(cdp_url=address), told.listener, get_args(CdpEvent)), told


async def test_a_port_that_still_refuses_is_dialled_again(no_leaks: None) -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        port = int(reserved.getsockname()[1])
    connection, _ = connection_to(f"http://127.0.0.1:{port}")
    opening = asyncio.create_task(connection.open(20))
    await asyncio.wait([opening], timeout=0.2)
    assert not opening.done()

    async with MockServer(port=port):
        await opening
        await connection.close()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (f"ws://127.0.0.1:9222/devtools/browser/{ID}", ID),
        (f"wss://user:password@host/behind/a/proxy/devtools/browser/{ID}?token=x", ID),
        ("ws://127.0.0.1:9222/devtools/browser/abc", None),
        (f"ws://127.0.0.1:9222/session/{ID}", None),
        ("", None),
    ],
)
def test_only_chromium_s_own_id_names_a_browser(url: str, name: str | None) -> None:
    assert browser_id(url) == name


async def test_a_lost_connection_is_told_with_its_reason_and_can_be_dialled_again(mock: MockServer) -> None:
    connection, told = connection_to(mock.url)
    name = await connection.open(20)
    mock.browser.close(4001)

    assert "4001" in str(await told.next())
    assert connection.send(browser.GetVersion(), None, None, lambda _: None) is None
    connection.reconnect(0.01)
    assert await told.next() == name
    assert connection.opened_at is not None
    await connection.close()


async def test_after_hanging_up_neither_events_nor_replies_nor_the_end_are_heard(mock: MockServer) -> None:
    connection, told = connection_to(mock.url)
    await connection.open(20)
    future = connection.send(browser.GetVersion(), None, None, told.news.put_nowait)
    assert future is not None
    connection.send(
        target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=False), None, None, lambda _: None
    )

    connection.disconnect()
    await connection.close()

    with pytest.raises(ConnectionLost):
        await future
    assert told.news.empty()


async def test_a_refused_dial_is_told_and_is_final_where_waiting_does_not_help(no_leaks: None) -> None:
    answers = iter([refusal(503, Retry_After="60"), refusal(403), refusal(500)])
    async with browser_behind(lambda _: next(answers)) as port:
        connection, told = connection_to(f"ws://127.0.0.1:{port}/devtools/browser/abc")
        for expected in [(False, 60.0), (True, None), (False, None)]:
            connection.reconnect(0.01)
            failed = await told.next()
            assert isinstance(failed, ConnectFailed)
            assert (failed.is_final, failed.retry_after_s) == expected
        await connection.close()


@pytest.mark.parametrize(
    ("error", "told_as"),
    [
        (LookupError("canary"), "the callable for the endpoint raised LookupError"),
        (ConnectionLost("canary"), "connection lost: canary"),
    ],
    ids=["its own error, without its text", "one of the library that is no refusal"],
)
async def test_what_a_callable_raises_is_told(no_leaks: None, error: Exception, told_as: str) -> None:
    def address() -> str:
        raise error

    connection, told = connection_to(address)
    connection.reconnect(0.01)

    assert await told.next() == ConnectFailed(told_as)
    await connection.close()


class NoAddress:
    """A callable for the endpoint that never returns."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()

    async def __call__(self) -> str:
        self.begun.set()
        await asyncio.Event().wait()
        return ""


async def test_hanging_up_ends_a_dial_under_way(no_leaks: None) -> None:
    address = NoAddress()
    connection, told = connection_to(address)
    opening = asyncio.create_task(connection.open(60))
    await address.begun.wait()

    await connection.close()

    with pytest.raises(NotRunning, match="stopped"):
        await opening
    address.begun.clear()
    connection.reconnect(0.01)
    await address.begun.wait()
    await connection.close()
    assert told.news.empty()


async def test_a_caller_that_gives_up_while_it_opens_is_cancelled_as_ever(no_leaks: None) -> None:
    address = NoAddress()
    connection, _ = connection_to(address)
    opening = asyncio.create_task(connection.open(60))
    await address.begun.wait()
    opening.cancel()

    with pytest.raises(asyncio.CancelledError):
        await opening
    await connection.close()


async def test_the_first_dial_raises_what_is_wrong(no_leaks: None) -> None:
    connection, _ = connection_to("ftp://nowhere")

    with pytest.raises(EndpointError):
        await connection.open(1)
    await connection.close()
