"""The settings of a fleet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct

from cdp_typed import __version__
from supervisor.config import Config
from supervisor.core.vocabulary.known_names import KnownNames
from supervisor.core.vocabulary.setting_values import Count, Seconds, check
from supervisor.tools import Catalogue, Policy
from supervisor.tools.framework.base_toolbox import TIMEOUT_S

Positive = Annotated[int, Meta(ge=1)]

TASKS_PER_HOST = 20
"""Measured by `python -m benchmarks fleet`: a host with an empty browser takes 300 MiB, and each task 19 MiB more. From
20 on, a task's share of the former is less than its own page, and more tasks would only be lost at once."""


def _check(settings: Hosts | Limits) -> None:
    """Raise `InvalidConfig` for a value that is not allowed."""
    for name, kind in get_type_hints(type(settings), include_extras=True).items():
        if name in settings.__struct_fields__:
            check(name, getattr(settings, name), kind)


class Hosts(Struct, frozen=True, kw_only=True, metaclass=KnownNames):
    """How many hosts there are, what each of them takes, and what it asks of the cluster. A host is one process with
    one browser."""

    least: Count = 1
    """Hosts that start with the fleet, and stay when idle."""
    most: Positive | None = None
    """Most hosts; None: as many as the cluster has room for."""
    tasks: Positive = TASKS_PER_HOST
    """Most tasks of one host. With 1, a task has a browser to itself, and the `scope` of the settings holds."""
    warm: Count = 0
    """Places that are kept free: hosts start before tasks need them, as far as `most` allows."""
    idle_s: Seconds = 120.0
    """Seconds after which an idle host above `least` and `warm` ends."""
    start_timeout_s: Seconds = 60.0
    """Seconds that a browser has to start, and also the supervisor of a task."""
    hang_s: Seconds = 30.0
    """Seconds without any answer after which a browser that a host started is killed, and counts as dead."""
    page_mb: Positive | None = None
    """Most MiB of memory that a page takes of its own, in a browser that a host started on Linux. A page with more is
    ended within some seconds: it counts as crashed, and its calls fail with `TargetCrashed`. None: no limit."""
    resources: Mapping[str, float] = msgspec.field(default_factory=lambda: {"browser": 1.0})
    """Resources that Ray reserves for a host; the nodes offer them (`ray start --resources='{"browser": 4}'`)."""
    memory: Positive | None = None
    """Bytes that Ray sets aside for a host."""
    executable: str | None = None
    """The browser that hosts start; None: the one that `cdp_typed.launch` finds."""
    args: tuple[str, ...] = ()
    """Further flags for it."""
    headless: bool = True
    recordings: str | None = None
    """A directory on the machines of the hosts: every task is recorded there (`Config.record_to`)."""
    recordings_mb: Positive = 1024
    """Most megabytes of recordings on a machine. Beyond it the oldest ones of ended tasks are removed."""

    def __post_init__(self) -> None:
        _check(self)


class Limits(Struct, frozen=True, kw_only=True, metaclass=KnownNames):
    """How long tasks live and wait, and how much each may do at once."""

    ttl_s: Seconds = 600.0
    """Seconds without a call after which a task ends, with its pages and cookies."""
    longest_s: Seconds | None = None
    """Seconds after which a task ends at its place, also during calls. Its next call begins anew. None: no limit."""
    queue_s: Seconds = 60.0
    """Seconds that the first call of a task waits for a host; then it fails with `NotPlaced`."""
    calls_per_task: Positive = 8
    """Most concurrent calls of one task."""
    tasks_per_driver: Positive | None = None
    """Most tasks of one program (a `Fleet` object) that have a place at the same time. None: any number."""
    drain_s: Seconds = 60.0
    """Seconds that the tasks of a drained host may go on; then they restart on another host."""
    fence_s: Annotated[float, Meta(ge=5)] = 10.0
    """Seconds without the cluster's control store (GCS) after which a host ends its tasks, and the directory decides
    nothing. The tasks of a host whose end is not certain get other places only after that."""
    checkpoint_s: Seconds | None = None
    """Seconds between two checkpoints of a task's cookies and storage, which are restored when the task moves to
    another host. None: no checkpoints."""
    checkpoints: str | None = None
    """A directory that all nodes share, for checkpoints; None: they are kept in the cluster's memory. Fleets may share
    it."""
    checkpoints_expire_s: Seconds = 86_400.0
    """Seconds after which a checkpoint is not restored any more, and its file is removed."""
    remove_checkpoints: bool = False
    """`stop()` removes all checkpoints of the fleet; else files stay until they expire."""

    def __post_init__(self) -> None:
        _check(self)


class Plan(Struct, frozen=True, kw_only=True):
    """All settings of a fleet, for its hosts and its directory."""

    name: str
    config: Config | None = None
    """None: each host launches a browser."""
    settings: Mapping[str, Any] = {}
    """Those of `Config` besides the address, for browsers that hosts start."""
    hosts: Hosts = Hosts()
    limits: Limits = Limits()
    policy: Policy = Policy()
    catalogue: Catalogue | None = None
    """None: the one of the package, with plugins; so each machine reads its own."""
    tools: Sequence[str] = ()
    timeout_s: float = TIMEOUT_S
    is_own: bool = False
    """The fleet has no name that others know, and ends with its only driver."""
    package: str = __version__
    """The version of cdp-typed of the driver that started it."""

    @property
    def task_settings(self) -> Mapping[str, Any]:
        """Return `settings`, with `record_to` if hosts record their tasks: other settings need it. Each task gets a
        separate file there."""
        recordings = self.hosts.recordings
        return self.settings if recordings is None else {"record_to": recordings, **self.settings}


def differences(given: Plan, running: Plan) -> list[str]:
    """Return what a driver asked for that a running fleet does not do, by name, without any value."""
    default = Plan(name=given.name)
    pairs: list[tuple[str, Any, Any, Any]] = [
        ("hosts.", given.hosts, running.hosts, default.hosts),
        ("limits.", given.limits, running.limits, default.limits),
        ("policy.", given.policy, running.policy, default.policy),
    ]
    if given.config is not None and running.config is not None:
        pairs.append(("", given.config, running.config, Config(cdp_url=given.config.cdp_url)))
    found: list[str] = []
    for part, asked, there, usual in pairs:
        for name in asked.__struct_fields__:
            value = getattr(asked, name)
            if not callable(value) and value not in (getattr(there, name), getattr(usual, name)):
                found.append(f"{part}{name}")
    if (given.config is None) != (running.config is None):
        found.append("cdp_url")
    found += [name for name, value in given.settings.items() if running.settings.get(name, UNSET) != value]
    return found + [f"tool {name}" for name in given.tools if name not in running.tools]
