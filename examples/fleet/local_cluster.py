"""A Ray cluster of several nodes on this machine, to see what happens when one of them is lost."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from ray._private import worker as ray_worker
from ray.cluster_utils import Cluster

from supervisor.addons.fleet.on_ray.ray_api import ray

BROWSERS = 4.0
"""The amount of the resource `browser` of a node."""
OBJECT_STORE = 80 * 1024 * 1024
ENDING_S = 10.0
_VARIABLES = {"RAY_DISABLE_IMPORT_WARNING": "1", "RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "0"}

_worker: Any = ray_worker


class LocalCluster:
    """Nodes, the first one the head; each is a raylet with the processes that it starts.

    All processes of the cluster, and all browsers that these start, have `TMPDIR` in their environment, a directory of
    the cluster's own: so they and their files are found. Linux only. Use as a context manager, in one thread.
    """

    def __init__(self, nodes: int = 3, browsers: float = BROWSERS) -> None:
        self.folder: Path = Path(tempfile.mkdtemp(prefix="fl-", dir="/tmp"))  # short: paths of sockets are
        self.nodes: dict[str, Any] = {}
        """By id, the head first."""
        self._browsers = browsers
        self._before = {name: os.environ.get(name) for name in ("TMPDIR", *_VARIABLES)}
        self._set(_VARIABLES | {"TMPDIR": str(self.files)})
        (self.files / "ray").mkdir(parents=True)
        self._prints = _worker.print_to_stdstream
        _worker.print_to_stdstream = _print_nothing  # what Ray says of nodes that were killed
        tempfile.tempdir = None
        self._cluster: Any = Cluster()
        try:
            for _ in range(nodes):
                self._start(waits=not self.nodes)
            self._cluster.wait_for_nodes()
        except BaseException:
            self.close()
            raise

    @property
    def address(self) -> str:
        """The address that a driver passes to `Fleet`."""
        return str(self._cluster.address)

    @property
    def files(self) -> Path:
        """Where browsers have their profiles."""
        return self.folder / "t"

    @property
    def head(self) -> str:
        """The id of the first node."""
        return next(iter(self.nodes))

    def add_node(self) -> str:
        """Start a node and return its id."""
        return self._start(waits=True)

    def _start(self, *, waits: bool) -> str:
        head = {"include_dashboard": False, "include_log_monitor": False, "dashboard_port": 0, "no_monitor": True}
        node = self._cluster.add_node(
            wait=waits,
            num_cpus=1,
            resources={"browser": self._browsers},
            object_store_memory=OBJECT_STORE,
            temp_dir=str(self.files / "ray"),
            **({} if self.nodes else head),
        )
        self.nodes[node.node_id] = node
        return str(node.node_id)

    def kill_node(self, node_id: str) -> None:
        """Kill the raylet of a node with SIGKILL, and wait for nothing."""
        node = self.nodes.pop(node_id)
        raylet = node.all_processes["raylet"][0].process
        os.kill(raylet.pid, signal.SIGKILL)
        raylet.wait()
        self._cluster.remove_node(node, allow_graceful=False)

    def stop_node(self, node_id: str) -> Callable[[], None]:
        """Stop all processes of a node with SIGSTOP, so that it is silent. What is returned lets them go on."""
        raylet = self.nodes[node_id].all_processes["raylet"][0].process.pid
        theirs = [pid for pid in self.processes() if _is_below(pid, raylet)]
        _signal(theirs, signal.SIGSTOP)

        def go_on() -> None:
            _signal(theirs, signal.SIGCONT)

        return go_on

    def processes(self) -> dict[int, str]:
        """The processes of the cluster besides this one and those that have ended: process id, command line."""
        return dict(_processes_with(f"TMPDIR={self.files}"))

    def browsers(self, host: int | None = None) -> set[int]:
        """The processes of browsers, and those that watch them: of all hosts, or of the one with this process id."""
        mark = f"CDP_TYPED_LAUNCH={self.files}/cdp-typed-{'' if host is None else f'{host}-'}"
        return {pid for pid in self.processes() if mark in _environment(pid)}

    def profiles(self) -> list[Path]:
        """The browser profiles that exist."""
        return [path for path in self.files.iterdir() if path.is_dir() and path.name.startswith("cdp-typed")]

    def until(self, is_so: Callable[[], bool], within_s: float) -> float | None:
        """Wait until the condition holds, and return the seconds that it took; None at the deadline."""
        began = time.monotonic()
        while not is_so():
            if time.monotonic() - began > within_s:
                return None
            time.sleep(0.05)
        return time.monotonic() - began

    def close(self) -> dict[int, str]:
        """End the cluster and remove its files. Returns the processes that did not end with it, which are killed."""
        ray.shutdown()
        self._cluster.shutdown()
        self.until(lambda: not self.processes(), ENDING_S)
        left = self.processes()
        _signal(left, signal.SIGKILL)
        _worker.print_to_stdstream = self._prints
        self._set(self._before)
        tempfile.tempdir = None
        shutil.rmtree(self.folder, ignore_errors=True)
        return left

    def _set(self, variables: Mapping[str, str | None]) -> None:
        for name, value in variables.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_below(pid: int, ancestor: int) -> bool:
    """Whether a process is the other one or a descendant of it."""
    while pid > 1 and pid != ancestor:
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            return False
    return pid == ancestor


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _print_nothing(data: object, ignore_prefix: bool) -> None:
    pass


def _processes_with(mark: str) -> Iterator[tuple[int, str]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid() and mark in _environment(int(entry.name)):
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                if line:  # a process that has ended, and was not waited for, has none
                    yield int(entry.name), line


def _environment(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().replace(b"\0", b"\n").decode(errors="replace")
    except OSError:
        return ""
