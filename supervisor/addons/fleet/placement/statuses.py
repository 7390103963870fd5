"""The status of hosts and tasks, as the directory reports it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import FleetStatus, HostReport, HostStatus, TaskLoad, TaskStatus

from .ledger import Counts
from .placements import HostEntry, Placements
from .waiting import WaitingTask

REPORTED = set(HostStatus.__struct_fields__) & set(HostReport.__struct_fields__) - {"host_id", "tasks", "clock"}
"""The fields of a report that the status of its host repeats unchanged."""


def fleet_status(plan: Plan, known: Placements, waiting: int, counts: Counts, start_error: str) -> FleetStatus:
    """Return the status of a fleet. The restarts of `counts` are those that the reports of its hosts do not have."""
    entries = known.hosts.values()
    moved = sum(entry.report.restarts for entry in entries if entry.report is not None)
    return FleetStatus(
        name=plan.name,
        hosts=tuple(_host_status(entry, plan.hosts.tasks, time.monotonic()) for entry in entries),
        tasks=len(known),
        waiting=waiting,
        lost=len(known.lost),
        capacity=known.capacity,
        restarts=counts.restarts + moved,
        failed_starts=counts.failed_starts,
        start_error=start_error,
        most=plan.hosts.most,
    )


def why_no_room(plan: Plan, known: Placements, driver: str, lacking: str, start_error: str) -> str:
    """Return why no place becomes free for a task of this driver, if that is known; `lacking` is what the cluster
    says."""
    most = plan.limits.tasks_per_driver
    if most is not None and known.counts_of_drivers()[driver] >= most:
        return f"this program has {most} tasks, as many as Limits(tasks_per_driver={most}) allows"
    if lacking or start_error:
        return lacking or f"hosts do not start: {start_error}"
    starting = sum(entry.state == "starting" for entry in known.hosts.values())
    return f"hosts that have not started yet: {starting}" if starting else ""


def _host_status(entry: HostEntry, capacity: int, now: float) -> HostStatus:
    """Return the status of a host from its last report."""
    report = entry.report
    report_age_s = now - entry.reported_at if entry.reported_at is not None else None
    reported = {name: getattr(report, name) for name in REPORTED} if report is not None else {}
    return HostStatus(
        host_id=entry.host_id,
        state=entry.state,
        tasks=len(entry.tasks),
        capacity=capacity,
        report_age_s=report_age_s,
        clock=report.clock + report_age_s if report is not None and report_age_s is not None else None,
        **reported,
    )


def _aged(entry: HostEntry, now: float) -> Iterator[TaskLoad]:
    """The tasks of a host's last report, with the time since then: a host reports only changes, and now and then."""
    if entry.report is None or entry.reported_at is None:
        return
    passed_s = now - entry.reported_at
    for load in entry.report.tasks:
        checkpoint_age_s = load.checkpoint_age_s + passed_s if load.checkpoint_age_s is not None else None
        yield replace(load, idle_s=0.0 if load.calls else load.idle_s + passed_s, checkpoint_age_s=checkpoint_age_s)


def task_statuses(known: Placements, waiting: Iterable[WaitingTask]) -> tuple[TaskStatus, ...]:
    """Return every task that has a place, waits for one, or has lost it."""
    now = time.monotonic()
    loads = {load.task_id: load for entry in known.hosts.values() for load in _aged(entry, now)}
    rows = {
        task_id: TaskStatus(task_id=task_id, state="lost", driver=lost.driver, reason=lost.reason)
        for task_id, lost in known.lost.items()
    }
    for wanted in waiting:
        rows[wanted.task_id] = TaskStatus(task_id=wanted.task_id, state="waiting", driver=wanted.driver)
    for place in known:
        rows[place.task_id] = TaskStatus(
            task_id=place.task_id,
            state="placed",
            host_id=place.host_id,
            driver=known.drivers.get(place.task_id),
            load=loads.get(place.task_id),
        )
    return tuple(rows.values())
