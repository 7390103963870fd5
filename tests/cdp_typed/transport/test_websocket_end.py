"""The end of a websocket: closed by either side, broken, silent, or cut off."""

from __future__ import annotations

import asyncio
import re

import pytest
from websockets.asyncio.server import ServerConnection, serve

from cdp_typed.transport import keepalive
from tests.support.secrets import CANARY
from tests.support.servers.listeners import listening
from tests.support.servers.raw_peer import CLOSE, CONT, PONG, TEXT, frame, says, upgraded
from tests.support.wires.websocket_wire import NEW_V8, first_error, open_wire

pytestmark = pytest.mark.usefixtures("no_leaks")


async def test_closing_is_told_to_the_peer_and_may_be_done_twice() -> None:
    codes: list[int | None] = []

    async def wait(peer: ServerConnection) -> None:
        await peer.wait_closed()
        codes.append(peer.close_code)

    async with serve(wait, "127.0.0.1", 0) as server:
        wire = await open_wire(server.sockets[0].getsockname()[1])
        await asyncio.gather(wire.close(), wire.close())
        await wire.close()
        wire.send(b"nobody hears this")
        wire.send_many([b"nor this"])

        assert [(await first_error(wire)).reason for _ in range(2)] == ["closed by this side"] * 2
    assert codes == [1000]


async def test_a_peer_that_closes_is_named_by_its_code() -> None:
    async def bye(peer: ServerConnection) -> None:
        await peer.send("last words")
        await peer.close(4001, CANARY)

    async with serve(bye, "127.0.0.1", 0) as server:
        wire = await open_wire(server.sockets[0].getsockname()[1])

        assert await wire.receive() == b"last words"
        assert (await first_error(wire)).reason == "the browser closed the websocket with code 4001"
        await wire.close()


async def test_a_connection_that_breaks_is_told_with_its_cause() -> None:
    """F8, F9: no goodbye, in the middle of a frame."""

    async def die(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(frame(TEXT, b"whole") + frame(TEXT, b"cut in half")[:6])
        await writer.drain()

    async with listening(upgraded(die)) as port:
        wire = await open_wire(port)

        assert await wire.receive() == b"whole"
        closed = await first_error(wire)
        assert closed.reason == "the browser is gone: the socket closed without a close frame"
        assert isinstance(closed.__cause__, EOFError | OSError)
        await wire.close()


@pytest.mark.parametrize("v8_version", [NEW_V8, "9.2.227", ""], ids=["pings", "no_pings", "not_known"])
async def test_a_half_open_connection_is_noticed(v8_version: str) -> None:
    """F10: nothing comes any more, not even what was asked for."""
    async with listening(says(frame(TEXT, b"hello"))) as port:
        wire = await open_wire(port, ping_interval=0.1, v8_version=v8_version)

        assert await wire.receive() == b"hello"
        assert re.fullmatch(r"the browser was silent for \d+ s", (await first_error(wire)).reason)
        await wire.close()


async def test_a_long_message_on_a_slow_line_is_no_silence() -> None:
    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for byte in frame(TEXT, b"x" * 50):
            writer.write(bytes([byte]))
            await asyncio.sleep(0.02)

    async with listening(upgraded(drip)) as port:
        wire = await open_wire(port, ping_interval=0.2)

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
        wire = await open_wire(port, ping_interval=0.5)
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
        wire = await open_wire(port, ping_interval=0.02)

        assert (await first_error(wire)).reason == "the browser is gone: the socket closed without a close frame"
        await wire.close()


@pytest.mark.parametrize("ping_interval", [10, 0.02])
async def test_closing_ends_even_if_the_peer_does_not_answer_and_no_ping_is_due_then(
    monkeypatch: pytest.MonkeyPatch, ping_interval: float
) -> None:
    monkeypatch.setattr(keepalive, "CLOSE_TIMEOUT", 0.1)
    async with listening(says()) as port:
        wire = await open_wire(port, ping_interval=ping_interval)
        await asyncio.wait_for(wire.close(), 2)

        assert (await first_error(wire)).reason == "closed by this side"


BROKEN = "the browser broke the websocket protocol"
TOO_BIG = "a message has {} bytes, and max_size is 100 bytes; raise max_size in connect()"
LAST_WORDS: dict[str, tuple[bytes, str]] = {
    "F11_close_frame": (frame(CLOSE, (1011).to_bytes(2, "big")), "the browser closed the websocket with code 1011"),
    "F11_close_frame_without_a_code": (frame(CLOSE, b""), "the browser closed the websocket with code 1005"),
    "F12_too_big": (frame(TEXT, b"x" * 101), TOO_BIG.format(101)),
    "F12_too_big_in_fragments": (frame(TEXT, b"x" * 60, fin=False) + frame(CONT, b"x" * 61), TOO_BIG.format(121)),
    "F19_protocol_violation": (b"\xff\xff\xff\xff", BROKEN),
    "F19_stray_continuation": (frame(CONT, b"x"), BROKEN),
    "F19_message_in_a_message": (frame(TEXT, b"x", fin=False) + frame(TEXT, b"x"), BROKEN),
    "F19_reserved_bit": (b"\xc1\x01x", BROKEN),
    "F19_words_after_a_violation": (b"\xc1\x01x" + frame(TEXT, b"late"), BROKEN),
    "F19_invalid_utf8_in_a_close_frame": (frame(CLOSE, (1000).to_bytes(2, "big") + b"\xff"), BROKEN),
}


@pytest.mark.parametrize(("last", "reason"), LAST_WORDS.values(), ids=LAST_WORDS)
async def test_a_peer_that_must_go_but_keeps_the_connection_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, last: bytes, reason: str
) -> None:
    monkeypatch.setattr(keepalive, "CLOSE_TIMEOUT", 0.1)
    async with listening(says(frame(TEXT, b"hello"), last)) as port:
        wire = await open_wire(port, max_size=100)

        assert await wire.receive() == b"hello"
        assert (await asyncio.wait_for(first_error(wire), 2)).reason == reason
        await wire.close()
