"""The default folder for flight recordings of supervisors without `record_to`."""

from __future__ import annotations

import itertools
from pathlib import Path


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
