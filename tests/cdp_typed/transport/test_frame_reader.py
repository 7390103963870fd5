"""Messages cut out of the bytes of a websocket, compared with what the whole parser of the library makes of them."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.exceptions import PayloadTooBig
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from cdp_typed.transport.frame_reader import FrameReader
from tests.support.servers.raw_peer import BINARY, CLOSE, CONT, PING, TEXT, frame

MAX_SIZE = 300
BYE = (1000).to_bytes(2, "big")


def _core() -> ClientProtocol:
    return ClientProtocol(parse_uri("ws://browser.example/"), state=State.OPEN, max_size=MAX_SIZE)


def _long(opcode: int, data: bytes, *, fin: bool = True) -> bytes:
    """A frame that tells its size in eight bytes, whatever it is."""
    return bytes([(0x80 if fin else 0) | opcode, 127]) + len(data).to_bytes(8, "big") + data


def _outcome(core: ClientProtocol) -> Any:
    """Return the core's state, and the frames that it wants to send."""
    server = ServerProtocol(state=State.OPEN)
    server.receive_data(b"".join(core.data_to_send()))
    broken = core.parser_exc
    return server.events_received(), core.state, type(broken), str(broken), core.close_rcvd, core.close_sent


def _cut(pieces: list[bytes]) -> tuple[list[bytes], Any]:
    core = _core()
    frames = FrameReader(core, max_size=MAX_SIZE)
    messages = [message for piece in pieces for message in frames.feed(piece)]
    return messages, _outcome(core)


def _parsed(pieces: list[bytes]) -> tuple[list[bytes], Any]:
    """Return the messages and the outcome of the library alone."""
    core = _core()
    messages: list[bytes] = []
    parts: list[bytes] = []
    core.receive_data(b"".join(pieces))
    for event in core.events_received():
        assert isinstance(event, Frame)
        if event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            parts.append(bytes(event.data))
            if event.fin:
                messages.append(b"".join(parts))
                parts.clear()
    return messages, _outcome(core)


def _payload(size: int, byte: int) -> bytes:
    return bytes([byte]) * size


def _in_two(first: bytes, second: bytes) -> bytes:
    return frame(TEXT, first, fin=False) + frame(CONT, second)


_SIZES = st.sampled_from([0, 1, 2, 60, 124, 125, 126, 127, 128, 255, 256, MAX_SIZE, MAX_SIZE + 1])
_PAYLOADS = st.builds(_payload, _SIZES, st.sampled_from(b"x\x00\x81\xff"))
_WELCOME = st.one_of(
    st.builds(frame, st.sampled_from([TEXT, BINARY]), _PAYLOADS),
    st.builds(_long, st.sampled_from([TEXT, BINARY]), _PAYLOADS),
    st.builds(frame, st.sampled_from([PING, 0xA]), st.binary(max_size=9)),
    st.builds(_in_two, _PAYLOADS, _PAYLOADS),
)
_ODD = st.one_of(
    st.builds(frame, st.integers(0, 15), st.binary(max_size=200), fin=st.booleans()),
    st.builds(frame, st.just(CLOSE), st.one_of(st.just(BYE), st.binary(max_size=4))),
    st.binary(max_size=12),
)


@st.composite
def _streams(draw: st.DrawFn) -> list[bytes]:
    frames = draw(st.lists(_WELCOME, max_size=6)) + draw(st.lists(st.one_of(_WELCOME, _ODD), max_size=4))
    data = b"".join(frames)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    return [data[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]


@example([frame(TEXT, b"a"), b"\x81\x81\x00\x00\x00\x00b", frame(TEXT, b"c")])
@example([frame(TEXT, b"a", fin=False), frame(TEXT, b"b")])
@example([frame(TEXT, b"a") + frame(CLOSE, BYE) + frame(TEXT, b"b"), frame(TEXT, b"c")])
@example([b"\x03~"])  # no opcode, and a frame of which too little has come to know its size
@given(_streams())
def test_whatever_comes_in_whatever_pieces_means_what_the_library_says(pieces: list[bytes]) -> None:
    assert _cut(pieces) == _parsed(pieces)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, MAX_SIZE])
def test_a_message_is_the_same_byte_by_byte(size: int) -> None:
    data = frame(TEXT, b"x" * size) + frame(PING, b"p") + frame(BINARY, b"y" * size) + _long(TEXT, b"z" * size)

    messages, outcome = _cut([data[at : at + 1] for at in range(len(data))])

    assert messages == [b"x" * size, b"y" * size, b"z" * size]
    assert outcome[0] == [Frame(Opcode.PONG, b"p")]


def test_a_message_that_is_too_big_is_refused_before_it_has_come() -> None:
    core = _core()

    assert FrameReader(core, max_size=MAX_SIZE).feed(b"\x81\x7f" + (10**12).to_bytes(8, "big")) == []

    assert isinstance(core.parser_exc, PayloadTooBig)
    assert (core.parser_exc.size, core.parser_exc.max_size) == (10**12, MAX_SIZE)


def test_a_message_after_our_own_goodbye_still_comes() -> None:
    core = _core()
    frames = FrameReader(core, max_size=MAX_SIZE)
    core.send_close(1000)

    assert frames.feed(frame(TEXT, b"late") + frame(CLOSE, BYE) + frame(TEXT, b"too late")) == [b"late"]


def test_the_library_never_sees_a_plain_frame_however_it_comes() -> None:
    core = Mock(wraps=_core(), parser_exc=None, close_rcvd=None)
    frames = FrameReader(core, max_size=MAX_SIZE)
    data = frame(TEXT, b"one") + frame(BINARY, b"two" * 60) + frame(TEXT, b"three")

    assert frames.feed(data[:50]) + frames.feed(data[50:]) == [b"one", b"two" * 60, b"three"]
    assert core.receive_data.mock_calls == []


def test_a_message_of_very_many_fragments_ends_the_connection_before_it_takes_all_the_time() -> None:
    core = _core()
    frames = FrameReader(core, max_size=MAX_SIZE)

    assert frames.feed(frame(TEXT, b"", fin=False) + frame(CONT, b"", fin=False) * 1_000_000) == []

    assert str(core.parser_exc) == "more than 65536 fragments in a message"
    assert core.close_sent is not None
    assert core.close_sent.code == 1008
    assert frames.feed(frame(TEXT, b"more")) == []
