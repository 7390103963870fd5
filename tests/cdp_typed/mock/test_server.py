"""The mock on a real socket: nothing is added, nothing is lost, nothing is left behind."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as connect_sync

from cdp_typed.mock import Delay, MockServer, NonConforming, Page, ThreadedMockServer
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import target
from cdp_typed.schema import parse_schema

VERSION = '{"id":1,"method":"Browser.getVersion"}'


async def call(socket: ClientConnection, number: int, method: str, **params: Any) -> Any:
    await socket.send(json.dumps({"id": number, "method": method, "params": params}))
    while True:
        message = json.loads(await socket.recv())
        if message.get("id") == number:
            return message.get("result", message.get("error"))


async def fetch(mock: MockServer, path: str) -> tuple[int, bytes]:
    """Status and body of a plain GET."""
    host, _, port = mock.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {mock.address}\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return int(head.split()[1]), body


async def test_a_client_dials_and_calls(no_leaks: None) -> None:
    async with MockServer({"http://x/": Page(title="X")}) as mock, connect(mock.url) as socket:
        result = await call(socket, 1, "Target.createTarget", url="http://x/")

        assert result == {"targetId": mock.browser.pages[1].id}


async def test_the_debugging_port_says_where_the_browser_is(no_leaks: None) -> None:
    async with MockServer() as mock:
        version = json.loads((await fetch(mock, "/json/version"))[1])
        (listed,) = json.loads((await fetch(mock, "/json/list"))[1])

        assert mock.http_url == f"http://{mock.address}"
        assert version["webSocketDebuggerUrl"] == mock.url
        assert (listed["id"], listed["type"]) == (mock.browser.pages[0].id, "page")
        async with connect(listed["webSocketDebuggerUrl"]) as socket:
            assert (await call(socket, 1, "Runtime.evaluate", expression="1"))["result"]["value"] == 1


async def test_the_debugging_port_gives_the_schema(no_leaks: None) -> None:
    async with MockServer() as mock:
        status, body = await fetch(mock, "/json/protocol")

    assert status == 200
    assert "Page.navigate" in parse_schema(body).commands


async def test_a_websocket_that_is_not_there_is_refused(no_leaks: None) -> None:
    """With 500 for a page, and 404 for anything else, as by Chrome."""
    async with MockServer() as mock:
        with pytest.raises(InvalidStatus, match="500"):
            await connect(f"ws://{mock.address}/devtools/page/nope")
        for path in ("/json/version", "/devtools/browser", "/nothing"):
            with pytest.raises(InvalidStatus, match="404"):
                await connect(f"ws://{mock.address}{path}")


async def test_a_port_in_use_is_an_error(no_leaks: None) -> None:
    async with MockServer() as mock:
        with pytest.raises(OSError, match="address already in use"):
            await MockServer(port=int(mock.address.rpartition(":")[2])).__aenter__()


async def test_a_binary_frame_from_the_client_drops_the_socket(no_leaks: None) -> None:
    """As Chrome does, without a word."""
    async with MockServer() as mock, connect(mock.url) as socket:
        await socket.send(VERSION.encode())

        with pytest.raises(ConnectionClosed) as caught:
            await socket.recv()
        assert caught.value.rcvd is None


async def test_connections_end_as_told(no_leaks: None) -> None:
    async with MockServer() as mock, connect(mock.url) as told, connect(mock.url) as dropped:
        await call(told, 1, "Browser.getVersion")
        await call(dropped, 1, "Browser.getVersion")
        mock.browser.close(1001, connection=1)
        mock.browser.close(None, connection=2)

        with pytest.raises(ConnectionClosed) as with_code:
            await told.recv()
        with pytest.raises(ConnectionClosed) as without:
            await dropped.recv()
        assert with_code.value.rcvd is not None
        assert (with_code.value.rcvd.code, without.value.rcvd) == (1001, None)


async def test_a_client_that_leaves_takes_its_sessions(no_leaks: None) -> None:
    async with MockServer() as mock:
        async with connect(mock.url) as socket:
            await call(socket, 1, "Target.attachToTarget", targetId=mock.browser.pages[0].id, flatten=True)
            assert len(mock.browser.state.sessions) == 2
        async with connect(mock.url) as socket:
            await call(socket, 1, "Browser.getVersion")
            assert list(mock.browser.state.sessions) == ["connection 2"]


async def test_a_dead_browser_takes_no_connection(no_leaks: None) -> None:
    async with MockServer() as mock, connect(mock.url) as socket:
        assert await call(socket, 1, "Browser.close") == {}

        with pytest.raises(ConnectionClosed):
            await socket.recv()
        with pytest.raises(ConnectionRefusedError):
            await connect(mock.url)


async def test_a_delayed_reply_is_overtaken(no_leaks: None) -> None:
    async with MockServer() as mock, connect(mock.url) as socket:
        mock.browser.fault(browser_domain.GetVersion, Delay(0.05))
        started = time.perf_counter()
        await socket.send(VERSION)
        await socket.send('{"id":2,"method":"Target.getTargets"}')

        assert [json.loads(await socket.recv())["id"] for _ in range(2)] == [2, 1]
        assert time.perf_counter() - started >= 0.05


async def test_a_timer_of_a_page_fires_by_itself(no_leaks: None) -> None:
    async with MockServer() as mock, connect(f"ws://{mock.address}/devtools/page/{mock.browser.pages[0].id}") as socket:
        await call(socket, 1, "Runtime.enable")
        await call(socket, 2, "Runtime.evaluate", expression="setTimeout(() => console.log('late'), 20)")

        assert json.loads(await socket.recv())["method"] == "Runtime.consoleAPICalled"


async def test_a_mistake_in_a_script_is_raised_when_the_server_ends(no_leaks: None) -> None:
    mock = await MockServer().__aenter__()
    mock.browser.on(target.CreateTarget, lambda params: {"targetId": 5})
    async with connect(mock.url) as socket:
        with pytest.raises(ConnectionClosed, match="1008"):
            await call(socket, 1, "Target.createTarget", url="about:blank")

    with pytest.raises(NonConforming, match=r"Target\.createTarget: result\.targetId"):
        await mock.__aexit__(None, None, None)


async def test_messages_from_another_thread_arrive_in_order(no_leaks: None) -> None:
    async with MockServer() as mock, connect(mock.url) as socket:
        await call(socket, 1, "Browser.getVersion")

        def send() -> None:
            for number in range(200):
                mock.browser.send_raw(str(number))

        thread = threading.Thread(target=send)
        thread.start()

        assert [await socket.recv() for _ in range(200)] == [str(number) for number in range(200)]
        thread.join()


async def test_many_mocks_live_side_by_side(no_leaks: None) -> None:
    servers = [MockServer() for _ in range(50)]
    for server in servers:
        await server.__aenter__()

    assert len({server.address for server in servers}) == 50
    for server in servers:
        await server.__aexit__(None, None, None)


def test_a_mock_on_a_thread_serves_what_is_not_async() -> None:
    before = threading.active_count()
    with ThreadedMockServer() as mock:
        with connect_sync(mock.url) as socket:
            socket.send(VERSION)

            assert json.loads(socket.recv())["result"]["product"].startswith("MockChrome/")
        assert mock.browser.received(browser_domain.GetVersion) == (browser_domain.GetVersion(),)
    assert threading.active_count() == before


def test_a_mock_on_a_thread_raises_what_went_wrong() -> None:
    with (
        ThreadedMockServer() as mock,
        pytest.raises(OSError, match="address already in use"),
        ThreadedMockServer(port=int(mock.address.rpartition(":")[2])),
    ):
        pass
    mock = ThreadedMockServer().__enter__()
    mock.browser.on(target.CreateTarget, lambda params: {"targetId": 5})
    with connect_sync(mock.url) as socket:
        socket.send('{"id":1,"method":"Target.createTarget","params":{"url":"about:blank"}}')
        with pytest.raises(ConnectionClosed):
            socket.recv()
    with pytest.raises(NonConforming):
        mock.__exit__(None, None, None)
