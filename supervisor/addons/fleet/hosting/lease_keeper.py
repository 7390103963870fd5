"""Keeps the lease of a host, without which it serves no task."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable

from supervisor.addons.fleet.errors import CutOff, HostLost
from supervisor.addons.fleet.placement.control_store import ControlStore
from supervisor.addons.fleet.placement.leases import RENEWALS, HostLease

_log = logging.getLogger("supervisor.fleet")

CUT_OFF = "its host was cut off from the cluster"
LOOK_S = 0.25


class LeaseKeeper:
    """Renews the lease of a host, and says when it is over. Used on one event loop."""

    def __init__(self, store: ControlStore, host_id: str, fence_s: float) -> None:
        self.lease: HostLease = HostLease(store, host_id, fence_s)
        self._every_s = fence_s / RENEWALS
        self._renewing: asyncio.Task[None] | None = None

    def check(self, *, maybe_executed: bool) -> None:
        """Raise `HostLost` unless the host may serve at this moment."""
        if not self.lease.holds:
            raise HostLost(CUT_OFF, maybe_executed=maybe_executed)

    async def run(self, is_over: Callable[[], None]) -> None:
        """Renew the lease until a directory has given the host up. Call `is_over` while the lease is over."""
        began = -math.inf
        try:
            while not self.lease.is_given_up:
                if time.monotonic() - began >= self._every_s and (self._renewing is None or self._renewing.done()):
                    began = time.monotonic()
                    self._renewing = asyncio.create_task(self._renew())
                if not self.lease.holds:
                    is_over()
                await asyncio.sleep(LOOK_S)
            is_over()
        finally:
            if self._renewing is not None:
                self._renewing.cancel()

    async def _renew(self) -> None:
        try:
            await self.lease.renew()
        except CutOff as error:
            if self.lease.holds:
                _log.warning("%s", error)
