"""What a fleet on Ray still knows when its directory was killed, and what it does while Ray's control store is away."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from supervisor.addons.fleet import CutOff, Fleet, Hosts, Limits
from supervisor.addons.fleet.on_ray.actor_names import NAMESPACE, directory_name
from supervisor.addons.fleet.on_ray.ray_api import ray
from tests.supervisor.addons.fleet.plugin import processes_with
from tests.support.servers.sites import Sites

FENCE_S = 5.0
BUSY_S = 5.0
"""Seconds that a busy machine may take longer."""

OTHER_DRIVER = """
import json, sys
from supervisor.addons.fleet import Fleet
fleet = Fleet.attach(sys.argv[2], address=sys.argv[1])
opened = json.loads(fleet.dispatch("browser_navigate", {"url": sys.argv[3]}, "t1"))
seen = json.loads(fleet.dispatch("browser_evaluate", {"expression": "document.cookie"}, "t1"))
print(json.dumps([opened, seen]), flush=True)
"""


@pytest.fixture
def page(sites: Sites) -> str:
    """The address of a page."""
    sites.pages["/"] = "<title>Shop</title>"
    return sites.local("/")


@pytest.fixture
def fleet(ray_address: str, tmp_path: Path, page: str) -> Iterator[Fleet]:
    """A fleet with a host, and a task with a page that has a cookie."""
    limits = Limits(checkpoint_s=0.2, checkpoints=str(tmp_path), fence_s=FENCE_S)
    name = f"handover-{os.getpid()}-{time.monotonic_ns()}"
    with Fleet(hosts=Hosts(tasks=2), limits=limits, toolsets="all", name=name) as running:
        called(running, "browser_navigate", url=page)
        assert called(running, "browser_evaluate", expression="document.cookie = 'user=ada; max-age=600'")["success"]
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("*/*.checkpoint")) and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1.0)
        yield running
        running.stop()


def called(fleet: Fleet, tool: str, **arguments: object) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(fleet.dispatch(tool, arguments, "t1"))
    return result


def pid_of_directory(fleet: Fleet) -> int:
    directory = ray.get_actor(directory_name(fleet.name), namespace=NAMESPACE)
    pid: int = ray.get(directory.__ray_call__.remote(own_pid))
    return pid


def own_pid(actor: object) -> int:
    return os.getpid()


def pid_of_host(fleet: Fleet) -> int:
    (pid,) = [host.facts.pid for host in fleet.status().hosts if host.facts is not None and host.tasks]
    return pid


def eventually(is_so: Callable[[], bool], within_s: float) -> bool:
    give_up = time.monotonic() + within_s
    while not (so := is_so()) and time.monotonic() < give_up:
        time.sleep(0.1)
    return so


@contextmanager
def store_stopped() -> Generator[None]:
    """Stop the control store of this test's cluster, which then answers nobody."""
    (pid,) = [pid for pid, line in processes_with(os.environ["RAY_TMPDIR"]).items() if "gcs_server" in line]
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_the_loss_of_host_and_directory_together_is_told_to_every_driver(
    ray_address: str, fleet: Fleet, page: str
) -> None:
    both = pid_of_host(fleet), pid_of_directory(fleet)

    for pid in both:
        os.kill(pid, signal.SIGKILL)
    program = [sys.executable, "-c", OTHER_DRIVER, ray_address, fleet.name, page]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    opened, seen = json.loads(done.stdout)
    first = called(fleet, "browser_evaluate", expression="6 * 7")

    ended = r"its host ended; cookies, localStorage and IndexedDB are \d+ s old, pages and sessionStorage gone"
    assert re.fullmatch(ended, opened["restarted"])
    assert seen["value"] == "user=ada"
    assert first["value"] == 42
    assert re.fullmatch(ended, first["restarted"])
    assert "restarted" not in called(fleet, "browser_evaluate", expression="1")
    assert fleet.status().restarts == 1


def test_a_drain_outlives_the_directory(fleet: Fleet) -> None:
    (host,) = fleet.status().hosts
    assert fleet.drain(host.host_id, within_s=600) == 1

    os.kill(pid_of_directory(fleet), signal.SIGKILL)

    assert [each.state for each in fleet.status().hosts if each.host_id == host.host_id] == ["draining"]
    assert fleet.undrain(host.host_id) == 1
    assert fleet.undrain(host.host_id) == 0
    assert [each.state for each in fleet.status().hosts if each.host_id == host.host_id] == ["serving"]


def test_nothing_is_served_while_the_control_store_is_away_for_too_long(fleet: Fleet) -> None:
    assert called(fleet, "browser_evaluate", expression="1")["success"]

    began = time.monotonic()
    with store_stopped():
        while called(fleet, "browser_evaluate", expression="1")["success"]:
            assert time.monotonic() - began < FENCE_S + BUSY_S
            time.sleep(0.1)
        served_s = time.monotonic() - began
        time.sleep(max(began + FENCE_S + 1 - time.monotonic(), 0))
        for ask in (fleet.status, fleet.roll):
            with pytest.raises(CutOff):
                ask()

    results: list[dict[str, Any]] = []

    def works() -> bool:
        results.append(called(fleet, "browser_evaluate", expression="6 * 7"))
        return results[-1]["success"] is True

    assert eventually(works, 60)
    assert FENCE_S / 2 < served_s < FENCE_S + BUSY_S
    age = r"cookies, localStorage and IndexedDB are \d+ s old, pages and sessionStorage gone"
    assert re.fullmatch(f"its host was cut off from the cluster; {age}", results[-1]["restarted"])
