"""Both websocket wires, against real servers that behave and raw ones that do not."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import re
from collections.abc import Awaitable, Callable
from unittest.mock import Mock

import pytest
from websockets.asyncio.server import ServerConnection, serve

from cdp_typed.errors import EndpointError
from cdp_typed.transport import TransportClosed
from cdp_typed.transport import keepalive as module
from cdp_typed.transport.picows import PicowsTransport, open_picows
from cdp_typed.transport.websocket import WebSocketTransport, open_websocket
from tests.support.listeners import Handler, http_answer, listening

Wire = WebSocketTransport | PicowsTransport
Opens = Callable[..., Awaitable[Wire]]

pytestmark = pytest.mark.usefixtures("no_leaks")


@pytest.fixture(params=[open_websocket, open_picows], ids=["websockets", "picows"])
def opens(request: pytest.FixtureRequest) -> Opens:
    found: Opens = request.param
    return found


TEXT, BINARY, CONT, CLOSE, PING = 0x1, 0x2, 0x0, 0x8, 0x9


def _frame(opcode: int, data: bytes, *, fin: bool = True) -> bytes:
    length = bytes([len(data)]) if len(data) < 126 else bytes([126]) + len(data).to_bytes(2, "big")
    return bytes([(0x80 if fin else 0) | opcode]) + length + data


def _upgraded(then: Handler) -> Handler:
    """A raw peer: answers the upgrade as it should, then does what the test says."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = re.search(r"Sec-WebSocket-Key: (\S+)", head)
        assert key is not None
        accept = base64.b64encode(hashlib.sha1(f"{key[1]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest())
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )
        await then(reader, writer)

    return answer


def _says(*frames: bytes) -> Handler:
    """A raw peer that sends these bytes and keeps the TCP connection for ever."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"".join(frames))
        while await reader.read(65536):
            pass
        await asyncio.Event().wait()

    return _upgraded(say)


async def _open(opens: Opens, port: int, *, max_size: int = 2**20, open_timeout: float = 5) -> Wire:
    return await opens(f"ws://127.0.0.1:{port}/devtools?token=CANARY", open_timeout=open_timeout, max_size=max_size)


async def _first_error(wire: Wire) -> TransportClosed:
    try:
        while True:
            await wire.receive()
    except TransportClosed as closed:
        return closed


async def _echo(peer: ServerConnection) -> None:
    async for message in peer:
        await peer.send(message)


# -- a peer that behaves -----------------------------------------------------------------------------------------


async def test_messages_go_out_as_text_in_order_and_come_back_whole(opens: Opens) -> None:
    kinds: list[type] = []

    async def echo(peer: ServerConnection) -> None:
        async for message in peer:
            kinds.append(type(message))
            await peer.send(message)

    async with serve(echo, "127.0.0.1", 0, max_size=None) as server:
        wire = await _open(opens, server.sockets[0].getsockname()[1], max_size=2**24)
        messages = [b"1", "\u00e9".encode(), b"x" * 1_000_000, b""]
        for message in messages:
            wire.send(message)

        assert [await wire.receive() for _ in messages] == messages
        await wire.close()

    assert kinds == [str] * 4


async def test_several_messages_go_out_together_and_after_an_abort_none(opens: Opens) -> None:
    heard: asyncio.Queue[str | bytes] = asyncio.Queue()

    async def hear(peer: ServerConnection) -> None:
        async for message in peer:
            await heard.put(message)

    async with serve(hear, "127.0.0.1", 0) as server:
        wire = await _open(opens, server.sockets[0].getsockname()[1])
        wire.send_many([b"one", b"two", b"three"])

        assert [await heard.get() for _ in range(3)] == ["one", "two", "three"]
        wire.abort()
        wire.send_many([b"four"])
        await wire.close()
    assert heard.empty()


async def test_the_default_wire_needs_one_write_for_several_messages(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_fragments_and_binary_frames_are_received_like_text(opens: Opens) -> None:
    frames = [
        _frame(TEXT, b'{"a', fin=False),
        _frame(PING, b"are you there"),
        _frame(CONT, b'":', fin=False),
        _frame(CONT, b"1}"),
        _frame(BINARY, b'{"b":2}'),
        _frame(TEXT, b"\xff\xfe"),
    ]
    async with listening(_says(*frames)) as port:
        wire = await _open(opens, port)

        assert [await wire.receive() for _ in range(3)] == [b'{"a":1}', b'{"b":2}', b"\xff\xfe"]
        wire.abort()
        await wire.close()


async def test_the_handshake_has_the_given_headers_and_no_origin(opens: Opens) -> None:
    seen: list[dict[str, str]] = []

    async def look(peer: ServerConnection) -> None:
        assert peer.request is not None
        seen.append({name.lower(): value for name, value in peer.request.headers.raw_items()})

    async with serve(look, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        wire = await opens(
            f"ws://user:pw@127.0.0.1:{port}/", open_timeout=5, max_size=1000, headers={"X-Key": "k", "Host": "browser"}
        )
        await wire.close()

    assert {
        name: seen[0].get(name) for name in ("x-key", "host", "origin", "authorization", "sec-websocket-extensions")
    } == {
        "x-key": "k",
        "host": "browser",
        "origin": None,
        "authorization": "Basic dXNlcjpwdw==",
        "sec-websocket-extensions": None,
    }


async def test_an_idle_wire_is_kept_alive(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PING_INTERVAL", 0.02)
    monkeypatch.setattr(module, "PING_TIMEOUT", 0.1)
    async with serve(_echo, "127.0.0.1", 0) as server:
        wire = await _open(opens, server.sockets[0].getsockname()[1])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(wire.receive(), 0.5)
        wire.send(b"still here")

        assert await wire.receive() == b"still here"
        await wire.close()


# -- the end -----------------------------------------------------------------------------------------------------


async def test_closing_is_told_to_the_peer_and_may_be_done_twice(opens: Opens) -> None:
    codes: list[int | None] = []

    async def wait(peer: ServerConnection) -> None:
        await peer.wait_closed()
        codes.append(peer.close_code)

    async with serve(wait, "127.0.0.1", 0) as server:
        wire = await _open(opens, server.sockets[0].getsockname()[1])
        await asyncio.gather(wire.close(), wire.close())
        await wire.close()
        wire.send(b"nobody hears this")

        assert [(await _first_error(wire)).reason for _ in range(2)] == ["closed by this side"] * 2
    assert codes == [1000]


async def test_a_peer_that_closes_is_named_by_its_code(opens: Opens) -> None:
    async def bye(peer: ServerConnection) -> None:
        await peer.send("last words")
        await peer.close(4001, "CANARY")

    async with serve(bye, "127.0.0.1", 0) as server:
        wire = await _open(opens, server.sockets[0].getsockname()[1])

        assert await wire.receive() == b"last words"
        assert (await _first_error(wire)).reason == "the browser closed the websocket with code 4001"
        await wire.close()


async def test_a_connection_that_breaks_is_told_with_its_cause(opens: Opens) -> None:
    """F8, F9: no goodbye, in the middle of a frame."""

    async def die(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(_frame(TEXT, b"whole") + _frame(TEXT, b"cut in half")[:6])
        await writer.drain()

    async with listening(_upgraded(die)) as port:
        wire = await _open(opens, port)

        assert await wire.receive() == b"whole"
        closed = await _first_error(wire)
        assert closed.reason == "the browser is gone: the socket closed without a goodbye"
        assert isinstance(closed.__cause__, EOFError | OSError)
        await wire.close()


async def test_a_half_open_connection_is_noticed(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    """F10: nothing comes any more, not even the answer to a ping."""
    monkeypatch.setattr(module, "PING_INTERVAL", 0.05)
    monkeypatch.setattr(module, "PING_TIMEOUT", 0.1)
    async with listening(_says(_frame(TEXT, b"hello"))) as port:
        wire = await _open(opens, port)

        assert await wire.receive() == b"hello"
        assert re.fullmatch(r"the browser was silent for \d+ s", (await _first_error(wire)).reason)
        await wire.close()


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        (_frame(CLOSE, (1011).to_bytes(2, "big")), "the browser closed the websocket with code 1011"),
        (b"\xff\xff\xff\xff", "the browser broke the websocket protocol"),
        (_frame(TEXT, b"x" * 101), "a message has 101 bytes, and max_size is 100 bytes; raise max_size in connect()"),
    ],
    ids=["F11_close_frame", "F19_protocol_violation", "F12_too_big"],
)
async def test_a_peer_that_must_go_but_keeps_the_connection_is_cut_off(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, last: bytes, reason: str
) -> None:
    monkeypatch.setattr(module, "CLOSE_TIMEOUT", 0.1)
    async with listening(_says(_frame(TEXT, b"hello"), last)) as port:
        wire = await _open(opens, port, max_size=100)

        assert await wire.receive() == b"hello"
        assert (await asyncio.wait_for(_first_error(wire), 2)).reason == reason
        await wire.close()


async def test_closing_ends_even_if_the_peer_does_not_answer(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOSE_TIMEOUT", 0.1)
    async with listening(_says()) as port:
        wire = await _open(opens, port)

        await asyncio.wait_for(wire.close(), 2)


# -- a peer that never was one -----------------------------------------------------------------------------------


async def _hangs_up(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")


async def _talks_garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 smtp.example ESMTP\r\n\r\n")
    await reader.read()


async def _accepts_wrongly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n")
    await reader.read()


@pytest.mark.parametrize(
    ("handler", "words", "status"),
    [
        (http_answer(401, ""), "access denied", 401),
        (http_answer(403, ""), "access denied", 403),
        (http_answer(404, ""), "no browser at this path", 404),
        (http_answer(410, ""), "no browser at this path", 410),
        (http_answer(503, ""), "HTTP 503", 503),
        (http_answer(200, "<html>"), "not a browser: HTTP 200", 200),
        (http_answer(302, "", "Location: ws://127.0.0.1:1/CANARY"), "redirects elsewhere", 302),
        (_hangs_up, "hung up during the websocket handshake", None),
        (_talks_garbage, "but not with a websocket", None),
        (_accepts_wrongly, "but not with a websocket", None),
    ],
)
async def test_a_refused_handshake_is_explained(opens: Opens, handler: Handler, words: str, status: int | None) -> None:
    async with listening(handler) as port:
        with pytest.raises(EndpointError, match=words) as refused:
            await _open(opens, port)

    assert refused.value.status == status
    assert "CANARY" not in str(refused.value)
    assert (refused.value.__cause__, refused.value.__suppress_context__) == (None, True)


async def test_silence_instead_of_a_handshake_ends_at_the_deadline(opens: Opens) -> None:
    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        await reader.read()

    async with listening(silent) as port:
        with pytest.raises(EndpointError, match=r"no websocket handshake within 0\.1 s"):
            await _open(opens, port, open_timeout=0.1)


async def test_a_plain_port_is_no_tls(opens: Opens) -> None:
    async with listening(_talks_garbage) as port:
        with pytest.raises(EndpointError, match=r"the TLS handshake failed \(.+\); is it a plain port\?"):
            await opens(f"wss://127.0.0.1:{port}/", open_timeout=5, max_size=1)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "ws://", "ws://h/#fragment"])
async def test_what_is_no_websocket_address_is_refused(opens: Opens, url: str) -> None:
    with pytest.raises(EndpointError, match="not a websocket address"):
        await opens(url, open_timeout=1, max_size=1)


async def test_giving_up_a_dial_leaves_nothing_behind(opens: Opens) -> None:
    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read(65536)
        await reader.read()

    asked = asyncio.Event()
    async with listening(silent) as port:
        dialling = asyncio.create_task(_open(opens, port))
        await asked.wait()
        dialling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dialling


async def test_no_token_reaches_any_log(opens: Opens, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, logger="the.server")
    caplog.set_level(logging.DEBUG, logger="websockets")
    caplog.set_level(logging.DEBUG)
    async with serve(_echo, "127.0.0.1", 0, logger=logging.getLogger("the.server")) as server:
        wire = await _open(opens, server.sockets[0].getsockname()[1])
        wire.send(b"CANARY")
        await wire.receive()
        await wire.close()

    assert "CANARY" not in caplog.text
