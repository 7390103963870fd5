"""What tests do with a running fleet: they call its tasks, wait for what it does, and look at it from outside."""

from __future__ import annotations

import json
import os
import time
import urllib.request
from collections.abc import Callable
from typing import Any, TypeVar

from supervisor.addons.fleet import Fleet
from supervisor.addons.fleet.on_ray.ray_api import ray

T = TypeVar("T")


def called(fleet: Fleet, tool: str, task_id: str = "t1", **arguments: object) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(fleet.dispatch(tool, arguments, task_id))
    return result


def evaluated(fleet: Fleet, expression: str, task_id: str = "t1") -> dict[str, Any]:
    return called(fleet, "browser_evaluate", task_id, expression=expression)


def wait_until(is_so: Callable[[], T], within_s: float = 90.0) -> T:
    """Wait until this is true, and return it; a busy machine takes long."""
    gives_up = time.monotonic() + within_s
    while not (found := is_so()):
        assert time.monotonic() < gives_up, f"it did not come within {within_s:g} s"
        time.sleep(0.05)
    return found


def process_of(actor: Any) -> int:
    pid: int = ray.get(actor.__ray_call__.remote(_own_pid))
    return pid


def metrics_of_ray() -> str:
    """What Prometheus reads from the only node of Ray."""
    (node,) = [node for node in ray.nodes() if node["Alive"]]
    url = f"http://{node['NodeManagerAddress']}:{node['MetricsExportPort']}/metrics"
    with urllib.request.urlopen(url, timeout=20) as answer:
        return str(answer.read().decode())


def _own_pid(_: object) -> int:
    return os.getpid()
