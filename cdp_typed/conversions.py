"""Reads values as types, also where several threads do it at once.

msgspec (0.22) stores what it finds out about a class on the class itself, before that is complete. If a second thread
reads a value of the class at this moment, it uses the incomplete part, and the process ends with a segmentation fault.
So the first decoder of each type is made under a lock, and no value of the type is read before.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")

_LOCK = threading.RLock()

if hasattr(os, "register_at_fork"):  # a child that is forked meanwhile would wait for ever
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)


@lru_cache(maxsize=4096)
def _kept(kind: Any) -> msgspec.json.Decoder[Any]:
    with _LOCK:
        return msgspec.json.Decoder(kind)


def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    try:
        return _kept(kind)
    except TypeError:  # it has no hash, or is no type
        return _kept.__wrapped__(kind)


def decoder_of(kind: type[T]) -> msgspec.json.Decoder[T]:
    """A `msgspec.json.Decoder`. Raises `TypeError` for a type that msgspec cannot read, as those below do."""
    return _decoder(kind)


@overload
def decode(text: bytes | str | msgspec.Raw, type: type[T]) -> T: ...
@overload
def decode(text: bytes | str | msgspec.Raw, type: Any = Any) -> Any: ...
def decode(text: bytes | str | msgspec.Raw, type: Any = Any) -> Any:
    """Do as `msgspec.json.decode`."""
    return _decoder(type).decode(text)


@overload
def convert(value: Any, type: type[T], *, strict: bool = True) -> T: ...
@overload
def convert(value: Any, type: Any, *, strict: bool = True) -> Any: ...
def convert(value: Any, type: Any, *, strict: bool = True) -> Any:
    """Do as `msgspec.convert`."""
    _decoder(type)
    return msgspec.convert(value, type, strict=strict)
