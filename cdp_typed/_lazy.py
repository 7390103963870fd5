"""Modules that import their contents when one of the names is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from cdp_typed.spelling import did_you_mean

__all__ = ["lazy", "lazy_one_by_one", "submodules", "unknown"]


def lazy(
    facade: dict[str, Any], public: Sequence[str], *modules: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the module with the globals `facade`, whose `public` names live in `modules`.

    The first use of any of them imports all the modules and puts every name in its place, so that later uses are plain
    attributes. A program pays for the domains that it touches, and for them only once.
    """

    def get(name: str) -> Any:
        if name not in public:
            raise unknown(facade["__name__"], name, public)
        contents: dict[str, Any] = {}
        for module in modules:
            contents.update(vars(import_module(module)))
        facade.update((public_name, contents[public_name]) for public_name in public)
        return contents[name]

    def names() -> list[str]:
        return sorted({*facade, *public})

    return get, names


def lazy_one_by_one(
    facade: dict[str, Any], homes: Mapping[str, str], finish: Callable[[Any, str], Any] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module each of whose names is imported from its module in `homes` when used.

    `finish` gets each value with the facade's own name, and returns the one that the facade has.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise unknown(facade["__name__"], name, homes)
        value = getattr(import_module(homes[name]), name)
        value = facade[name] = value if finish is None else finish(value, facade["__name__"])
        return value

    def names() -> list[str]:
        return sorted({*facade, *homes})

    return get, names


def submodules(package: dict[str, Any], *names: str) -> tuple[Callable[[str], ModuleType], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the package with the globals `package`, which imports `names` of it when used."""

    def get(name: str) -> ModuleType:
        if name not in names:
            raise unknown(package["__name__"], name, names)
        return import_module(f"{package['__name__']}.{name}")

    def listed() -> list[str]:
        return sorted({*package, *names})

    return get, listed


def unknown(module: str, name: str, public: Iterable[str]) -> AttributeError:
    """Return the error for a name that a module does not have; it names a public one that was probably meant."""
    hint = "" if name.startswith("__") else did_you_mean(name, public, 1)
    # `obj=None` keeps tracebacks from adding their own suggestion.
    return AttributeError(f"module {module!r} has no attribute {name!r}{hint}", name=name, obj=None)
