"""The values of a fleet in Ray's control store (GCS).

Ray has no public interface that is not answered from a cache: `ray.get_actor` answers for an actor that it has found
before. `ray.experimental.internal_kv` is the nearest to one. Its functions block without a deadline, so the
client that it hands out is used. With Ray 2.60 each of these calls goes to the GCS: with a GCS that was
stopped, or a machine that was cut off, it fails at its deadline. Values stay as long as the GCS: a GCS that starts
again without Redis has none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

from ray.exceptions import RayError
from ray.experimental import internal_kv

from supervisor.addons.fleet.errors import CutOff
from supervisor.addons.fleet.file_names import plain_name

from .actor_names import NAMESPACE

ANSWER_S = 3.0
"""Seconds that the GCS has to answer."""
KEYS_S = 30.0
"""The same for the names of all values."""
PAGE = 5_000
"""Most values of one request: 100,000 at once take longer than `ANSWER_S`."""
_SPACE = NAMESPACE.encode()

_internal_kv: Any = internal_kv


class GcsStore:
    """Values of one fleet (`ControlStore`)."""

    def __init__(self, fleet: str) -> None:
        self._fleet = fleet
        self._prefix = f"{plain_name(fleet)}/"

    async def put(self, key: str, value: bytes) -> None:
        """See `ControlStore`."""
        await self._asked("put", self._key(key), value, True)

    async def claim(self, key: str, value: bytes) -> bytes | None:
        """See `ControlStore`."""
        await self._asked("put", self._key(key), value, False)
        found: bytes | None = await self._asked("get", self._key(key))
        return found

    async def get(self, keys: Collection[str]) -> dict[str, bytes]:
        """See `ControlStore`."""
        found: dict[bytes, bytes] = await self._asked("multi_get", [self._key(key) for key in keys]) if keys else {}
        return {self._plain(key): value for key, value in found.items()}

    async def find(self, prefix: str) -> dict[str, bytes]:
        """See `ControlStore`."""
        keys = [self._plain(key) for key in await self._asked("keys", self._key(prefix), answer_s=KEYS_S)]
        found: dict[str, bytes] = {}
        for start in range(0, len(keys), PAGE):
            found |= await self.get(keys[start : start + PAGE])
        return found

    async def remove(self, key: str) -> None:
        """See `ControlStore`."""
        await self._asked("del", self._key(key), False)

    async def clear(self) -> None:
        """See `ControlStore`."""
        await self._asked("del", self._key(""), True)

    def _key(self, key: str) -> bytes:
        return (self._prefix + key).encode("utf-8", "surrogatepass")

    def _plain(self, key: bytes) -> str:
        return key.decode("utf-8", "surrogatepass").removeprefix(self._prefix)

    async def _asked(self, method: str, *args: object, answer_s: float = ANSWER_S) -> Any:
        client = _internal_kv.internal_kv_get_gcs_client()
        try:
            async with asyncio.timeout(answer_s + 1):
                return await getattr(client, f"async_internal_kv_{method}")(*args, namespace=_SPACE, timeout=answer_s)
        except (RayError, TimeoutError):
            raise CutOff(self._fleet) from None
