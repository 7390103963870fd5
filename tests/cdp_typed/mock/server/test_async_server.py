"""The mock on a real socket: every message arrives, and no socket or task is left over."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import threading
import time
from collections.abc import Callable
from socket import create_connection, socketpair
from typing import Any, cast

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as connect_sync

from cdp_typed.mock import (
    Delay,
    MockBrowser,
    MockServer,
    NonConforming,
    Overtaken,
    Refused,
    ThreadedMockServer,
    WireFrame,
)
from cdp_typed.mock.personality import LOCAL
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
    """Return status and body of a plain GET."""
    host, _, port = mock.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {mock.address}\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return int(head.split()[1]), body


GET_INFO = '{"id":2,"method":"SystemInfo.getInfo"}'


@pytest.mark.parametrize("make", [lambda: MockServer(samples=True), lambda: MockServer(MockBrowser(), samples=True)])
async def test_samples_answer_what_is_not_modelled_where_they_are_wanted(
    no_leaks: None, make: Callable[[], MockServer]
) -> None:
    async with make() as mock, connect(mock.url) as socket:
        await socket.send(GET_INFO)
        assert json.loads(await socket.recv())["result"]["modelName"] == "text"
    async with MockServer() as mock, connect(mock.url) as socket:
        await socket.send(GET_INFO)
        refused = json.loads(await socket.recv())["error"]["message"]
        assert refused.startswith("cdp_typed.mock does not model SystemInfo.getInfo; say what it answers: ")


def test_a_mock_on_a_thread_and_one_that_has_samples_already_answer_with_them(no_leaks: None) -> None:
    browser = MockBrowser(samples=True)
    for mock in (ThreadedMockServer(samples=True), ThreadedMockServer(browser)):
        with mock, connect_sync(mock.url) as socket:
            socket.send(GET_INFO)
            assert json.loads(socket.recv())["result"]["modelName"] == "text"


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


@pytest.mark.parametrize("turns", range(5))
async def test_a_connection_that_comes_at_the_end_is_closed(
    no_leaks: None, recwarn: pytest.WarningsRecorder, turns: int
) -> None:
    async with MockServer() as mock:
        host, _, port = mock.address.partition(":")
        late = create_connection((host, int(port)))
        for _ in range(turns):
            await asyncio.sleep(0)

    with late, contextlib.suppress(ConnectionResetError):
        late.settimeout(5)
        assert late.recv(1) == b""
    gc.collect()
    assert [str(warning.message) for warning in recwarn if "unclosed" in str(warning.message)] == []


async def test_a_binary_frame_from_the_client_drops_the_socket(no_leaks: None) -> None:
    """Like Chrome, without a close frame."""
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


async def test_a_client_that_stays_is_told_that_the_mock_goes(no_leaks: None) -> None:
    mock = await MockServer().__aenter__()
    async with connect(mock.url) as socket:
        leaving = asyncio.create_task(mock.__aexit__(None, None, None))

        with pytest.raises(ConnectionClosed, match="1001"):
            await socket.recv()
        await leaving


async def test_a_client_of_the_last_moment_is_turned_away(no_leaks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was accepted and is connected only at the mock's end; and one that comes later."""
    loop, accepts = asyncio.get_running_loop(), list[Callable[[], asyncio.Protocol]]()
    listen: Any = loop.create_server

    async def keep(accept: Callable[[], asyncio.Protocol], host: str, port: int) -> asyncio.Server:
        accepts.append(accept)
        return cast("asyncio.Server", await listen(accept, host, port))

    monkeypatch.setattr(loop, "create_server", keep)
    mock = await MockServer().__aenter__()
    late = accepts[0]()
    ending = asyncio.create_task(mock.__aexit__(None, None, None))
    for _ in range(2):  # it accepts no more, and then closes
        await asyncio.sleep(0)
    accepts[0]()
    ours, theirs = socketpair()
    with theirs:
        await loop.create_connection(lambda: late, sock=ours)

        await asyncio.wait_for(ending, 20)
        assert theirs.recv(1) == b""


async def test_whole_and_half_messages_and_pings_are_understood(no_leaks: None) -> None:
    async with MockServer() as mock, connect(mock.url) as socket:
        await socket.send([VERSION[:10], VERSION[10:]])

        assert json.loads(await socket.recv())["id"] == 1
        await asyncio.wait_for(await socket.ping(), 20)


