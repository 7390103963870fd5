"""`DevToolsActivePort`: where a browser writes, in its user data directory, what it listens on."""

from __future__ import annotations

import os
import re
from pathlib import Path

__all__ = ["NAME", "read_port_file"]

NAME = "DevToolsActivePort"
_CONTENT = re.compile(r"(\d{1,5})\n(/devtools/browser/\S+)\s*")


def read_port_file(folder: str | os.PathLike[str]) -> tuple[int, str] | None:
    """Port and path of the browser's websocket, or `None` while the file is not there or not written whole.

    `folder` is the user data directory, or the file itself. Raises `OSError` when it may not be read.
    """
    path = Path(folder)
    try:
        text = (path if path.name == NAME else path / NAME).read_text("ascii", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    # Matched whole, because it can be seen half written.
    found = _CONTENT.fullmatch(text)
    return (int(found[1]), found[2]) if found else None
