"""How often a host tells the directory of itself: a hundred of them must not keep it busy."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from supervisor import Config
from supervisor.addons.fleet import HostFacts, HostReport, Hosts, TaskLoad
from supervisor.addons.fleet.hosting import report_times, task_host
from supervisor.addons.fleet.hosting.recording_files import RecordingFiles
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.instruments import Instruments
from supervisor.addons.fleet.settings import Plan
from tests.supervisor.addons.fleet.filled import filled
from tests.supervisor.addons.fleet.hosting.test_task_host import PLACE, Listening

PLAN = Plan(name="quiet", config=Config(cdp_url="ws://host.invalid"))


class Looks(Instruments):
    """Counts how often the host has looked whether a report is due."""

    def __init__(self) -> None:
        self.looks: asyncio.Queue[None] = asyncio.Queue()

    def show_host(self, report: HostReport) -> None:
        self.looks.put_nowait(None)


async def test_a_host_reports_a_new_task_at_once_and_nothing_while_nothing_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(task_host, "TICK_S", 0.01)
    monkeypatch.setattr(report_times, "QUIET_S", 3600.0)
    directory, looks = Listening(), Looks()
    host = Host("h1", PLAN, directory, filled(HostFacts), looks)
    await host.begin()
    first = await directory.reports.get()

    await host.accept(PLACE, "", None)
    second = await directory.reports.get()
    for _ in range(20 + looks.looks.qsize()):
        await looks.looks.get()
    await host.stop()

    assert [len(report.tasks) for report in (first, second)] == [0, 1]
    assert directory.reports.empty()


def report_of(**changes: Any) -> HostReport:
    loads = (TaskLoad(task_id="t1", number=1, calls=0, open_dialogs=0, idle_s=1.0, checkpoint_age_s=2.0),)
    given = {"tasks": loads, "calls": 0, "restarts": 0, "browser_deaths": 0, "drivers": (), "clock": 1.0}
    return filled(HostReport, **{**given, **changes})


OLDER = TaskLoad(task_id="t1", number=1, calls=0, open_dialogs=0, idle_s=9.0, checkpoint_age_s=10.0)


@pytest.mark.parametrize(
    ("changes", "after_s"),
    [
        ({}, 20),
        ({"clock": 9.0, "tasks": (OLDER,)}, 20),
        ({"calls": 1}, 2),
        ({"drivers": ("d1",)}, 2),
        ({"checkpoint_error": "disk full"}, 2),
        ({"tasks": (replace(OLDER, open_dialogs=1),)}, 2),
        ({"tasks": (replace(OLDER, number=2),)}, 0),
        ({"tasks": ()}, 0),
        ({"browser_deaths": 1}, 0),
        ({"restarts": 1}, 0),
    ],
)
def test_the_sooner_a_change_matters_the_sooner_it_is_reported(
    changes: dict[str, Any], after_s: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Mock(monotonic=Mock(return_value=100.0))
    monkeypatch.setattr(report_times, "time", clock)
    times = report_times.ReportTimes()
    assert times.is_due(report_of())
    times.note(report_of())

    if changes.get("drivers"):
        times.note(report_of(**changes))  # they still wait
    due: list[bool] = []
    for passed_s in (0, 1.9, 2, 19.9, 20):
        clock.monotonic.return_value = 100.0 + passed_s
        due.append(times.is_due(report_of(**changes)))

    assert due == [passed_s >= after_s for passed_s in (0, 1.9, 2, 19.9, 20)]


async def test_a_host_that_cannot_trim_its_recordings_still_reports(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def trim(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(RecordingFiles, "trim", trim)
    monkeypatch.setattr(report_times, "QUIET_S", 0.1)
    directory = Listening()
    host = Host("h1", replace(PLAN, hosts=Hosts(recordings=str(tmp_path))), directory, filled(HostFacts))
    await host.begin()

    for _ in range(2):
        await asyncio.wait_for(directory.reports.get(), 20)
    await host.stop()
