"""The processes besides the browser's own that hold what its pages store, without which sessions are lost."""

from __future__ import annotations

from collections.abc import Mapping

from cdp_typed.errors import CommandError
from cdp_typed.protocol import system_info
from supervisor.aio import AsyncSupervisor
from supervisor.driver.driver import Driver

LOOK_S = 5.0
"""Seconds that a browser has to name its processes."""
_KINDS = {
    "network.mojom.NetworkService": "its network service ended, which held all cookies",
    "storage.mojom.StorageService": "its storage service ended, which held localStorage and IndexedDB",
}


def services_in(found: system_info.GetProcessInfoResult) -> dict[str, int]:
    """Return the ids of these processes by kind, of those that the browser has outside its own process."""
    return {process.type: process.id for process in found.process_info if process.type in _KINDS}


def what_ended(before: Mapping[str, int], now: Mapping[str, int]) -> str:
    """Return which of the processes has ended, also if another one has replaced it; else an empty text."""
    return next((_KINDS[kind] for kind, process_id in before.items() if now.get(kind) != process_id), "")


async def services_of(supervisor: AsyncSupervisor) -> dict[str, int]:
    """Ask the browser of a supervisor (`SystemInfo.getProcessInfo`). Empty if it does not tell."""

    async def ask(driver: Driver) -> dict[str, int]:
        try:
            return services_in(await driver.send_unrecorded(system_info.GetProcessInfo(), None, LOOK_S))
        except CommandError:
            return {}

    return await supervisor.with_driver(ask)
