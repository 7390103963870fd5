"""`sessions`: the sessions of this user."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cdp_agent import DONE, PROG, check_folder, reached, runtime_folder, shown
from cdp_typed.cli.arguments import UsageError


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


def sessions(words: list[str]) -> int:
    """Print them, a line each."""
    as_json = words == ["--json"]
    if words and not as_json:
        raise UsageError("sessions takes --json alone")
    found = [note for note in notes() if note.lives]
    if as_json:
        sys.stdout.write(json.dumps([{"session": shown(note.key), "pid": note.pid} for note in found]) + "\n")
        return DONE
    for note in found:
        sys.stdout.write(f"{shown(note.key)} (process {note.pid})\n")
    if not found:
        sys.stdout.write(f"no session is open; begin with: {PROG} open URL\n")
    return DONE


def _answers(path: Path) -> bool:
    try:
        reached(str(path)).close()
    except TimeoutError:
        return True  # it is too busy to say so
    except OSError:
        return False
    return True
