"""The extra cost of a call whose task runs on a host of a fleet: on the driver's machine, and on another.

For comparison, it measures an empty call of a Ray actor, which is Ray's share of that cost.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from functools import partial

from benchmarks.fleet.browsers import HERE, THERE, chromium, mock, two_nodes
from benchmarks.table import render
from supervisor import AsyncSupervisor, Config
from supervisor.addons.fleet import Fleet, Hosts, RemoteSupervisor
from supervisor.addons.fleet.on_ray.directory_actor import HOST_CALLS
from supervisor.addons.fleet.on_ray.ray_api import ray
from supervisor.tools import BaseToolbox, Toolbox

ROUNDS, CALLS = 40, 10
GOAL_MS = 2.5
PLACES = ("direct", "a host on this node", "a host on another node")
TOOL, ARGUMENTS, EXPRESSION = "browser_evaluate", {"expression": "1+1"}, "1+1"

Work = Callable[[], Awaitable[object]]
Times = list[float]


def report() -> str:
    """Return the tables, on the mock and on Chromium."""
    with two_nodes() as address:
        with mock() as url:
            config = Config(cdp_url=url, scope="own", own_context=True)
            on_mock = _measured("on the mock", config, config, address)
        with chromium() as own:
            on_chromium = _measured("on Chromium", own, None, address)
    return f"{on_mock}\n\n{on_chromium}"


class Empty:
    """An actor whose call does nothing."""

    async def call(self, work: bytes) -> bytes:
        """Return what it is given."""
        return work


def _measured(where: str, own: Config, of_hosts: Config | None, address: str) -> str:
    with ExitStack() as stack:
        boxes: list[BaseToolbox] = [stack.enter_context(Toolbox(own, toolsets="*"))]
        remote: list[RemoteSupervisor] = []
        for place in (HERE, THERE):
            hosts = Hosts(resources={place: 1.0})
            fleet = stack.enter_context(Fleet(of_hosts, toolsets="*", hosts=hosts, address=address))
            boxes.append(fleet)
            remote.append(fleet.supervisor("t"))
        loop = asyncio.new_event_loop()
        stack.callback(loop.close)
        supervisor = AsyncSupervisor(own.cdp_url, scope=own.scope, own_context=own.own_context)
        loop.run_until_complete(supervisor.start())
        stack.callback(lambda: loop.run_until_complete(supervisor.stop()))
        evaluate: list[Work] = [
            partial(supervisor.evaluate, EXPRESSION),
            *(partial(task.evaluate, EXPRESSION) for task in remote),
        ]
        rows = [
            *_rows("dispatch", [partial(_blocking, partial(box.dispatch, TOOL, ARGUMENTS, "t")) for box in boxes]),
            *_rows("adispatch", [_on(loop, partial(box.adispatch, TOOL, ARGUMENTS, "t")) for box in boxes]),
            *_rows("supervisor(task).evaluate", [_on(loop, work) for work in evaluate]),
            *_rows_of_ray(loop),
        ]
    header = ["", "median", "p95", "more than direct", "goal, at most"]
    return render(f"A call of {TOOL} {where} (smaller is better)", header, rows)


def _rows(name: str, contenders: Sequence[Callable[[], Times]]) -> list[list[str]]:
    """The first contender is the one without a fleet."""
    times = _by_turns(contenders)
    direct = statistics.median(times[0])
    more = [["", ""], *([_ms(statistics.median(each) - direct), f"{GOAL_MS} ms"] for each in times[1:])]
    return [_row(f"{name}, {place}", each, *cells) for place, each, cells in zip(PLACES, times, more, strict=True)]


def _rows_of_ray(loop: asyncio.AbstractEventLoop) -> list[list[str]]:
    times = _by_turns([_on(loop, _empty_call(place)) for place in (HERE, THERE)])
    return [_row(f"an empty call of Ray, {place}", each) for place, each in zip(PLACES[1:], times, strict=True)]


def _row(name: str, times: Times, more: str = "", goal: str = "") -> list[str]:
    p95 = statistics.quantiles(times, n=20)[-1]
    return [name, _ms(statistics.median(times)), _ms(p95), more, goal]


def _by_turns(contenders: Sequence[Callable[[], Times]]) -> list[Times]:
    times: list[Times] = [[] for _ in contenders]
    for measure in contenders:
        measure()
    for _ in range(ROUNDS):
        for measure, all_times in zip(contenders, times, strict=True):
            all_times += measure()
    return times


def _blocking(work: Callable[[], object]) -> Times:
    times: Times = []
    for _ in range(CALLS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return times


def _on(loop: asyncio.AbstractEventLoop, work: Work) -> Callable[[], Times]:
    """Return what measures some calls on one loop, which runs meanwhile."""

    async def measure() -> Times:
        times: Times = []
        for _ in range(CALLS):
            began = time.perf_counter()
            await work()
            times.append(time.perf_counter() - began)
        return times

    return lambda: loop.run_until_complete(measure())


def _empty_call(place: str) -> Work:
    options = {"num_cpus": 0, "resources": {place: 0.01}, "max_concurrency": HOST_CALLS}
    actor = ray.remote(Empty).options(**options).remote()
    return lambda: actor.call.remote(bytes(200))


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"
