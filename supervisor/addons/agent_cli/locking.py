"""A lock over the folder of a user's sessions: one process at a time makes or removes a socket there."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from cdp_agent import LOST, NoAnswer

_STEP_S = 0.01
_MOST_S = 60.0
"""A session that starts holds the lock for some seconds on Windows."""


@contextmanager
def locked(folder: str) -> Generator[None]:
    """Hold the lock. Raises `FileNotFoundError` where there is no folder, on Windows `NoAnswer` after a minute."""
    descriptor = _file(folder) if sys.platform == "win32" else _folder(folder)
    try:
        yield
    finally:
        os.close(descriptor)


def _folder(folder: str) -> int:
    if sys.platform == "win32":
        raise AssertionError("folders cannot be opened")
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def _file(folder: str) -> int:
    """A file in the folder that exists as long as its descriptor is open; only one process can make it."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_TEMPORARY", 0)
    ends = time.monotonic() + _MOST_S
    while True:
        try:
            return os.open(Path(folder, "lock"), flags)
        except (FileExistsError, PermissionError) as error:  # the latter while it is being removed
            if time.monotonic() > ends:
                raise NoAnswer(f"the sessions in {folder} cannot be locked: {error}", LOST) from None
            time.sleep(_STEP_S)
