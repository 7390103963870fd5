"""How an idle endpoint is asked for a sign of life: by a websocket ping where it bears one, else by a CDP command.

A ping ends every connection to Chromium up to 92 and to Node 20, at once and without a closing frame; Chromium from 102
on answers it. The table of what was measured is in docs/connecting.md. `Browser.getVersion` was answered by all of them
within a millisecond, under a dialog and beside a page that loops too (64, 83, 92), and on the websockets of single
pages; by Node and Deno with an error, which is as good a sign of life.

Chromium tells its version by that of V8 (`V8-Version` of `/json/version`, `jsVersion` of `Browser.getVersion`): 9.2 is
Chromium 92, 10.2 is 102. Its product name tells nothing (`qt/`, an empty text), and its user agent is up to the user.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
from msgspec import Struct, field

from cdp_typed.wire.decoding import REFUSED
from cdp_typed.wire.envelopes import Envelope, decode_message

__all__ = ["Heartbeat", "bears_pings", "is_heartbeat"]

_FIRST_V8_WITH_PONGS = (10, 2)
"""Chromium 102, the oldest that was seen to answer a ping; 93 to 101 were not measured, and get commands."""

_CALL_ID = 2**30
"""An id that no client gets to by counting its calls."""
_CALL = b'{"id":%d,"method":"Browser.getVersion","params":{}}' % _CALL_ID
_LONGEST_ANSWER = 4096  # bytes; the answer of Chromium 156 has 400

_V8 = re.compile(r"(\d{1,3})\.(\d{1,3})\.")


class _VersionResult(Struct):
    v8: str = field(name="jsVersion")


class _GetVersionReply(Struct):
    result: _VersionResult


def bears_pings(v8_version: str) -> bool:
    """Whether an endpoint with this version of V8 is known to answer a websocket ping."""
    version = _V8.match(v8_version)
    return version is not None and (int(version[1]), int(version[2])) >= _FIRST_V8_WITH_PONGS


def is_heartbeat(message: bytes) -> bool:
    """Whether a message is the command of a `Heartbeat`, or the answer to it."""
    if len(message) > _LONGEST_ANSWER:
        return False
    envelope = decode_message(message)
    return isinstance(envelope, Envelope) and envelope.id == _CALL_ID


class Heartbeat:
    """Asks one endpoint for signs of life. `v8_version` is what is known of it already, or an empty text.

    The command and its answer are between this side and the endpoint: no client knows of them.
    """

    def __init__(self, *, ping: Callable[[], object], send: Callable[[bytes], object], v8_version: str) -> None:
        self._ping = ping
        self._send = send
        self._bears_pings = bears_pings(v8_version)
        self._is_answer_due = False

    def ask(self) -> None:
        """Make the endpoint say something."""
        if self._bears_pings:
            self._ping()
        else:
            self._is_answer_due = True
            self._send(_CALL)

    def without_answers(self, messages: list[bytes]) -> list[bytes]:
        """The messages that are for the client."""
        if not self._is_answer_due:
            return messages
        return [message for message in messages if not self._takes(message)]

    def _takes(self, message: bytes) -> bool:
        """Whether this is the answer; if so, what it says of the endpoint is known from now on."""
        if not is_heartbeat(message):
            return False
        self._is_answer_due = False
        self._bears_pings = bears_pings(_v8_version(message))
        return True


def _v8_version(answer: bytes) -> str:
    """What the answer says; nothing in an error, which says that the endpoint does not know the command."""
    try:
        return msgspec.json.decode(answer, type=_GetVersionReply).result.v8
    except REFUSED:
        return ""
