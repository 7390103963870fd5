"""Files that only their owner can read, and that are whole or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

BEGUN = ".part"
"""The end of the name of a file that is being written."""


def write(path: Path, data: bytes) -> None:
    """Write a file whole, in place of one of the same name. Raises `OSError`."""
    with begun(path.parent, data) as new:
        new.replace(path)


@contextmanager
def begun(folder: Path, data: bytes) -> Generator[Path]:
    """Write a new file (mode 0600) and yield its path, to be put in place by `Path.replace`; else it is removed."""
    descriptor, name = tempfile.mkstemp(suffix=BEGUN, dir=folder)
    path = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        yield path
    finally:
        path.unlink(missing_ok=True)
