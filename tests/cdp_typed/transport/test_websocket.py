"""The websocket wire, against real servers that behave and raw ones that do not."""

from __future__ import annotations

import asyncio
import json
from unittest.mock import Mock

import pytest
from websockets.asyncio.server import ServerConnection, serve

from cdp_typed.transport import TransportClosed
from cdp_typed.transport.websocket import open_websocket
from tests.support.servers.listeners import listening
from tests.support.servers.raw_peer import BINARY, CONT, PING, PONG, TEXT, frame, read_frame, says, upgraded
from tests.support.wires.websocket_wire import NEW_V8, first_error, open_wire

pytestmark = pytest.mark.usefixtures("no_leaks")


async def _echo(peer: ServerConnection) -> None:
    async for message in peer:
        await peer.send(message)


async def test_messages_go_out_as_text_in_order_and_come_back_whole() -> None:
    kinds: list[type] = []

    async def echo(peer: ServerConnection) -> None:
        async for message in peer:
            kinds.append(type(message))
            await peer.send(message)

    async with serve(echo, "127.0.0.1", 0, max_size=None) as server:
        wire = await open_wire(server.sockets[0].getsockname()[1], max_size=2**24)
        messages = [b"1", "\u00e9".encode(), b"x" * 1_000_000, b""]
        for message in messages:
            wire.send(message)

        assert [await wire.receive() for _ in messages] == messages
        await wire.close()

    assert kinds == [str] * 4


async def test_several_messages_go_out_in_one_write_and_after_an_abort_none(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: asyncio.Queue[str | bytes] = asyncio.Queue()

    async def hear(peer: ServerConnection) -> None:
        async for message in peer:
            await heard.put(message)

    async with serve(hear, "127.0.0.1", 0) as server:
        wire = await open_wire(server.sockets[0].getsockname()[1])
        spy = Mock(wraps=wire._wire)  # pyright: ignore[reportPrivateUsage]  # its writes are what is counted
        monkeypatch.setattr(wire, "_wire", spy)
        wire.send_many([b"one", b"two", b"three"])

        assert [await heard.get() for _ in range(3)] == ["one", "two", "three"]
        assert spy.write.call_count == 1
        wire.abort()
        wire.send_many([b"four"])
        await wire.close()
    assert heard.empty()


async def test_fragments_and_binary_frames_are_received_like_text() -> None:
    frames = [
        frame(TEXT, b'{"a', fin=False),
        frame(PING, b"are you there"),
        frame(CONT, b'":', fin=False),
        frame(CONT, b"1}"),
        frame(BINARY, b'{"b":2}'),
        frame(TEXT, b"\xff\xfe"),
    ]
    async with listening(says(*frames)) as port:
        wire = await open_wire(port)

        assert [await wire.receive() for _ in range(3)] == [b'{"a":1}', b'{"b":2}', b"\xff\xfe"]
        wire.abort()
        await wire.close()


async def test_a_message_that_a_ping_comes_with_is_received_at_once() -> None:
    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(6 + len("go on"))
        writer.write(frame(TEXT, b"news") + frame(PING, b""))
        await reader.read()
        await asyncio.Event().wait()

    async with listening(upgraded(tell)) as port:
        wire = await open_wire(port)
        wire.send(b"go on")

        assert await asyncio.wait_for(wire.receive(), 5) == b"news"
        wire.abort()
        await wire.close()


async def test_what_comes_together_with_the_answer_to_the_handshake_is_received() -> None:
    async def more(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(6 + len("go on"))
        writer.write(b"f of it" + frame(TEXT, b"the rest"))
        await reader.read()

    async with listening(upgraded(more, together=frame(TEXT, b"news") + frame(TEXT, b"hal" + b"f of it")[:5])) as port:
        wire = await open_wire(port)
        assert await wire.receive() == b"news"
        wire.send(b"go on")

        assert [await wire.receive() for _ in range(2)] == [b"half of it", b"the rest"]
        wire.abort()
        await wire.close()


async def test_many_messages_are_received_at_once_and_none_twice() -> None:
    frames = [frame(TEXT, b"%d" % number) for number in range(100)]
    async with listening(says(*frames)) as port:
        wire = await open_wire(port)
        received = list(await wire.receive_many())
        while len(received) < 100:
            received += await wire.receive_many()

        assert received == [b"%d" % number for number in range(100)]
        wire.abort()
        with pytest.raises(TransportClosed):
            await wire.receive_many()
        await wire.close()


async def test_the_handshake_has_the_given_headers_and_no_origin() -> None:
    seen: dict[str, list[str]] = {}

    async def look(peer: ServerConnection) -> None:
        assert peer.request is not None
        for name, value in peer.request.headers.raw_items():
            seen.setdefault(name.lower(), []).append(value)

    async with serve(look, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        wire = await open_websocket(
            f"ws://user:pw@127.0.0.1:{port}/", open_timeout=5, max_size=1000, headers={"X-Key": "k", "Host": "browser"}
        )
        await wire.close()

    assert seen.pop("sec-websocket-key")
    assert seen == {
        "host": ["browser"],
        "upgrade": ["websocket"],
        "connection": ["Upgrade"],
        "sec-websocket-version": ["13"],
        "authorization": ["Basic dXNlcjpwdw=="],
        "x-key": ["k"],
    }


async def test_an_idle_wire_is_kept_alive() -> None:
    async with serve(_echo, "127.0.0.1", 0) as server:
        wire = await open_wire(server.sockets[0].getsockname()[1], ping_interval=0.2)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(wire.receive(), 0.7)
        wire.send(b"still here")

        assert await wire.receive() == b"still here"
        await wire.close()


async def test_an_endpoint_that_says_to_be_new_enough_is_pinged_from_then_on() -> None:
    received: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            kind, payload = await read_frame(reader)
            await received.put((kind, payload))
            if kind == TEXT:
                answer = {"id": json.loads(payload)["id"], "result": {"jsVersion": NEW_V8}}
                writer.write(frame(TEXT, json.dumps(answer).encode()))
            else:
                writer.write(frame(PONG, payload))

    async with listening(upgraded(tell)) as port:
        wire = await open_wire(port, ping_interval=0.2, v8_version="")
        got = [await received.get() for _ in range(3)]
        wire.abort()

        assert [kind for kind, _ in got] == [TEXT, PING, PING]
        assert json.loads(got[0][1])["method"] == "Browser.getVersion"
        assert (await first_error(wire)).reason == "closed by this side"  # the answer was no message
        await wire.close()
