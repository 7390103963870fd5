"""Settings refuse a keyword that they do not know, and name the one that was probably meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import StructMeta

from cdp_typed.spelling import closest

from .errors import InvalidConfig

SECRET = frozenset({"context_proxy", "headers", "proxy"})
"""Settings whose values no error shows."""


class KnownNames(StructMeta):
    """Makes a call with an unknown keyword raise `InvalidConfig`, where a struct raises a bare `TypeError`."""

    def __call__(self, *args: Any, **settings: Any) -> Any:
        check_names(settings, self.__struct_fields__)
        return super().__call__(*args, **settings)


def check_names(settings: Mapping[str, Any], known: Collection[str], named: Callable[[str], str] = str) -> None:
    """Raise `InvalidConfig` for a name that is no setting; `named` writes names as they were given."""
    for key, value in settings.items():
        if key not in known:
            near = closest(key, known)
            shown = f"a {type(value).__name__}" if near and near[0] in SECRET else value
            if near:
                raise InvalidConfig(named(key), shown, f"a known setting; did you mean {named(near[0])!r}?")
            raise InvalidConfig(
                named(key), shown, "a known setting: " + ", ".join(named(name) for name in sorted(known))
            )
