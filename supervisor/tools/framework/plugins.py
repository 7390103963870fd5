"""Tools of other packages."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint
from types import ModuleType

import msgspec

from supervisor.other_packages import left_out, loaded_entries

from .tool import CATALOGUE, Catalogue, Tool


def load_plugins(catalogue: Catalogue = CATALOGUE, entries: Iterable[EntryPoint] | None = None) -> None:
    """Register what the entry points lead to: a `Tool`, several, or a module whose tools register themselves.

    One that fails is logged and left out; the others are there.
    """
    for entry, loaded in loaded_entries(entries):
        if isinstance(loaded, ModuleType):
            continue
        try:
            for plugin in [loaded] if isinstance(loaded, Tool) else msgspec.convert(loaded, list[Tool]):
                catalogue.register(plugin)
        except Exception:
            left_out(entry)
