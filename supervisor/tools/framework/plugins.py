"""Tools of other packages, found through the entry point group `cdp_typed.tools`."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

import msgspec

from .tool import CATALOGUE, Catalogue, Tool

GROUP = "cdp_typed.tools"

_log = logging.getLogger("supervisor.tools.plugins")


def load_plugins(catalogue: Catalogue = CATALOGUE, entries: Iterable[EntryPoint] | None = None) -> None:
    """Register what the entry points lead to: a `Tool`, several, or a module whose tools register themselves.

    One that fails is logged and left out; the others are there.
    """
    for entry in entry_points(group=GROUP) if entries is None else entries:
        try:
            loaded: object = entry.load()
            if not isinstance(loaded, ModuleType):
                for plugin in [loaded] if isinstance(loaded, Tool) else msgspec.convert(loaded, list[Tool]):
                    catalogue.register(plugin)
        except Exception:
            _log.exception("the tools of the entry point %s are left out", entry.name)
