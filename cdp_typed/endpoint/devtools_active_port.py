"""`DevToolsActivePort`: the file in a user data directory with the port that the browser listens on."""

from __future__ import annotations

import os
import re
from pathlib import Path

NAME = "DevToolsActivePort"
_CONTENT = re.compile(r"(\d{1,5})\n(/devtools/browser/\S+)\s*")


def read_port_file(folder: str | os.PathLike[str]) -> tuple[int, str] | None:
    """Return port and path of the browser's websocket, or `None` while the file is missing or incomplete.

    `folder` is the user data directory, or the file itself. Raises `OSError` when it may not be read.
    """
    path = Path(folder)
    try:
        text = (path if path.name == NAME else path / NAME).read_text("ascii", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    # Matched whole, because a reader can see the file half written.
    content = _CONTENT.fullmatch(text)
    return (int(content[1]), content[2]) if content else None
