"""The flight recorder: writes messages, inputs and tool calls as lines of JSON, without secrets."""

from __future__ import annotations

import itertools
import json
import logging
import os
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from cdp_typed import __version__
from cdp_typed.recording.taps import Direction, TapCallback
from cdp_typed.recording.traffic_log import WITH_SECRETS, MessageLog, connection_name
from cdp_typed.redaction import Redaction
from supervisor.config import Config
from supervisor.core.vocabulary.inputs import Input
from supervisor.journal import FORMAT, Journal, settings

_log = logging.getLogger("supervisor.recorder")


class Recorder:
    """One file, new for each start. Only its owner can read it (mode 0600). Each line is written at once.

    The inputs of the core are notes among the messages; `supervisor.journal.replay` steps through them.
    """

    def __init__(
        self, path: str | Path, config: Config, bridge_secret: str = "", redaction: Redaction | None = None
    ) -> None:
        """Raises `OSError`. The file has the bridge's secret, which a replay of dialogs needs and which is useless
        after the run."""
        self._redaction = redaction or Redaction()
        self._journal = Journal(self._redaction, bridge_secret)
        self._file: FileIO | None = FileIO(_create(Path(path)), "w")
        self._began = time.monotonic()
        self._connections = 0
        self._is_silent = False
        beginning = {
            "format": FORMAT,
            "settings": settings(config),
            "bridge": bridge_secret,
            "version": __version__,
        }
        warning = {"note": WITH_SECRETS} if self._redaction.keeps_secrets else {}
        self._write({"t": 0.0, "conn": "A", "dir": "note", **warning, **beginning})

    def connection(self) -> TapCallback:
        """A tap for a connection that was just opened."""
        log = MessageLog(connection_name(self._connections), self._redaction)
        self._connections += 1
        left_out: set[int] = set()

        def see(direction: Direction, data: bytes) -> None:
            message = log.entry(self._seconds(), direction, data)
            if self._is_silent and direction == "sent":
                left_out.add(message["id"])
            elif direction == "received" and message.get("id") in left_out:
                left_out.discard(message["id"])
            else:
                self._write(message)

        return see

    @contextmanager
    def silence(self) -> Generator[None]:
        """Leave out the commands sent within the block, and their replies: the recorder's own commands."""
        self._is_silent = True
        try:
            yield
        finally:
            self._is_silent = False

    def remark(self, kind: str, fields: Mapping[str, Any]) -> None:
        """A line that is about no input: a picture, a tool's call. Replays do not look at it."""
        at = {"t": round(self._seconds(), 3), "conn": connection_name(max(0, self._connections - 1)), "dir": "note"}
        self._write({**at, kind: {name: self._redaction.value(value) for name, value in fields.items()}})

    def take(self, received: Input, now: float) -> None:
        """An input of the core, before it is stepped through at `now`."""
        at = {"t": round(self._seconds(), 3), "conn": connection_name(max(0, self._connections - 1)), "dir": "note"}
        self._write({**at, "at": now, "input": self._journal.take(received)})

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _write(self, entry: dict[str, Any]) -> None:
        if self._file is None:
            return
        rest = f"{json.dumps(entry)}\n".encode("ascii")
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:  # the disk is full, say: the supervisor itself goes on
            _log.error("the flight recorder stops: %s", error.strerror)
            self.close()


def _create(path: Path) -> int:
    """Open a new file: where there is something with this name, a link included, the next free name with a number."""
    number = 1
    while True:
        name = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        try:
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            number += 1
        else:
            _log.info("recording to %s", name)
            return descriptor


class DefaultRecording:
    """Off, until it has a folder."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._numbers = itertools.count(1)

    def next_file(self) -> str | None:
        """The file of the supervisor that starts now."""
        return None if self.folder is None else str(self.folder / f"flight-{next(self._numbers)}.jsonl")


DEFAULT_RECORDING = DefaultRecording()
"""Of this process."""
