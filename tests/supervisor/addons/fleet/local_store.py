"""A control store and the memory for checkpoints in this process, for fleets without Ray."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from supervisor.addons.fleet.placement.control_store import ControlStore


class LocalMemory(Struct, frozen=True):
    def put(self, data: bytes) -> bytes:
        return data

    async def get(self, kept: bytes) -> bytes:
        return kept


class LocalStore(ControlStore):
    def __init__(self, values: dict[str, bytes] | None = None) -> None:
        self.values: dict[str, bytes] = {} if values is None else values

    async def put(self, key: str, value: bytes) -> None:
        self.values[key] = value

    async def claim(self, key: str, value: bytes) -> bytes | None:
        return self.values.setdefault(key, value)

    async def get(self, keys: Collection[str]) -> dict[str, bytes]:
        return {key: self.values[key] for key in keys if key in self.values}

    async def find(self, prefix: str) -> dict[str, bytes]:
        return {key: value for key, value in self.values.items() if key.startswith(prefix)}

    async def remove(self, key: str) -> None:
        self.values.pop(key, None)

    async def clear(self) -> None:
        self.values.clear()


def begun_store() -> LocalStore:
    """A store in which a directory has begun that gives places with small numbers."""
    return LocalStore({"epoch/0": b""})
