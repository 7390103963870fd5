"""Files of one kind in the user's folder for program state, by names that a model may choose."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from supervisor.core.vocabulary.errors import InvalidConfig

from .private_files import write

FILES = "CDP_FILES_FOLDER"
"""The variable that names one folder for all that is recorded, measured and captured."""
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,99}", re.ASCII)


class NamedFiles:
    """The folder `cdp-typed/KIND` in the user's folder for program state, or the one that `variable` names."""

    def __init__(self, kind: str, variable: str = FILES, environment: Mapping[str, str] = os.environ) -> None:
        home = environment.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
        self.folder: Path = Path(environment.get(variable) or Path(home) / "cdp-typed" / kind)

    def names(self) -> list[str]:
        """The names of all files, in order."""
        return sorted(path.name for path in self.folder.iterdir()) if self.folder.is_dir() else []

    def path(self, name: str) -> Path:
        """The path of a file, which may not exist."""
        return self.folder / checked_name(name)

    def write(self, name: str, data: bytes) -> Path:
        """Write a file, in place of one of the same name (mode 0600)."""
        path = self.path(name)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write(path, data)
        return path


def checked_name(name: str) -> str:
    """Return the name. Raises `InvalidConfig` for one that could lead out of the folder."""
    if not _NAME.fullmatch(name):
        raise InvalidConfig("name", name, "a name of letters, digits, dots, dashes and underscores")
    return name
