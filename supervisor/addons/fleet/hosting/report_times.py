"""When a host reports to its directory: what it decides by at once, other changes soon, and no change seldom."""

from __future__ import annotations

import time

from msgspec.structs import replace

from supervisor.addons.fleet.values import HostReport

TELL_S = 2.0
"""Least seconds between two reports of what does not affect the directory's decisions. While calls are under way, the
host also asks that often whether their drivers are gone."""
QUIET_S = 20.0
"""Seconds between two reports while nothing changes: reports are what fills the directory of a large fleet."""


class ReportTimes:
    """What the directory knows of a host, and since when."""

    def __init__(self) -> None:
        self._told: HostReport | None = None
        self._told_at: float = time.monotonic()

    def is_due(self, report: HostReport) -> bool:
        """Whether the directory should have this report now."""
        told = self._told
        if told is None or _decided_by(told) != _decided_by(report):
            return True
        is_quiet = _still(told) == _still(report) and not report.drivers
        return time.monotonic() - self._told_at >= (QUIET_S if is_quiet else TELL_S)

    def note(self, report: HostReport) -> None:
        """Record that the directory has this report."""
        self._told, self._told_at = report, time.monotonic()


def _decided_by(report: HostReport) -> tuple[object, ...]:
    """The part of a report that affects the directory's decisions."""
    return (report.browser_deaths, report.restarts, *((load.task_id, load.number) for load in report.tasks))


def _still(report: HostReport) -> HostReport:
    """A report without what changes by itself: the directory adds the time that has passed."""
    loads = tuple(replace(load, idle_s=0.0, checkpoint_age_s=None) for load in report.tasks)
    return replace(report, tasks=loads, clock=0.0, browser_mb=None, largest_page_mb=None)
