"""A result made whole: all parts of a long page, and pictures as files."""

from __future__ import annotations

import base64
import errno
import json
import os
from pathlib import Path
from typing import Any

from cdp_typed.wire.json_text import is_object
from supervisor.addons.agent_cli.outputs import save
from supervisor.saved_state.private_files import write
from supervisor.tools import Toolbox

PART_CHARS = 90_000
MOST_PARTS = 20
"""A page that is longer is cut; its text says how much is left."""


async def with_whole_page(toolbox: Toolbox, task: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The result of a tool with all of the page that it shows a part of."""
    page, cursor, left = payload.get("page", ""), payload.get("cursor"), payload.get("lines_left", 0)
    for _ in range(MOST_PARTS):
        if cursor is None:
            break
        arguments = {"cursor": cursor, "max_chars": PART_CHARS}
        part = json.loads(await toolbox.adispatch("browser_snapshot", arguments, task))
        if not part["success"]:
            break
        page, cursor, left = f"{page}\n{part['page']}", part.get("cursor"), part.get("lines_left", 0)
    whole = {key: value for key, value in payload.items() if key not in ("cursor", "lines_left")}
    return {**whole, "page": page, **({"lines_left": left} if left else {})} if page else payload


def with_pictures(payload: dict[str, Any], named: str | None, folder: str) -> tuple[dict[str, Any], list[str]]:
    """The result with the paths of pictures in place of their data, and a line for each. Raises `OSError`."""
    lines: list[str] = []
    saved = dict(payload)
    for key, value in payload.items():
        if is_object(value) and set(value) == {"mime_type", "data"}:
            data = base64.b64decode(value["data"])
            if named is None:
                path = save("shot", value["mime_type"].partition("/")[2], data, folder)
            else:
                path = os.path.relpath(named, folder)
                if Path(named).exists() and not Path(named).is_file():  # a pipe would wait for its reader
                    raise FileExistsError(errno.EEXIST, "it exists and is no regular file", named)
                write(Path(named).resolve(), data)
            saved[key] = {"path": path, "bytes": len(data)}
            lines.append(f"{path} ({len(data)} bytes)")
    return saved, lines
