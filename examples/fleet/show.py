"""The demo: twelve tasks on three nodes, one of which is killed in the middle."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import suppress

from cdp_typed.errors import CDPError
from supervisor.addons.fleet.fleet import Fleet
from supervisor.addons.fleet.settings import Hosts, Limits

from .boards import Board, row
from .local_cluster import LocalCluster
from .orders import ROUNDS, Orders

TASKS, TASKS_PER_HOST = 12, 4
SHOWN_EVERY_S = 0.3
WHOLE_S = 180.0
ORPHANS_S = 5.0
"""No browser may live longer than so many seconds without its node."""


class Show:
    """Plays the demo on a cluster, and says how each task ended."""

    def __init__(self, cluster: LocalCluster, board: Board) -> None:
        self._cluster = cluster
        self._board = board
        self._tasks: list[Orders] = []
        self._orphans = "no node was killed"
        self._faults: list[str] = []
        self._began = time.monotonic()

    async def play(self) -> None:
        """Run all tasks, and kill a node when half of their orders are done."""
        self._board.say(f"{TASKS} tasks, each with its own browser context, on hosts with {TASKS_PER_HOST} each.")
        fleet = await asyncio.to_thread(
            lambda: Fleet(
                toolsets=["browser", "browser_evaluate"],
                hosts=Hosts(least=3, tasks=TASKS_PER_HOST, most=5),
                limits=Limits(queue_s=60),
                address=self._cluster.address,
            )
        )
        try:
            self._tasks = [Orders(fleet, f"task-{number:02}") for number in range(1, TASKS + 1)]
            async with asyncio.timeout(WHOLE_S):
                async with asyncio.TaskGroup() as group:
                    showing = group.create_task(self._show(fleet))
                    working = [group.create_task(task.run()) for task in self._tasks]
                    await self._kill_a_node(fleet)
                    await asyncio.wait(working)
                    showing.cancel()
            await self._show_once(fleet)
        except TimeoutError:
            self._faults.append(f"the tasks did not end within {WHOLE_S:g} s")
        finally:
            await asyncio.to_thread(fleet.close)

    def look_for_browsers(self) -> None:
        """Whether the end of the fleet has left a browser or a profile."""
        gone = self._cluster.until(lambda: not self._cluster.browsers() and not self._cluster.profiles(), ORPHANS_S)
        if gone is None:
            browsers, profiles = len(self._cluster.browsers()), len(self._cluster.profiles())
            self._faults.append(f"left behind: {browsers} processes of browsers, {profiles} profiles")

    def summary(self, left: dict[int, str]) -> int:
        """Say how it ended; returns the exit code."""
        if left:
            self._faults.append(f"processes that did not end with the cluster: {len(left)}")
        unaccounted = sum(not task.is_accounted for task in self._tasks) + TASKS - len(self._tasks)
        if unaccounted:
            self._faults.append(f"tasks that are unaccounted for: {unaccounted}")
        say = self._board.say
        say("")
        for outcome, count in Counter(task.outcome for task in self._tasks).most_common():
            say(f"{count:4} {outcome}")
        lost = sum(len(task.lost) for task in self._tasks)
        say(f"{sum(task.calls for task in self._tasks):4} calls, the slowest {self._slowest_s:.1f} s; lost: {lost}")
        say(f"     {self._orphans}")
        say(f"{unaccounted:4} tasks unaccounted for")
        for fault in self._faults:
            say(f"     WRONG: {fault}")
        if not self._faults:
            say("     nothing is left behind: no browser, no profile, no process of the cluster")
        say(f"     {time.monotonic() - self._began:.0f} s in all")
        return 1 if self._faults else 0

    @property
    def _slowest_s(self) -> float:
        return max((task.slowest_s for task in self._tasks), default=0.0)

    async def _kill_a_node(self, fleet: Fleet) -> None:
        while sum(task.rounds for task in self._tasks) < TASKS * ROUNDS / 2:
            await asyncio.sleep(0.05)
            if all(task.state in ("done", "failed") for task in self._tasks):
                self._faults.append("the tasks ended before a node was killed")
                return
        status = await asyncio.to_thread(fleet.status)
        hosts = [host for host in status.hosts if host.facts is not None and host.facts.node_id != self._cluster.head]
        if not hosts:
            self._faults.append("all hosts are on the head of the cluster")
            return
        host = max(hosts, key=lambda host: host.tasks)
        assert host.facts is not None
        node_id, theirs = host.facts.node_id, self._cluster.browsers(host.facts.pid)
        self._board.say(f"Killed with SIGKILL: the raylet of node {node_id[:6]}, where {host.tasks} tasks are.")
        self._cluster.kill_node(node_id)
        await asyncio.to_thread(self._watch_orphans, theirs)

    def _watch_orphans(self, browsers: set[int]) -> None:
        gone = self._cluster.until(lambda: not browsers & self._cluster.browsers(), ORPHANS_S)
        if gone is None:
            self._faults.append(f"the browsers of the killed node lived longer than {ORPHANS_S:g} s")
        else:
            self._orphans = f"the {len(browsers)} processes of the killed node's browser were gone after {gone:.1f} s"

    async def _show(self, fleet: Fleet) -> None:
        while True:
            await self._show_once(fleet)
            await asyncio.sleep(SHOWN_EVERY_S)

    async def _show_once(self, fleet: Fleet) -> None:
        with suppress(CDPError):
            status, tasks = await asyncio.to_thread(lambda: (fleet.status(), fleet.tasks()))
            nodes = {host.host_id: host.facts.node_id[:6] for host in status.hosts if host.facts is not None}
            hosts = {task.task_id: task.host_id or "" for task in tasks}
            rows: list[tuple[str, ...]] = []
            for task in self._tasks:
                host = hosts.get(task.task_id, "")
                rows.append(row(task, host, nodes.get(host, "")))
            self._board.show(rows)
