"""The commands that need no session.

Each folder of `supervisor.addons` declares its own as `COMMANDS` in a file `addon.py`, and other packages do so in a
module that an entry point of the group `cdp_typed.tools` names.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from msgspec import Struct

from supervisor.other_packages import loaded_entries

_FOLDER = Path(__file__).parents[1] / "addons"


class LocalCommand(Struct, frozen=True):
    """A command, declared without importing what carries it out."""

    word: str
    sentence: str
    """For the list of all commands."""
    module: str
    """It has a function `run(words) -> exit code`."""


def commands() -> dict[str, LocalCommand]:
    """By word: ours, and those of other packages whose words are not ours."""
    found: dict[str, LocalCommand] = {}
    for module in _modules():
        for command in getattr(module, "COMMANDS", ()):
            found.setdefault(command.word, command)
    return found


def _modules() -> Iterator[object]:
    for folder in pkgutil.iter_modules([str(_FOLDER)]):
        yield import_module(f"supervisor.addons.{folder.name}.addon")
    for _, loaded in loaded_entries():
        yield loaded