async def test_a_call_may_come_with_the_handshake(no_leaks: None) -> None:
    async with MockServer() as mock:
        host, _, port = mock.address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = (
            f"GET {mock.url.partition(mock.address)[2]} HTTP/1.1\r\nHost: {mock.address}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        frame = bytes([0x81, 0x80 | len(VERSION), 0, 0, 0, 0]) + VERSION.encode()
        writer.write(head.encode() + frame)

        await reader.readuntil(b"\r\n\r\n")
        assert b'"protocolVersion":"1.3"' in await reader.readuntil(b"}}")
        writer.close()


async def test_text_that_is_none_ends_the_connection(no_leaks: None) -> None:
    async with MockServer() as mock, connect(mock.url) as socket:
        await socket.send(b"\xff", text=True)

        with pytest.raises(ConnectionClosed, match="1007"):
            await socket.recv()


async def test_what_a_client_left_waiting_for_is_dropped(no_leaks: None) -> None:
    for personality in (LOCAL, replace(LOCAL, latency_s=0.01)):
        async with MockServer(personality=personality) as mock:
            for delay_s in (0.01, 60.0):
                mock.browser.fault(browser_domain.GetVersion, Delay(delay_s), nth=1)
                async with connect(mock.url) as leaving:
                    await leaving.send(VERSION)
            async with connect(mock.url) as staying:
                mock.browser.fault(target.GetTargets, Delay(0.05))
                await call(staying, 1, "Target.getTargets")

                assert len(mock.browser.calls) == 3


async def test_a_timer_of_a_page_ends_with_the_mock(no_leaks: None) -> None:
    async with MockServer() as mock, connect(f"ws://{mock.address}/devtools/page/{mock.browser.pages[0].id}") as socket:
        await call(socket, 1, "Runtime.evaluate", expression="setTimeout(() => alert(), 60000)")

    assert mock.browser.next_due is not None


async def test_what_is_said_at_the_last_moment_goes_nowhere(no_leaks: None) -> None:
    async with MockServer() as mock:
        mock.browser.deliver(WireFrame(1, "late"))
    await asyncio.sleep(0)

    assert mock.browser.sent == []


def test_a_mock_on_a_thread_refuses_dials_too() -> None:
    with ThreadedMockServer() as mock:
        mock.next_dials(Refused(503))

        with pytest.raises(InvalidStatus, match="503"):
            connect_sync(mock.url)


async def test_a_dead_browser_takes_no_connection(no_leaks: None) -> None:
    async with MockServer() as mock, connect(mock.url) as socket:
        assert await call(socket, 1, "Browser.close") == {}

        with pytest.raises(ConnectionClosed):
            await socket.recv()
        with pytest.raises(ConnectionRefusedError):
            await connect(mock.url)


@pytest.mark.parametrize(("fault", "late"), [(Delay(0.05), 0.05), (Overtaken(), 0.0)])
async def test_a_reply_is_overtaken_by_the_next_message(no_leaks: None, fault: Delay | Overtaken, late: float) -> None:
    async with MockServer() as mock, connect(mock.url) as socket:
        mock.browser.fault(browser_domain.GetVersion, fault)
        started = time.perf_counter()
        await socket.send(VERSION)
        await socket.send('{"id":2,"method":"Target.getTargets"}')

        assert [json.loads(await socket.recv())["id"] for _ in range(2)] == [2, 1]
        assert time.perf_counter() - started >= late


async def test_a_timer_of_a_page_fires_by_itself(no_leaks: None) -> None:
    async with MockServer() as mock, connect(f"ws://{mock.address}/devtools/page/{mock.browser.pages[0].id}") as socket:
        await call(socket, 1, "Runtime.enable")
        await call(socket, 2, "Runtime.evaluate", expression="setTimeout(() => console.log('late'), 20)")

        assert json.loads(await socket.recv())["method"] == "Runtime.consoleAPICalled"


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
    before = set(threading.enumerate())
    with ThreadedMockServer() as mock:
        with connect_sync(mock.url) as socket:
            socket.send(VERSION)

            assert json.loads(socket.recv())["result"]["product"].startswith("MockChrome/")
        assert mock.browser.received(browser_domain.GetVersion) == (browser_domain.GetVersion(),)
    left = set(threading.enumerate()) - before
    for thread in left:
        thread.join(30)  # the one of websockets' own client ends in its own time
    assert not [thread for thread in left if thread.is_alive()]


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
