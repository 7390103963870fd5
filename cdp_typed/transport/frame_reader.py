"""Reads messages from the bytes of a websocket: unmasked one-frame messages here, all other frames by `websockets`."""

from __future__ import annotations

from struct import Struct

from websockets.client import ClientProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import CloseCode, Frame, Opcode

_OPCODES = frozenset(Opcode)
_DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)
# The first byte of a frame that is a whole message and has no reserved bit.
_WHOLE = (0x80 | Opcode.TEXT, 0x80 | Opcode.BINARY)
_OPCODE = 0x0F
_MASKED = 0x80
_SIZE_IN_2_BYTES = 126
_MOST_FRAGMENTS = 2**16
"""Of one message: each takes its time, also an empty one, and `max_size` counts bytes."""
_FINAL_TEXT = 0x80 | Opcode.TEXT
# The two first bytes of a frame, and the size where it has 2 bytes.
_HEADER = Struct("!BBH")


class FrameReader:
    """The receiving half of an open websocket: bytes in, messages out.

    Browsers send nearly every message as one unmasked frame. Such frames never reach the core of `websockets`, whose
    parser would take longer than the rest of their way to a listener. The core gets the bytes of every other frame:
    control frames, fragments, frames that break the protocol, and everything after the core has ended.
    """

    def __init__(self, core: ClientProtocol, *, max_size: int) -> None:
        self._core = core
        self._max_size = max_size
        self._held: list[bytes] = []
        """The beginning of a frame, as it came: joined once, because pieces of a megabyte take their time to copy."""
        self._needed = 0
        """The number of bytes that are still missing until `_held` can be a whole frame, or its header."""
        self._owed = 0
        """The number of bytes of a frame that the core has still to get, after the beginning of it."""
        self._fragments: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        """Return the messages that `data` completes. The core may have something to send afterwards."""
        messages: list[bytes] = []
        if self._held:
            self._held.append(data)
            self._needed -= len(data)
            if self._needed > 0:
                return messages
            data = b"".join(self._held)
            self._held.clear()
        at = 0
        if self._owed:
            at = min(self._owed, len(data))
            self._owed -= at
            self._give(data[:at], messages)
        if not self._fragments and not self._is_over():
            at = self._cut_short_texts(data, at, messages)
        self._cut(data, at, messages)
        return messages

    def _cut_short_texts(self, data: bytes, at: int, messages: list[bytes]) -> int:
        # Nearly every event is a whole text of less than 64 KiB. `_cut` would cut the same, in twice the time.
        # It returns where anything else begins.
        end, largest, header = len(data), self._max_size, _HEADER.unpack_from
        enough = end - _HEADER.size
        while at <= enough:
            kind, size, long_size = header(data, at)
            start = at + 2
            if size == _SIZE_IN_2_BYTES:
                start, size = at + 4, long_size
            elif size > _SIZE_IN_2_BYTES:
                break
            stop = start + size
            if kind != _FINAL_TEXT or size > largest or stop > end:
                break
            messages.append(data[start:stop])
            at = stop
        return at

    def _cut(self, data: bytes, at: int, messages: list[bytes]) -> None:
        # One loop without calls, because there may be thousands of frames.
        end, largest, needed = len(data), self._max_size, 2
        plain = not self._fragments and not self._is_over()
        while at + 1 < end:
            kind, size, start = data[at], data[at + 1], at + 2
            if size >= _SIZE_IN_2_BYTES:
                if size & _MASKED or (kind not in _WHOLE and kind & _OPCODE not in _OPCODES):
                    # The core refuses this frame at once, so its end does not matter.
                    plain, size = False, end - start
                else:
                    start += 2 if size == _SIZE_IN_2_BYTES else 8
                    size = int.from_bytes(data[at + 2 : start], "big")
            stop = start + size
            if start > end:
                needed = start - at
                break
            if plain and kind in _WHOLE and size <= largest:
                if stop > end:
                    needed = stop - at
                    break
                messages.append(data[start:stop])
                at = stop
            else:
                self._give(data[at:stop], messages)
                at, self._owed = min(stop, end), max(stop - end, 0)
                if self._is_over():
                    self._core.receive_data(data[at:])  # which it throws away
                    return
                plain = not self._fragments
        if at < end:
            self._held.append(data[at:])
            self._needed = needed - (end - at)

    def _is_over(self) -> bool:
        return self._core.parser_exc is not None or self._core.close_rcvd is not None

    def _give(self, data: bytes, messages: list[bytes]) -> None:
        self._core.receive_data(data)
        for event in self._core.events_received():
            if isinstance(event, Frame) and event.opcode in _DATA:
                self._fragments.append(bytes(event.data))
                if len(self._fragments) > _MOST_FRAGMENTS:
                    self._core.parser_exc = ProtocolError(f"more than {_MOST_FRAGMENTS} fragments in a message")
                    self._core.fail(CloseCode.POLICY_VIOLATION)
                    self._fragments.clear()
                elif event.fin:
                    messages.append(b"".join(self._fragments))
                    self._fragments.clear()
