"""One program at a time asks a person: a lock on the file in which the person's browser names its port."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_BEYOND = 2**30
"""Windows lets nobody read the bytes that are locked: this one is beyond the end of the file."""


class ConsentLock:
    """The turn to ask the person of a browser, among all programs of this user.

    Nothing is written. A program that ends, also by `kill -9`, gives its turn back.
    """

    def __init__(self, port_file: Path | None) -> None:
        """`port_file` is the `DevToolsActivePort` of the browser. Without one it is always this program's turn."""
        self._port_file = port_file
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Return False while another program has the turn. True also where the file cannot be locked."""
        if self._port_file is None or self._descriptor is not None:
            return True
        try:
            descriptor = os.open(self._port_file, os.O_RDONLY)
        except OSError:
            return True
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            return not isinstance(error, (BlockingIOError, PermissionError))  # as Linux and macOS say it, and Windows
        self._descriptor = descriptor
        return True

    def give_back(self) -> None:
        """Let the next program ask. Does nothing without a turn."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            _unlock(descriptor)  # a process that was forked meanwhile has the descriptor, too
            os.close(descriptor)


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _unlock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_UN)
