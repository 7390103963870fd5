"""The websocket wire, against real servers that behave and raw ones that do not."""

from __future__ import annotations

import asyncio
import json
import re
from unittest.mock import Mock

import pytest
from websockets.asyncio.server import ServerConnection, serve

from cdp_typed.transport import TransportClosed
from cdp_typed.transport import keepalive as module
from cdp_typed.transport.websocket import WebSocketTransport, open_websocket
from tests.support.listeners import listening
from tests.support.raw_peer import BINARY, CLOSE, CONT, PING, PONG, TEXT, frame, read_frame, says, upgraded
from tests.support.secrets import CANARY

pytestmark = pytest.mark.usefixtures("no_leaks")


NEW = "15.6.75.27"
"""The version of V8 in a browser that bears pings."""


async def _open(
    port: int, *, max_size: int = 2**20, ping_interval: float | None = 10, v8_version: str = NEW
) -> WebSocketTransport:
    return await open_websocket(
        f"ws://127.0.0.1:{port}/devtools?token={CANARY}",
        open_timeout=5,
        max_size=max_size,
        ping_interval=ping_interval,
        v8_version=v8_version,
    )


async def _first_error(wire: WebSocketTransport) -> TransportClosed:
    try:
        while True:
            await wire.receive()
    except TransportClosed as closed:
        return closed


async def _echo(peer: ServerConnection) -> None:
    async for message in peer:
        await peer.send(message)


# -- a peer that behaves -----------------------------------------------------------------------------------------


async def test_messages_go_out_as_text_in_order_and_come_back_whole() -> None:
    kinds: list[type] = []

    async def echo(peer: ServerConnection) -> None:
        async for message in peer:
            kinds.append(type(message))
            await peer.send(message)

    async with serve(echo, "127.0.0.1", 0, max_size=None) as server:
        wire = await _open(server.sockets[0].getsockname()[1], max_size=2**24)
        messages = [b"1", "\u00e9".encode(), b"x" * 1_000_000, b""]
        for message in messages:
            wire.send(message)

        assert [await wire.receive() for _ in messages] == messages
        await wire.close()

    assert kinds == [str] * 4


async def test_several_messages_go_out_together_and_after_an_abort_none() -> None:
    heard: asyncio.Queue[str | bytes] = asyncio.Queue()

    async def hear(peer: ServerConnection) -> None:
        async for message in peer:
            await heard.put(message)

    async with serve(hear, "127.0.0.1", 0) as server:
        wire = await _open(server.sockets[0].getsockname()[1])
        wire.send_many([b"one", b"two", b"three"])

        assert [await heard.get() for _ in range(3)] == ["one", "two", "three"]
        wire.abort()
        wire.send_many([b"four"])
        await wire.close()
    assert heard.empty()


async def test_several_messages_need_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serve(_echo, "127.0.0.1", 0) as server:
        wire = await open_websocket(
            f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/", open_timeout=5, max_size=1000
        )
        spy = Mock(wraps=wire._wire)  # pyright: ignore[reportPrivateUsage]  # its writes are what is counted
        monkeypatch.setattr(wire, "_wire", spy)
        wire.send_many([b"one", b"two", b"three"])

        assert [await wire.receive() for _ in range(3)] == [b"one", b"two", b"three"]
        assert spy.write.call_count == 1
        await wire.close()


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
        wire = await _open(port)

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
        wire = await _open(port)
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
        wire = await _open(port)
        assert await wire.receive() == b"news"
        wire.send(b"go on")

        assert [await wire.receive() for _ in range(2)] == [b"half of it", b"the rest"]
        wire.abort()
        await wire.close()


async def test_many_messages_are_received_at_once_and_none_twice() -> None:
    frames = [frame(TEXT, b"%d" % number) for number in range(100)]
    async with listening(says(*frames)) as port:
        wire = await _open(port)
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
        wire = await _open(server.sockets[0].getsockname()[1], ping_interval=0.2)
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
                answer = {"id": json.loads(payload)["id"], "result": {"jsVersion": NEW}}
                writer.write(frame(TEXT, json.dumps(answer).encode()))
            else:
                writer.write(frame(PONG, payload))

    async with listening(upgraded(tell)) as port:
        wire = await _open(port, ping_interval=0.2, v8_version="")
        got = [await received.get() for _ in range(3)]
        wire.abort()

        assert [kind for kind, _ in got] == [TEXT, PING, PING]
        assert json.loads(got[0][1])["method"] == "Browser.getVersion"
        assert (await _first_error(wire)).reason == "closed by this side"  # the answer was no message
        await wire.close()


# -- the end -----------------------------------------------------------------------------------------------------


async def test_closing_is_told_to_the_peer_and_may_be_done_twice() -> None:
    codes: list[int | None] = []

    async def wait(peer: ServerConnection) -> None:
        await peer.wait_closed()
        codes.append(peer.close_code)

    async with serve(wait, "127.0.0.1", 0) as server:
        wire = await _open(server.sockets[0].getsockname()[1])
        await asyncio.gather(wire.close(), wire.close())
        await wire.close()
        wire.send(b"nobody hears this")
        wire.send_many([b"nor this"])

        assert [(await _first_error(wire)).reason for _ in range(2)] == ["closed by this side"] * 2
    assert codes == [1000]


async def test_a_peer_that_closes_is_named_by_its_code() -> None:
    async def bye(peer: ServerConnection) -> None:
        await peer.send("last words")
        await peer.close(4001, CANARY)

    async with serve(bye, "127.0.0.1", 0) as server:
        wire = await _open(server.sockets[0].getsockname()[1])

        assert await wire.receive() == b"last words"
        assert (await _first_error(wire)).reason == "the browser closed the websocket with code 4001"
        await wire.close()


