"""Browsers that do not start, and browsers that hang, on a real Ray cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from supervisor.addons.fleet import Fleet, Hosts, Limits
from tests.supervisor.addons.fleet.running import called, wait_until


def test_a_browser_that_does_not_start_is_told_in_errors_and_status(ray_address: str) -> None:
    hosts = Hosts(executable="/bin/false")
    with Fleet(hosts=hosts, limits=Limits(queue_s=30), name=f"no-browser-{os.getpid()}") as fleet:
        refused = called(fleet, "browser_tabs")
        status = fleet.status()
        fleet.stop()

    assert refused["error_type"] == "FleetFull"
    assert "hosts do not start: the browser ended with status 1" in refused["error"]
    assert "the browser ended with status 1" in status.start_error
    assert 2 <= status.failed_starts <= 12
    assert status.capacity == 0


PROGRAM = """
import os, signal, sys, time
from supervisor.addons.fleet import Fleet
with Fleet(address=sys.argv[1]) as fleet:
    fleet.dispatch("browser_tabs")
    os.kill(fleet.status().hosts[0].facts.pid, signal.SIGKILL)
    print("restarted" in fleet.dispatch("browser_tabs") or "restarted" in fleet.dispatch("browser_tabs"))
    time.sleep(3)
"""


def test_a_host_that_dies_puts_nothing_on_the_standard_output_of_a_program(ray_address: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, ray_address], capture_output=True, text=True, timeout=120)

    assert done.stdout == "True\n", done.stderr


def test_a_browser_that_hangs_counts_as_dead(ray_address: str) -> None:
    with Fleet(hosts=Hosts(tasks=1, hang_s=2), toolsets="all", name=f"hanging-{os.getpid()}") as fleet:
        called(fleet, "browser_navigate", url="data:text/html,<title>Shop</title>")
        info = called(fleet, "browser_cdp", method="SystemInfo.getProcessInfo")
        (pid,) = [process["id"] for process in info["result"]["processInfo"] if process["type"] == "browser"]
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: fleet.status().hosts[0].browser_deaths)
        after = called(fleet, "browser_tabs")
        fleet.stop()

    assert after["restarted"] == "its browser ended (it did not answer for 2 s)"
