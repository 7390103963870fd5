"""The folder of recordings: traces, profiles and heap snapshots."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

FOLDER = "CDP_PERFORMANCE_FOLDER"
"""The variable that names the folder; by default it is `cdp-typed/performance` in the user's folder for program
state."""


def new_file(kind: str, ending: str, environment: Mapping[str, str] = os.environ) -> Path:
    """Make an empty file (mode 0600) whose name has its kind and the time. Raises `OSError`."""
    home = environment.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    folder = Path(environment.get(FOLDER) or Path(home) / "cdp-typed" / "performance")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}-", suffix=ending, dir=folder)
    os.close(descriptor)
    return Path(name)
