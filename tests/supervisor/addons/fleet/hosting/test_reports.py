"""How often a host tells the directory of itself: a hundred of them must not keep it busy."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from supervisor import Config
from supervisor.addons.fleet import HostFacts, HostReport, Hosts
from supervisor.addons.fleet.hosting.recording_files import RecordingFiles
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.placement.links import DirectoryLink
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.filled import filled
from tests.support.fleet.local_store import LocalStore, begun_store


class Listening(DirectoryLink):
    """A directory that notes what it is told."""

    def __init__(self) -> None:
        self._store = begun_store()
        self.reports: asyncio.Queue[tuple[float, HostReport]] = asyncio.Queue()

    @property
    def store(self) -> LocalStore:
        return self._store

    async def receive_report(self, report: HostReport) -> tuple[str, ...]:
        self.reports.put_nowait((time.monotonic(), report))
        return ()

    async def forget(self, placement: Placement, reason: str) -> None:
        raise AssertionError

    async def keep(self, placement: Placement, checkpoint: bytes) -> str:
        raise AssertionError


def plan() -> Plan:
    return Plan(name="quiet", config=Config(cdp_url="ws://host.invalid"))


async def test_a_host_tells_seldom_when_nothing_has_changed_and_of_a_new_task_before_that() -> None:
    directory = Listening()
    host = Host("h1", plan(), directory, filled(HostFacts))
    await host.begin()
    first_at, first = await directory.reports.get()
    second_at, _ = await directory.reports.get()

    await host.accept(Placement("t1", "h1", 1), "", None)
    third_at, third = await directory.reports.get()
    await host.stop()

    assert second_at - first_at >= 1.9
    assert third_at - second_at < second_at - first_at
    assert [len(report.tasks) for report in (first, third)] == [0, 1]


async def test_a_host_that_cannot_trim_its_recordings_still_reports(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def trim(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(RecordingFiles, "trim", trim)
    directory = Listening()
    host = Host("h1", replace(plan(), hosts=Hosts(recordings=str(tmp_path))), directory, filled(HostFacts))
    await host.begin()

    for _ in range(2):
        await asyncio.wait_for(directory.reports.get(), 20)
    await host.stop()
