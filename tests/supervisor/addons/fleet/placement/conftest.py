"""Every async test of this folder is played in virtual time."""

from __future__ import annotations

from tests.supervisor.addons.fleet.placement.virtual_time import VirtualLoop


def pytest_asyncio_loop_factories() -> dict[str, type[VirtualLoop]]:
    return {"virtual": VirtualLoop}
