"""The state of a fleet, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_typed.cli.output import table

if TYPE_CHECKING:
    from supervisor.addons.fleet import FleetStatus, HostStatus, TaskStatus


def status_table(status: FleetStatus) -> str:
    """The counts of a fleet, and a line for each host."""
    counts = (
        f"fleet {status.name}: tasks {status.tasks} of {status.capacity}, waiting {status.waiting}, "
        f"lost {status.lost}, restarts {status.restarts}"
    )
    names = (
        "HOST",
        "STATE",
        "TASKS",
        "CALLS",
        "DEATHS",
        "MEMORY",
        "PAGE",
        "HEARD",
        "NODE",
        "MACHINE",
        "PID",
        "BROWSER",
        "PACKAGE",
    )
    failed = f"\nhosts do not start ({status.failed_starts} failed): {status.start_error}" if status.start_error else ""
    unsaved = "".join(
        f"\ncheckpoints of {host.host_id} are not kept ({host.checkpoint_failures} failed): {host.checkpoint_error}"
        for host in status.hosts
        if host.checkpoint_error
    )
    return table([(counts,)]) + failed + unsaved + "\n\n" + table([names, *map(_host_row, status.hosts)])


def tasks_table(tasks: tuple[TaskStatus, ...]) -> str:
    """A line for each task."""
    names = ("TASK", "STATE", "HOST", "DIALOGS", "CALLS", "IDLE", "DRIVER", "LOST BECAUSE")
    return table([names, *map(_task_row, tasks)])


def _host_row(host: HostStatus) -> tuple[str, ...]:
    facts = host.facts
    known = ("-",) * 5
    if facts is not None:
        known = (facts.node_id, facts.address, str(facts.pid), facts.browser or "of a pool", facts.package)
    report_age = "-" if host.report_age_s is None else f"{host.report_age_s:.1f} s ago"
    sizes = ("-" if size is None else f"{size:,} MiB" for size in (host.browser_mb, host.largest_page_mb))
    counts = (f"{host.tasks} of {host.capacity}", str(host.calls), str(host.browser_deaths), *sizes)
    return (host.host_id, host.state, *counts, report_age, *known)


def _task_row(task: TaskStatus) -> tuple[str, ...]:
    load = task.load
    loads = ("-",) * 3
    if load is not None:
        loads = (str(load.open_dialogs), str(load.calls), f"{load.idle_s:.0f} s")
    return (
        task.task_id,
        task.state,
        task.host_id or "-",
        *loads,
        task.driver or "-",
        task.reason or (load.restarted if load else ""),
    )
