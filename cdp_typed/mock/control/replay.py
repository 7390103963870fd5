"""Replay of recorded traffic for another client.

A recording is JSON Lines. Each line has `dir` (`send` by the client, `recv` from the browser, or `note`), and the
message's `id`, `method`, `params`, `result`, `error` and `session` (or `sessionId`; the first characters of a session's
id are enough), as far as they apply. `conn` names the connection. The replayed messages have the ids of the new
client's calls, and new session ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from cdp_typed.conversions import decode
from cdp_typed.mock.control.call_log import Received
from cdp_typed.mock.control.faults import WireFrame, to_json
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.errors import ScenarioError
from cdp_typed.mock.schema.command_messages import CommandMessage, read_command

_NOT_RECORDED = -32000


class RecordedMessage(Struct, frozen=True, kw_only=True):
    """A message of a recording, or a note in it."""

    dir: Literal["send", "recv", "note"]
    conn: str = "A"
    id: int | None = None
    session: str = ""
    session_id: str = msgspec.field(name="sessionId", default="")
    method: str = ""
    params: dict[str, Any] = {}
    result: dict[str, Any] | UnsetType = UNSET
    error: dict[str, Any] | UnsetType = UNSET

    @property
    def on(self) -> str:
        """Return the session as the recording names it; empty for the connection's own."""
        return self.session or self.session_id


def load_recording(path: Path) -> tuple[RecordedMessage, ...]:
    """Read a recording. Raises `ScenarioError` with file and line, and `OSError`."""
    return parse_recording(path.read_bytes(), path.name)


def parse_recording(text: bytes, name: str = "recording") -> tuple[RecordedMessage, ...]:
    """Parse a recording and drop its notes. Raises `ScenarioError`."""
    lines: list[RecordedMessage] = []
    calls: set[tuple[str, int | None]] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            read_line = decode(line, type=RecordedMessage)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise ScenarioError(f"{name}:{number}: {error}") from None
        if read_line.dir == "send":
            calls.add((read_line.conn, read_line.id))
        problem = _problem(read_line, calls)
        if problem:
            raise ScenarioError(f"{name}:{number}: {problem}")
        lines.append(read_line)
    return tuple(line for line in lines if line.dir != "note")


def _problem(line: RecordedMessage, calls: set[tuple[str, int | None]]) -> str:
    """Return the error in a line that is well-formed by itself, or nothing."""
    match line.dir:
        case "send" if line.id is None or not line.method:
            return "a call has an id and a method"
        case "recv" if line.id is None and not line.method:
            return "a message has an id or a method"
        case "recv" if line.id is not None and (line.conn, line.id) not in calls:
            return f"a reply to call {line.id}, which was not made"
        case _:
            return ""


