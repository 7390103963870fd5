"""Small values that all machines of a cluster share, which outlive the processes of a fleet."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol


class ControlStore(Protocol):
    """The cluster's store of small values, under keys of one fleet. No answer comes from a cache.

    Each method raises `CutOff` when the store does not answer in time. What was to be written may still be written
    then, even later.
    """

    async def put(self, key: str, value: bytes) -> None:
        """Store a value in place of the one before."""
        ...

    async def claim(self, key: str, value: bytes) -> bytes | None:
        """Store a value unless the key has one. Return the value that the key has now."""
        ...

    async def get(self, keys: Collection[str]) -> dict[str, bytes]:
        """Return the values of those keys that have one."""
        ...

    async def find(self, prefix: str) -> dict[str, bytes]:
        """Return all values whose keys begin with the prefix, however many there are: by pages, each in time."""
        ...

    async def remove(self, key: str) -> None:
        """Remove a value, if it exists."""
        ...

    async def clear(self) -> None:
        """Remove all values of the fleet."""
        ...
