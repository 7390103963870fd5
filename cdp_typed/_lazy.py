"""Modules that import their contents when one of the names is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["lazy", "lazy_one_by_one"]


def lazy(
    facade: dict[str, Any], public: Sequence[str], *modules: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the module with the globals `facade`, whose `public` names live in `modules`.

    The first use of any of them imports all the modules and puts every name in its place, so that later uses are plain
    attributes. A program pays for the domains that it touches, and for them only once.
    """

    def get(name: str) -> Any:
        if name not in public:
            raise AttributeError(f"module {facade['__name__']!r} has no attribute {name!r}")
        contents: dict[str, Any] = {}
        for module in modules:
            contents.update(vars(import_module(module)))
        facade.update((public_name, contents[public_name]) for public_name in public)
        return contents[name]

    def names() -> list[str]:
        return sorted({*facade, *public})

    return get, names


def lazy_one_by_one(
    facade: dict[str, Any], homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module each of whose names is imported from its module in `homes` when used."""

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {facade['__name__']!r} has no attribute {name!r}")
        value = facade[name] = getattr(import_module(homes[name]), name)
        return value

    def names() -> list[str]:
        return sorted({*facade, *homes})

    return get, names
