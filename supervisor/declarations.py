"""What addons declare: each folder of `supervisor.addons` in a file `addon.py`, and other packages in a module that an
entry point of the group `cdp_typed.tools` names.

`COMMANDS` are commands that need no session. `TOOLS` names modules, which register tools when they are imported.
`OFFERS` names modules that the house and other addons use while the addon is here.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from cdp_typed.errors import CDPError

GROUP = "cdp_typed.tools"

_FOLDER = Path(__file__).with_name("addons")
_log = logging.getLogger("supervisor.addons")


class NoAddon(CDPError):
    """An addon that offers something is not here."""


class LocalCommand(Struct, frozen=True):
    """A command, declared without importing what carries it out."""

    word: str
    sentence: str
    """For the list of all commands."""
    module: str
    """It has a function `run(words) -> exit code`."""


def declarations(others: Iterable[EntryPoint] | None = None) -> Iterator[tuple[str, object]]:
    """Each declaration with the name of its addon: a module, or the tools that an entry point leads to.

    One that fails is logged and left out. `others` are all entry points of the group unless given.
    """
    for file in _files():
        yield file.parent.name, _declared(file)
    for entry in entry_points(group=GROUP) if others is None else others:
        try:
            yield entry.name, entry.load()
        except Exception:
            left_out(entry.name)


def addons() -> list[str]:
    """The names of all addons and entry points, none of which is imported."""
    return [*(file.parent.name for file in _files()), *(entry.name for entry in entry_points(group=GROUP))]


def _files() -> list[Path]:
    return sorted(_FOLDER.glob("*/addon.py"))


def _declared(file: Path) -> ModuleType:
    """The declarations of this file; the package around it, which may be heavy, is not imported."""
    spec = spec_from_file_location(f"supervisor.addons.{file.parent.name}.addon", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def offered(name: str) -> Any:
    """The module that an addon offers by this name. Raises `NoAddon`."""
    for file in _files():
        module: str | None = getattr(_declared(file), "OFFERS", {}).get(name)
        if module is not None:
            return import_module(module)
    raise NoAddon(f"this needs the addon {name!r}, which is not here")


def left_out(name: str) -> None:
    """Log the current exception, which is why the addon is left out."""
    _log.exception("the addon %s is left out", name)


def commands() -> dict[str, LocalCommand]:
    """By word: ours, and those of other packages whose words are not ours."""
    found: dict[str, LocalCommand] = {}
    for _, declared in declarations():
        for command in getattr(declared, "COMMANDS", ()):
            found.setdefault(command.word, command)
    return found
