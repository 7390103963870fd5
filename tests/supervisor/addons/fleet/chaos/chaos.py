"""Kills parts of two fleets on three nodes at random, while drivers call them and operators drain and roll them."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping

from examples.fleet.local_cluster import LocalCluster
from supervisor.addons.fleet import Fleet

from . import outcomes, witness
from .fleets import start_fleet
from .operator import Operator

TASKS = {"mock": 200, "chromium": 12}
DRIVERS = {"mock": 3, "chromium": 2}
PAUSE_S = (1.0, 5.0)
SETTLE_S = 240.0
GONE_S = 5.0


class Chaos:
    def __init__(self, seed: int, kills: list[str], tasks: Mapping[str, int] | None = None) -> None:
        self._random = random.Random(seed)
        self._random.shuffle(kills)
        self._kills = kills
        self._tasks = tasks or TASKS
        self._faults: list[str] = []
        self._drivers: dict[str, subprocess.Popen[bytes]] = {}
        self._killed: set[str] = set()
        self._started = 0

    def play(self) -> list[str]:
        self._cluster = LocalCluster()
        try:
            checkpoints = str(self._cluster.folder / "checkpoints")
            fleets = [
                start_fleet(name, self._cluster.address, count, checkpoints) for name, count in self._tasks.items()
            ]
            for fleet, count in self._tasks.items():
                for number in range(DRIVERS[fleet]):
                    self._start_driver(fleet, [f"{fleet}-{task}" for task in range(number, count, DRIVERS[fleet])])
            self._until_all_have_begun()
            operators = [Operator(fleet, self._random.randrange(10**6)) for fleet in fleets]
            for kind in self._kills:
                time.sleep(self._random.uniform(*PAUSE_S))
                self._kill(kind)
            for operator in operators:
                operator.end()
                sys.stdout.write(f"operator: {dict(operator.outcomes)}\n")
                self._faults += operator.wrong
            self._settle(fleets)
            self._look_back()
        finally:
            for driver in self._drivers.values():
                driver.kill()
                driver.wait()
            left = self._cluster.close()
        if left:
            self._faults.append(f"processes that did not end with the cluster: {sorted(left.values())}")
        return self._faults

    def _start_driver(self, fleet: str, tasks: list[str]) -> None:
        self._started += 1
        name = f"{fleet}-{self._started}"
        command = [sys.executable, "-m", "tests.supervisor.addons.fleet.chaos.driver", self._cluster.address, fleet]
        errors = (self._cluster.folder / f"errors-{name}").open("wb")
        with errors:
            self._drivers[name] = subprocess.Popen(
                [*command, str(self._cluster.folder), name, *tasks], stdout=errors, stderr=errors
            )

    def _until_all_have_begun(self) -> None:
        """Until some calls of each driver have ended."""
        logs = [self._cluster.folder / f"calls-{name}" for name in self._drivers]
        if self._cluster.until(lambda: all(log.exists() and '"value"' in log.read_text() for log in logs), 120) is None:
            self._faults.append("the drivers did not begin within 120 s")

    def _kill(self, kind: str) -> None:
        sys.stdout.write(f"{time.strftime('%H:%M:%S')} kills a {kind}\n")
        sys.stdout.flush()
        match kind:
            case "node":
                others = [node for node in self._cluster.nodes if node != self._cluster.head]
                self._cluster.kill_node(self._random.choice(others))
                self._cluster.add_node()
            case "driver":
                self._kill_driver()
            case _:
                part = {"host": "ray::HostActor", "browser": "--remote-debugging-pipe", "directory": "ray::Directory"}
                if self._cluster.until(lambda: bool(self._running(part[kind])), 60) is None:
                    self._faults.append(f"no {kind} was there to be killed for 60 s")
                    return
                with contextlib.suppress(ProcessLookupError, IndexError):
                    os.kill(self._random.choice(self._running(part[kind])), signal.SIGKILL)

    def _running(self, part: str) -> list[int]:
        running = self._cluster.processes().items()
        return [pid for pid, line in running if part in line and "--type=" not in line]

    def _kill_driver(self) -> None:
        name = self._random.choice(sorted(self._drivers))
        driver = self._drivers.pop(name)
        if driver.poll() is not None:
            self._faults.append(f"the driver {name} had ended by itself: {self._errors_of(name)}")
        driver.kill()
        driver.wait()
        self._killed.add(name)
        arguments: list[str] = [str(argument) for argument in driver.args]  # type: ignore[union-attr]
        self._start_driver(arguments[4], arguments[7:])

    def _settle(self, fleets: list[Fleet]) -> None:
        """Have each task answer once more, end everything, and look for what is left."""
        (self._cluster.folder / "stop").touch()
        deadline = time.monotonic() + SETTLE_S
        for name, driver in self._drivers.items():
            try:
                status = driver.wait(max(deadline - time.monotonic(), 1))
            except subprocess.TimeoutExpired:
                self._faults.append(f"the driver {name} did not end within {SETTLE_S:g} s")
                continue
            if status != 0:
                self._faults.append(f"the driver {name} ended with {status}: {self._errors_of(name)}")
        for fleet in fleets:
            fleet.stop()
        if self._cluster.until(lambda: not self._cluster.browsers() and not self._cluster.profiles(), GONE_S) is None:
            browsers, profiles = len(self._cluster.browsers()), len(self._cluster.profiles())
            self._faults.append(f"left behind: {browsers} processes of browsers, {profiles} profiles")

    def _look_back(self) -> None:
        folder = self._cluster.folder
        found = outcomes.read(folder, self._killed)
        stays = witness.stays(folder)
        sys.stdout.write(f"\n{outcomes.table(found)}\n\n")
        twice = witness.in_two_places(stays)
        sys.stdout.write(f"places that tasks had: {len(stays)}; tasks in two places at once: {len(twice)}\n")
        self._faults += found.wrong
        self._faults += [f"in two places at once: {earlier} and {later}" for earlier, later in twice]
        tasks = {f"{fleet}-{number}" for fleet, count in self._tasks.items() for number in range(count)}
        if missing := tasks - found.answered:
            self._faults.append(f"did not answer after the end: {sorted(missing)}")

    def _errors_of(self, name: str) -> str:
        text = (self._cluster.folder / f"errors-{name}").read_text(errors="replace")
        return text.strip()[-1500:]
