"""What a fleet on Ray still knows when its directory was killed, and what it does while Ray's control store is away."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from supervisor.addons.fleet import CutOff, Fleet, Hosts, Limits
from supervisor.addons.fleet.on_ray.cluster import find_directory
from tests.supervisor.addons.fleet.plugin import processes_with
from tests.supervisor.addons.fleet.running import called, evaluated, process_of, wait_until
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
    sites.pages["/"] = "<title>Shop</title>"
    return sites.local("/")


@pytest.fixture
def fleet(ray_address: str, tmp_path: Path, page: str) -> Iterator[Fleet]:
    """A fleet with a host, and a task with a page that has a cookie."""
    limits = Limits(checkpoint_s=0.2, checkpoints=str(tmp_path), fence_s=FENCE_S)
    name = f"handover-{os.getpid()}-{time.monotonic_ns()}"
    with Fleet(hosts=Hosts(tasks=2), limits=limits, toolsets="all", name=name) as running:
        called(running, "browser_navigate", url=page)
        assert evaluated(running, "document.cookie = 'user=ada; max-age=600'")["success"]
        wait_until(lambda: list(tmp_path.glob("*/*.checkpoint")))
        time.sleep(1.0)
        yield running
        running.stop()


def pid_of_host(fleet: Fleet) -> int:
    (pid,) = [host.facts.pid for host in fleet.status().hosts if host.facts is not None and host.tasks]
    return pid


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
    for pid in (pid_of_host(fleet), process_of(find_directory(fleet.name))):
        os.kill(pid, signal.SIGKILL)
    program = [sys.executable, "-c", OTHER_DRIVER, ray_address, fleet.name, page]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    opened, seen = json.loads(done.stdout)
    first = evaluated(fleet, "6 * 7")

    ended = r"its host ended; cookies, localStorage and IndexedDB are \d+ s old, pages and sessionStorage gone"
    assert re.fullmatch(ended, opened["restarted"])
    assert seen["value"] == "user=ada"
    assert first["value"] == 42
    assert re.fullmatch(ended, first["restarted"])
    assert "restarted" not in evaluated(fleet, "1")
    assert fleet.status().restarts == 1


def test_nothing_is_served_while_the_control_store_is_away_for_too_long(fleet: Fleet) -> None:
    assert evaluated(fleet, "1")["success"]

    began = time.monotonic()
    with store_stopped():
        while evaluated(fleet, "1")["success"]:
            assert time.monotonic() - began < FENCE_S + BUSY_S
            time.sleep(0.1)
        served_s = time.monotonic() - began
        time.sleep(max(began + FENCE_S + 1 - time.monotonic(), 0))
        for ask in (fleet.status, fleet.roll):
            with pytest.raises(CutOff):
                ask()

    again = wait_until(lambda: (answer := evaluated(fleet, "6 * 7"))["success"] and answer)
    assert FENCE_S / 2 < served_s < FENCE_S + BUSY_S
    age = r"cookies, localStorage and IndexedDB are \d+ s old, pages and sessionStorage gone"
    assert re.fullmatch(f"its host was cut off from the cluster; {age}", again["restarted"])
