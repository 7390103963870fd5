"""Heartbeats of an idle connection: a websocket ping where the endpoint supports it, else a CDP command.

A ping ends every connection to Chromium up to 92 and to Node 20, at once and without a closing frame; Chromium from 102
on answers it (measured; the table is in docs/connecting.md). All of them answered `Browser.getVersion` within a
millisecond, also under a dialog and beside a page that loops (64, 83, 92), and on the websockets of single pages; Node
and Deno answer with an error, which serves as well.

The version of V8 tells that of Chromium (`V8-Version` of `/json/version`, `jsVersion` of `Browser.getVersion`): 9.2 is
Chromium 92, 10.2 is 102. The product name does not (`qt/`, or empty), and users may set the user agent.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct, field

from cdp_typed.conversions import decode
from cdp_typed.wire.decoding import REFUSED
from cdp_typed.wire.envelopes import Envelope, decode_message

_FIRST_V8_WITH_PONGS = (10, 2)
"""Chromium 102, the oldest version measured to answer a ping; 93 to 101 were not measured, and get commands."""

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
    """Return True if an endpoint with this version of V8 is known to answer a websocket ping."""
    version = _V8.match(v8_version)
    return version is not None and (int(version[1]), int(version[2])) >= _FIRST_V8_WITH_PONGS


def is_heartbeat(message: bytes) -> bool:
    """Return True for the command of a `Heartbeat` and for the reply to it."""
    if len(message) > _LONGEST_ANSWER:
        return False
    envelope = decode_message(message)
    return isinstance(envelope, Envelope) and envelope.id == _CALL_ID


class Heartbeat:
    """Sends heartbeats to one endpoint. `v8_version` is its `V8-Version`, or empty while it is unknown.

    The command and its reply stay below the connection: no client sees them.
    """

    def __init__(self, *, ping: Callable[[], object], send: Callable[[bytes], object], v8_version: str) -> None:
        self._ping = ping
        self._send = send
        self._bears_pings = bears_pings(v8_version)
        self._is_answer_due = False

    def ask(self) -> None:
        """Send a ping or the command."""
        if self._bears_pings:
            self._ping()
        else:
            self._is_answer_due = True
            self._send(_CALL)

    def without_answers(self, messages: list[bytes]) -> list[bytes]:
        """Return the messages without the replies to heartbeats."""
        if not self._is_answer_due:
            return messages
        return [message for message in messages if not self._takes(message)]

    def _takes(self, message: bytes) -> bool:
        """Return True for the reply to a heartbeat, and note the V8 version in it."""
        if not is_heartbeat(message):
            return False
        self._is_answer_due = False
        self._bears_pings = bears_pings(_v8_version(message))
        return True


def _v8_version(answer: bytes) -> str:
    """Return the V8 version in a reply; empty for an error, with which Node and Deno reply."""
    try:
        return decode(answer, type=_GetVersionReply).result.v8
    except REFUSED:
        return ""
