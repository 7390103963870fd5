"""The folder of measurements: traces, profiles and heap snapshots."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from supervisor.saved_state.named_files import NamedFiles


def new_file(kind: str, ending: str) -> Path:
    """Make an empty file (mode 0600) whose name has its kind and the time. Raises `OSError`."""
    folder = NamedFiles("performance").folder
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}-", suffix=ending, dir=folder)
    os.close(descriptor)
    return Path(name)
