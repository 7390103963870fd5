"""Base classes and typing tools of the generated bindings.

A command is a frozen value whose type knows its result; an event is a frozen value.
This module knows nothing of any domain: every module of `cdp_typed.protocol` imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NewType, TypeAlias, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import force_setattr

__all__ = [
    "UNSET",
    "Accepts",
    "Base64",
    "Command",
    "Event",
    "Open",
    "ResultClass",
    "UnlistedValue",
    "as_params",
    "deprecated",
]

R_co = TypeVar("R_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")

Base64: TypeAlias = str
"""Bytes as base64 text: CDP has no other way to carry them. `base64.b64decode` gives the bytes."""

UnlistedValue = NewType("UnlistedValue", str)
"""A value of an enum that the bindings do not list, from or for a newer browser: a `str` that only type checkers tell
from another one, so that a misspelt value is still a type error."""

ResultClass: TypeAlias = type[T]
"""A class of results. A generated command cannot say `type[...]`: it may have a parameter of that name."""


class Command(Struct, Generic[R_co], frozen=True, kw_only=True):
    """A CDP method call as a value: the fields are its parameters, `R_co` is what it returns.

    An optional parameter that is `None` or `UNSET` is not sent, so that what a result or event did not have can be
    given unchanged; `False` and `0` are sent. Where a parameter is any JSON value (`runtime.CallArgument(value=...)`),
    `None` is sent, as null, and `UNSET`, its default, is not.
    """

    METHOD: ClassVar[str]
    """The wire name, for example `Page.navigate`."""
    RESULT: ClassVar[type[Struct] | None]
    """The class of the result, or `None` for a method that returns nothing."""


class Event(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A CDP event as a value: the fields are its parameters. An optional one that is absent is `None`."""

    METHOD: ClassVar[str]
    """The wire name, for example `Page.loadEventFired`."""


def as_params(command: Command[Any], name: str, cls: type[Struct]) -> None:
    """Make values of `cls` of what is in the field `name`, a sequence: of each, the fields that `cls` has.

    For generated commands, when they are made: of the cookies that a browser gave, `SetCookies` keeps what it takes.
    """
    given: Sequence[Any] = getattr(command, name)
    if any(isinstance(item, Struct) and not isinstance(item, cls) for item in given):
        force_setattr(command, name, tuple(_as(cls, item) for item in given))


def _as(cls: type[Struct], value: Any) -> Any:
    if isinstance(value, cls) or not isinstance(value, Struct):
        return value
    names = set(value.__struct_fields__)
    return cls(**{name: getattr(value, name) for name in cls.__struct_fields__ if name in names})


if TYPE_CHECKING:
    from typing_extensions import deprecated

    Open: TypeAlias = T | UnlistedValue
    """An enum that a newer browser may extend.

    Type checkers see `Literal[...] | UnlistedValue`. At run time it is the closed Literal, so that a value the bindings
    do not know leaves the fast path, is delivered as it came, and is recorded as drift (`cdp_typed.wire.decoding`).
    """

    Accepts: TypeAlias = T | U
    """Values of a parameter: `T`, which is what is sent, or `U`, of which `as_params` makes that."""
else:

    class Accepts:
        def __class_getitem__(cls, items: tuple[Any, Any]) -> Any:
            return items[0]

    class Open:
        def __class_getitem__(cls, item: Any) -> Any:
            return item

    def deprecated(message: str) -> Callable[[T], T]:
        """PEP 702 for type checkers; at run time it only leaves `__deprecated__` behind, and never warns."""

        def mark(cls: T) -> T:
            cls.__deprecated__ = message
            return cls

        return mark
