"""The measurements of a fleet as metrics of Ray, which every node offers to Prometheus."""

from __future__ import annotations

from collections import Counter
from typing import Any, get_args

from supervisor.addons.fleet.instruments import Instruments, restart_kind
from supervisor.addons.fleet.values import FleetStatus, HostReport, HostState

from .ray_api import metrics
from .spans import describe_span

BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0]
"""Seconds."""


class RayInstruments(Instruments):
    """The metrics of a host or a directory. In Prometheus their names begin with `ray_cdp_fleet_`."""

    def __init__(self, fleet: str) -> None:
        self._fleet = {"fleet": fleet}
        self._counted: Counter[str] = Counter()
        self._calls = self._made(metrics.Counter, "calls", "Calls that have ended.", "tool", "outcome")
        self._seconds = self._made(
            metrics.Histogram, "call_seconds", "How long calls took.", "tool", boundaries=BOUNDARIES
        )
        self._waits = self._made(
            metrics.Histogram, "wait_seconds", "How long calls waited for a place.", "outcome", boundaries=BOUNDARIES
        )
        self._restarts = self._made(metrics.Counter, "restarts", "Tasks that began anew.", "kind")
        self._failed_starts = self._made(metrics.Counter, "failed_starts", "Hosts that ended before they served.")
        about = {
            "browser_deaths": "Browsers that died.",
            "checkpoint_failures": "Checkpoints that were not kept.",
            "pages_ended": "Pages that took too much memory.",
        }
        self._counters = {name: self._made(metrics.Counter, name, text, "host") for name, text in about.items()}
        self._tasks = self._made(metrics.Gauge, "tasks", "Tasks of a host.", "host")
        self._dialogs = self._made(metrics.Gauge, "open_dialogs", "Dialogs that wait for an answer.", "host")
        self._checkpoint_age = self._made(
            metrics.Gauge, "checkpoint_age_seconds", "Age of the oldest checkpoint of a running task.", "host"
        )
        self._memory = self._made(metrics.Gauge, "browser_memory_mib", "Memory of a host's browser.", "host")
        self._page = self._made(metrics.Gauge, "largest_page_mib", "Memory of a host's largest page.", "host")
        self._hosts = self._made(metrics.Gauge, "hosts", "Hosts by state.", "state")
        self._waiting = self._made(metrics.Gauge, "waiting_tasks", "Tasks that wait for a place.")

    def note_call(self, tool: str, outcome: str, seconds: float) -> None:
        """See `Instruments`."""
        self._calls.inc(1, {"tool": tool, "outcome": outcome})
        self._seconds.observe(seconds, {"tool": tool})
        describe_span(f"host {tool}", outcome=outcome)

    def note_wait(self, seconds: float, outcome: str) -> None:
        """See `Instruments`."""
        self._waits.observe(seconds, {"outcome": outcome})
        describe_span(outcome=outcome)

    def note_restart(self, reason: str) -> None:
        """See `Instruments`."""
        self._restarts.inc(1, {"kind": restart_kind(reason)})

    def note_failed_start(self) -> None:
        """See `Instruments`."""
        self._failed_starts.inc(1)

    def show_host(self, report: HostReport) -> None:
        """See `Instruments`."""
        host = {"host": report.host_id}
        self._tasks.set(len(report.tasks), host)
        self._dialogs.set(sum(task.open_dialogs for task in report.tasks), host)
        ages = [task.checkpoint_age_s for task in report.tasks if task.checkpoint_age_s is not None]
        self._checkpoint_age.set(max(ages, default=0.0), host)
        self._memory.set(report.browser_mb or 0, host)
        self._page.set(report.largest_page_mb or 0, host)
        for name, counter in self._counters.items():
            new, self._counted[name] = getattr(report, name) - self._counted[name], getattr(report, name)
            if new:
                counter.inc(new, host)

    def show_fleet(self, status: FleetStatus) -> None:
        """See `Instruments`."""
        for state in get_args(HostState):
            self._hosts.set(sum(host.state == state for host in status.hosts), {"state": state})
        self._waiting.set(status.waiting)

    def _made(self, kind: Any, name: str, about: str, *tags: str, **options: Any) -> Any:
        metric = kind(f"cdp_fleet_{name}", about, tag_keys=("fleet", *tags), **options)
        metric.set_default_tags(self._fleet)
        return metric
