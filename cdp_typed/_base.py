"""Base classes and typing tools of the generated bindings.

A command is a frozen value whose type knows its result; an event is a frozen value.
This module knows nothing of any domain: every module of `cdp_typed.protocol` imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from msgspec import Struct

__all__ = ["Base64", "Command", "Event", "Open", "ResultClass", "deprecated"]

R_co = TypeVar("R_co", covariant=True)
T = TypeVar("T")

Base64: TypeAlias = str
"""Bytes as base64 text: CDP has no other way to carry them. `base64.b64decode` gives the bytes."""


ResultClass: TypeAlias = type[T]
"""A class of results. A generated command cannot say `type[...]`: it may have a parameter of that name."""


class Command(Struct, Generic[R_co], frozen=True, kw_only=True):
    """A CDP method call as a value: the fields are its parameters, `R_co` is what it returns.

    A parameter left at `msgspec.UNSET` is not sent; `None`, `False` and `0` that are given are sent.
    """

    METHOD: ClassVar[str]
    """The wire name, for example `Page.navigate`."""
    RESULT: ClassVar[type[Struct] | None]
    """The class of the result, or `None` for a method that returns nothing."""


class Event(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A CDP event as a value: the fields are its parameters. An optional one that is absent is `None`."""

    METHOD: ClassVar[str]
    """The wire name, for example `Page.loadEventFired`."""


if TYPE_CHECKING:
    from typing_extensions import deprecated

    Open: TypeAlias = T | str
    """An enum that a newer browser may extend.

    Type checkers see `Literal[...] | str`. At run time it is the closed Literal, so that a value the bindings
    do not know leaves the fast path, is delivered as it came, and is recorded as drift (`cdp_typed.wire.decoding`).
    """
else:

    class Open:
        def __class_getitem__(cls, item: Any) -> Any:
            return item

    def deprecated(message: str) -> Callable[[T], T]:
        """PEP 702 for type checkers; at run time it only leaves `__deprecated__` behind, and never warns."""

        def mark(cls: T) -> T:
            cls.__deprecated__ = message
            return cls

        return mark