async def test_a_connection_that_breaks_is_told_with_its_cause() -> None:
    """F8, F9: no goodbye, in the middle of a frame."""

    async def die(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(frame(TEXT, b"whole") + frame(TEXT, b"cut in half")[:6])
        await writer.drain()

    async with listening(upgraded(die)) as port:
        wire = await _open(port)

        assert await wire.receive() == b"whole"
        closed = await _first_error(wire)
        assert closed.reason == "the browser is gone: the socket closed without a goodbye"
        assert isinstance(closed.__cause__, EOFError | OSError)
        await wire.close()


@pytest.mark.parametrize("v8_version", [NEW, "9.2.227", ""], ids=["pings", "no_pings", "not_known"])
async def test_a_half_open_connection_is_noticed(v8_version: str) -> None:
    """F10: nothing comes any more, not even what was asked for."""
    async with listening(says(frame(TEXT, b"hello"))) as port:
        wire = await _open(port, ping_interval=0.1, v8_version=v8_version)

        assert await wire.receive() == b"hello"
        assert re.fullmatch(r"the browser was silent for \d+ s", (await _first_error(wire)).reason)
        await wire.close()


async def test_a_long_message_on_a_slow_line_is_no_silence() -> None:
    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for byte in frame(TEXT, b"x" * 50):
            writer.write(bytes([byte]))
            await asyncio.sleep(0.02)

    async with listening(upgraded(drip)) as port:
        wire = await _open(port, ping_interval=0.2)

        assert await wire.receive() == b"x" * 50
        wire.abort()
        await wire.close()


async def test_a_peer_that_does_not_read_for_a_while_gets_everything_in_the_end() -> None:
    """A ping is on its way, and far more than the system holds waits behind it."""
    pinged, go, size = asyncio.Event(), asyncio.Event(), 20_000_000

    async def live(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(frame(PONG, b""))  # a sign of life that wants no answer
            await asyncio.sleep(0.05)

    async def read_late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        living = asyncio.create_task(live(writer))
        await reader.readexactly(6)  # the ping: a masked frame without a payload
        pinged.set()
        await go.wait()
        await reader.readexactly(size)
        living.cancel()
        writer.write(frame(TEXT, b"enough"))
        await reader.read()

    async with listening(upgraded(read_late)) as port:
        wire = await _open(port, ping_interval=0.5)
        await pinged.wait()
        wire.send(b"x" * size)
        go.set()

        assert await wire.receive() == b"enough"
        wire.abort()
        await wire.close()


async def test_a_peer_that_hangs_up_instead_of_a_pong_is_gone() -> None:
    async def hang_up(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readexactly(6)

    async with listening(upgraded(hang_up)) as port:
        wire = await _open(port, ping_interval=0.02)

        assert (await _first_error(wire)).reason == "the browser is gone: the socket closed without a goodbye"
        await wire.close()


async def test_a_ping_that_is_due_while_the_wire_closes_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOSE_TIMEOUT", 0.1)
    async with listening(says()) as port:
        wire = await _open(port, ping_interval=0.02)
        await asyncio.wait_for(wire.close(), 2)

        assert (await _first_error(wire)).reason == "closed by this side"


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        (frame(CLOSE, (1011).to_bytes(2, "big")), "the browser closed the websocket with code 1011"),
        (b"\xff\xff\xff\xff", "the browser broke the websocket protocol"),
        (frame(CLOSE, b""), "the browser closed the websocket with code 1005"),
        (frame(TEXT, b"x" * 101), "a message has 101 bytes, and max_size is 100 bytes; raise max_size in connect()"),
        (
            frame(TEXT, b"x" * 60, fin=False) + frame(CONT, b"x" * 61),
            "a message has 121 bytes, and max_size is 100 bytes; raise max_size in connect()",
        ),
        (frame(CONT, b"x"), "the browser broke the websocket protocol"),
        (frame(TEXT, b"x", fin=False) + frame(TEXT, b"x"), "the browser broke the websocket protocol"),
        (b"\xc1\x01x", "the browser broke the websocket protocol"),
        (b"\xc1\x01x" + frame(TEXT, b"late"), "the browser broke the websocket protocol"),
        (frame(CLOSE, (1000).to_bytes(2, "big") + b"\xff"), "the browser broke the websocket protocol"),
    ],
    ids=[
        "F11_close_frame",
        "F19_protocol_violation",
        "F11_close_frame_without_a_code",
        "F12_too_big",
        "F12_too_big_in_fragments",
        "F19_stray_continuation",
        "F19_message_in_a_message",
        "F19_reserved_bit",
        "F19_words_after_a_violation",
        "F19_invalid_utf8_in_a_close_frame",
    ],
)
async def test_a_peer_that_must_go_but_keeps_the_connection_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, last: bytes, reason: str
) -> None:
    monkeypatch.setattr(module, "CLOSE_TIMEOUT", 0.1)
    async with listening(says(frame(TEXT, b"hello"), last)) as port:
        wire = await _open(port, max_size=100)

        assert await wire.receive() == b"hello"
        assert (await asyncio.wait_for(_first_error(wire), 2)).reason == reason
        await wire.close()


async def test_closing_ends_even_if_the_peer_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOSE_TIMEOUT", 0.1)
    async with listening(says()) as port:
        wire = await _open(port)

        await asyncio.wait_for(wire.close(), 2)
