"""The sessions of `cdp-agent`, as their processes have noted them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cdp_agent import check_folder, reached, runtime_folder


class SessionNote(Struct, frozen=True):
    """A session, as its process has noted it."""

    key: str
    pid: int
    lives: bool
    private: Path


def notes() -> Iterator[SessionNote]:
    """The sessions of this user, also those whose process was killed. Raises `NoAnswer` for a folder of others."""
    folder = Path(runtime_folder())
    if not folder.exists():
        return
    check_folder(str(folder))
    for file in sorted(folder.glob("*/session.json")):
        try:
            noted = json.loads(file.read_text())
            yield SessionNote(noted["key"], noted["pid"], _answers(file.parent.with_suffix(".sock")), file.parent)
        except (OSError, ValueError, KeyError):  # it ends in this moment
            continue


def _answers(path: Path) -> bool:
    try:
        reached(str(path)).close()
    except TimeoutError:
        return True  # it is too busy to say so
    except OSError:
        return False
    return True
