"""The files that `shot`, `capture` and the commands for measurements name, checked before anything is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from cdp_typed.cli.arguments import UsageError
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.saved_state.named_files import checked_name

_ENDINGS = ("pdf", "png", "jpeg", "webp", "txt")
"""The formats of `capture`."""
ENDINGS = {"heap": ".heapsnapshot", "trace": ".json.gz", "profile": ".cpuprofile"}
"""The files of measurements, by their commands."""


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
    return str(path), {**arguments, **own}


def measured_file(folder: str, arguments: dict[str, Any], ending: str) -> tuple[str | None, dict[str, Any]]:
    """The path that a command for measurements names, and the tool's arguments. Raises `UsageError`.

    There is no path for mere names: those files are in the folder of files.
    """
    given = arguments.get("name", "")
    if given and not given.endswith(ending):
        raise UsageError(f"{given}: expected a file that ends with {ending}")
    new = written_file(folder, given) if given else None
    paths = {name: Path(folder, arguments[name]) for name in ("file", "since") if name in arguments}
    for path in paths.values():
        if not path.is_file() and path.parent != Path(folder):
            raise UsageError(f"{path}: there is no such file")
    earlier = [str(path) for path in paths.values() if path.is_file()]
    if new is not None and len({Path(path).resolve().parent for path in (new, *earlier)}) > 1:
        raise UsageError(f"--since {arguments['since']}: expected a file in the folder {Path(new).parent}")
    own: dict[str, str] = {name: path.name for name, path in paths.items()}
    if new is not None:
        own["name"] = Path(new).name.removesuffix(ending)
    return next(iter([new] if new is not None else earlier), None), {**arguments, **own}
