"""The leases of hosts and of the directory. Without one neither serves, so a task is served in one place at most.

A directory claims an epoch, a number that grows, before it does anything. It renews its lease by reading that no later
epoch was claimed. A host renews its lease by writing a new count, and then reading that no directory gave it up. A
directory that gives a host up writes that first. Then it waits until a lease that the host may have renewed before is
over, and only then places the host's tasks elsewhere. A lease begins when its renewal was asked for, not when the
answer came. Clocks of different machines are never compared.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import sys
import time
from collections.abc import Collection

from supervisor.addons.fleet.errors import CutOff

from .control_store import ControlStore

RENEWALS = 5
"""So many renewals begin while a lease holds."""
LOOK_S = 0.1


def now() -> float:
    """Seconds that only grow, also while the machine sleeps (on Linux)."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()  # pragma: no cover - the tests run on Linux


class HostLease:
    """A host's right to serve tasks."""

    def __init__(self, store: ControlStore, host_id: str, fence_s: float) -> None:
        self.is_given_up: bool = False
        """A directory has given the host up: it may never serve again."""
        self.epoch: int = 0
        """The latest epoch that the host knows."""
        self._store = store
        self._host_id = host_id
        self._fence_s = fence_s
        self._count = 0
        self._until = -math.inf

    @property
    def holds(self) -> bool:
        """Whether the host may serve at this moment."""
        return now() < self._until

    async def renew(self) -> None:
        """Renew the lease, unless the host was given up or the store has lost the fleet's values. Raises `CutOff`."""
        began = now()
        self._count += 1
        await self._store.put(_lease(self._host_id), str(self._count).encode())
        present, following = _epoch(self.epoch), _epoch(self.epoch + 1)
        found = await self._store.get((_ended(self._host_id), present, following))
        while following in found:
            self.epoch += 1
            present, following = following, _epoch(self.epoch + 1)
            found |= await self._store.get((following,))
        if _ended(self._host_id) in found:
            self.is_given_up = True
            self._until = -math.inf
        elif present in found:
            self._until = began + self._fence_s


class DirectoryLease:
    """A directory's right to decide, and what it knows of the leases of hosts."""

    def __init__(self, store: ControlStore, fleet: str, fence_s: float) -> None:
        self.epoch: int = 0
        """The epoch that this directory has claimed; 0 before that."""
        self.is_deposed: bool = False
        """Another directory has claimed a later epoch, or the store has lost the fleet's values."""
        self._store = store
        self._fleet = fleet
        self._fence_s = fence_s
        self._token = secrets.token_hex(8).encode()
        self._until = -math.inf
        self._seen: dict[str, tuple[bytes | None, float]] = {}
        """By host: the last value of its lease, and when that was first seen."""

    @property
    def holds(self) -> bool:
        """Whether the directory may decide at this moment."""
        return now() < self._until and not self.is_deposed

    async def wait_held(self) -> None:
        """Wait until the directory may decide."""
        while not self.holds:  # noqa: ASYNC110 - no event
            await asyncio.sleep(LOOK_S)

    def check(self) -> None:
        """Raise `CutOff` unless the directory may decide at this moment."""
        if not self.holds:
            raise CutOff(self._fleet)

    async def claim(self) -> None:
        """Claim the first epoch that nobody has. Raises `CutOff`; may be called again then."""
        began = now()
        epoch = max(self.epoch, 1)
        while await self._store.claim(_epoch(epoch), self._token) != self._token:
            epoch += 1
        self.epoch, self._until = epoch, began + self._fence_s

    async def renew(self, hosts: Collection[str] = ()) -> None:
        """Renew the lease, and look at the leases of these hosts. Raises `CutOff`."""
        began = now()
        present, following = _epoch(self.epoch), _epoch(self.epoch + 1)
        found = await self._store.get((present, following, *map(_lease, hosts)))
        if found.get(present) != self._token or following in found:
            self.is_deposed = True
            return
        self._until = max(self._until, began + self._fence_s)
        seen_at = now()
        for host_id in hosts:
            value = found.get(_lease(host_id))
            if host_id not in self._seen or self._seen[host_id][0] != value:
                self._seen[host_id] = (value, seen_at)

    async def give_up(self, host_id: str) -> None:
        """Give a host up for good, and wait until its lease is certainly over. Raises `CutOff`; may be called again
        then."""
        await self._store.put(_ended(host_id), b"")
        await self.renew((host_id,))
        value, since = self._seen.get(host_id, (b"", now()))
        if value is not None:  # else it never had a lease
            await asyncio.sleep(since + self._fence_s - now())

    async def forget(self, host_id: str) -> None:
        """Forget the lease of a host that has ended. Raises `CutOff`."""
        self._seen.pop(host_id, None)
        await self._store.remove(_lease(host_id))


def _epoch(number: int) -> str:
    return f"epoch/{number}"


def _lease(host_id: str) -> str:
    return f"lease/{host_id}"


def _ended(host_id: str) -> str:
    return f"ended/{host_id}"