class _ConnectionReplay:
    """The replay of one connection."""

    def __init__(self, lines: tuple[RecordedMessage, ...], new_id: Iterator[str]) -> None:
        self._lines = lines
        self._at = 0
        self._ids: dict[int, int] = {}
        self._skipped: set[int] = set()
        self._new_id = new_id
        self._sessions: dict[str, str] = {}

    def call(self, call: CommandMessage) -> bool:
        """Match a call with the first unmatched one of its method and session in the recording."""
        for index, line in enumerate(self._lines):
            is_call = line.dir == "send" and line.method == call.method
            if is_call and index not in self._ids and self._session(line.on) == call.session:
                self._ids[index] = call.id
                return True
        return False

    def due(self) -> Iterator[dict[str, Any]]:
        """Yield the browser's messages up to the next call that the recording waits for."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.dir == "send" and self._at not in self._ids and self._at not in self._skipped:
                return
            self._at += 1
            if line.dir == "recv" and (line.id is None or self._made(line) in self._ids):
                yield self._message(line)

    def waiting_for(self) -> str:
        """Return the method of the call that the recording waits for."""
        return self._lines[self._at].method if self._at < len(self._lines) else "nothing"

    def skip(self) -> str | None:
        """Stop waiting for the next call of the recording; return its method, or None at the end."""
        if self._at == len(self._lines):
            return None
        self._skipped.add(self._at)
        return self._lines[self._at].method

    def _made(self, line: RecordedMessage) -> int:
        """Return the index of the call to which a reply belongs."""
        return next(index for index, sent in enumerate(self._lines) if sent.dir == "send" and sent.id == line.id)

    def _message(self, line: RecordedMessage) -> dict[str, Any]:
        self._learn(line)
        session = self._session(line.on)
        payload: dict[str, Any] = {} if session is None else {"sessionId": session}
        if line.id is None:
            return {"method": line.method, "params": self._rewritten(line.params), **payload}
        answer = {"result": line.result} if line.error is UNSET else {"error": line.error}
        return {"id": self._ids[self._made(line)], **self._rewritten(answer), **payload}

    def _learn(self, line: RecordedMessage) -> None:
        known = line.params.get("sessionId") if line.method == "Target.attachedToTarget" else None
        if isinstance(known, str):
            self._sessions.setdefault(known, next(self._new_id))

    def _session(self, name: str) -> str | None:
        """Return the new session id for a recorded one, which may be cut to its first characters."""
        return next((ours for theirs, ours in self._sessions.items() if name and theirs.startswith(name)), None)

    def _rewritten(self, value: Any) -> Any:
        match value:
            case str():
                return self._sessions.get(value, value)
            case [*items]:
                return [self._rewritten(item) for item in items]
            case {**fields}:
                return {key: self._rewritten(item) for key, item in fields.items()}
            case _:
                return value


class ReplayBrowser(MockBrowser):
    """A browser that repeats its recorded messages in reply to the same calls.

    The n-th client gets the n-th connection of the recording. Calls may come in another order than they were recorded;
    the browser goes on when it has received the calls that it had received then. A call that was not recorded is
    refused, and listed in `unexpected`. Nothing is modelled: there are no targets and dialogs but the recorded ones.
    """

    def __init__(self, recording: tuple[RecordedMessage, ...]) -> None:
        super().__init__()
        self._recording = recording
        self._playing: dict[int, _ConnectionReplay] = {}
        self._left = list(dict.fromkeys(line.conn for line in recording))
        self.unexpected: list[Received] = []

    def connect(self, target: str | None = None) -> int:
        """Assign the next connection of the recording to a client; without one, its calls are refused."""
        with self._lock:
            number = super().connect(target)
            name = self._left.pop(0) if self._left else ""
            lines = tuple(line for line in self._recording if line.conn == name)
            ids = (f"{number:08X}{serial:024X}" for serial in range(1, len(lines) + 1))
            self._playing[number] = _ConnectionReplay(lines, ids)
            return number

    def skip(self) -> tuple[str, ...]:
        """Go on as if each client had made the call that its recording waits for; return the methods of those calls.

        The replies to these calls are not sent. For recordings of a client with other commands than the one under test.
        """
        with self._lock:
            skipped: list[str] = []
            for connection, playing in self._playing.items():
                method = playing.skip()
                if method is not None:
                    skipped.append(method)
                    for payload in playing.due():
                        self._say(connection, payload)
            return tuple(skipped)

    def receive(self, connection: int, text: str | bytes) -> None:
        """Handle a text frame of a client."""
        with self._lock:
            call = read_command(text)
            if not isinstance(call, CommandMessage):
                super().receive(connection, text)
                return
            received = Received(connection, call.session, call.method, call.params)
            self._call_log.record(received)
            playing = self._playing[connection]
            if not playing.call(call):
                self.unexpected.append(received)
                self._say(connection, _not_recorded(call, playing.waiting_for()))
            for payload in playing.due():
                self._say(connection, payload)

    def _say(self, connection: int, payload: Mapping[str, Any]) -> None:
        self.deliver(WireFrame(connection, to_json(dict(payload))))


def _not_recorded(call: CommandMessage, waiting: str) -> dict[str, Any]:
    message = f"cdp_typed.mock: {call.method} was not recorded here; the recording waits for {waiting}"
    session = {} if call.session is None else {"sessionId": call.session}
    return {"id": call.id, "error": {"code": _NOT_RECORDED, "message": message}, **session}
