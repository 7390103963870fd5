"""A lock over the folder of a user's sessions: one process at a time makes or removes a socket there."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

from cdp_agent import NOT_HERE, USAGE, NoAnswer


@contextmanager
def locked(folder: str) -> Generator[None]:
    """Hold the lock. Raises `FileNotFoundError` where there is no folder."""
    if sys.platform == "win32":
        raise NoAnswer(NOT_HERE, USAGE)
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
