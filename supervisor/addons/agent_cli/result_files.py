"""The files of `shot FILE`, `capture FILE` and `heap --file FILE`, checked before anything is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from cdp_typed.cli.arguments import UsageError
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.saved_state.named_files import checked_name

_ENDINGS = ("pdf", "png", "jpeg", "webp", "txt")
"""The formats of `capture`."""


def written_file(folder: str, name: str) -> str:
    """The path of a file to write. Raises `UsageError` where none can be written."""
    path = Path(folder, name)
    if not path.parent.is_dir():
        raise UsageError(f"{name}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():  # a pipe would wait for its reader
        raise UsageError(f"{name}: it exists and is no regular file")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"{name}: it cannot be written")
    return str(path)


def captured_file(folder: str, arguments: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The path that `capture` names, and the tool's arguments. Raises `UsageError`.

    There is no path for a name without a folder and an ending: that file is in the folder of files.
    """
    name = arguments.get("name", "")
    stem, _, ending = Path(name).name.rpartition(".")
    if Path(name).name == name and ending not in (*_ENDINGS, "jpg"):
        return None, arguments
    if ending not in _ENDINGS or arguments.get("format", ending) != ending:
        expected = f".{arguments['format']}" if "format" in arguments else f".{', .'.join(_ENDINGS[:-1])} or .txt"
        raise UsageError(f"{name}: expected a file that ends with {expected}")
    path = Path(written_file(folder, name))
    try:
        own = {"name": checked_name(stem), "format": ending}
    except InvalidConfig as error:
        raise UsageError(f"{name}: {error}") from None
    if "since" in arguments:
        earlier = Path(folder, arguments["since"])
        if earlier.resolve().parent != path.resolve().parent:
            raise UsageError(f"--since {arguments['since']}: expected a file in the folder {path.parent}")
        own["since"] = earlier.name
    return str(path), {**arguments, **own}


def asked_file(folder: str, arguments: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The path of the snapshot that `heap` names, and the tool's arguments. Raises `UsageError`.

    There is no path for a mere name: that file is in the folder of files.
    """
    if "file" not in arguments:
        return None, arguments
    path = Path(arguments["file"])
    if not path.is_file() and path.parent != Path(folder):
        raise UsageError(f"{path}: there is no such file")
    return (str(path) if path.is_file() else None), {**arguments, "file": path.name}
