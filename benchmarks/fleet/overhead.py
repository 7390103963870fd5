"""What a call costs more when its task runs on a host of a fleet: on the driver's machine, and on another."""

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
from supervisor.fleet import Fleet, Hosts, RemoteSupervisor
from supervisor.tools import Toolbox, ToolCaller

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


def _measured(where: str, own: Config, of_hosts: Config | None, address: str) -> str:
    with ExitStack() as stack:
        boxes: list[ToolCaller] = [stack.enter_context(Toolbox(own, toolsets="*"))]
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
        ]
    header = ["", "median", "p95", "more than direct", "goal, at most"]
    return render(f"A call of {TOOL} {where} (smaller is better)", header, rows)


def _rows(name: str, contenders: Sequence[Callable[[], Times]]) -> list[list[str]]:
    """Measure the contenders by turns; the first is the one without a fleet."""
    times: list[Times] = [[] for _ in contenders]
    for measure in contenders:
        measure()
    for _ in range(ROUNDS):
        for measure, all_times in zip(contenders, times, strict=True):
            all_times += measure()
    direct = statistics.median(times[0])
    rows: list[list[str]] = []
    for place, all_times in zip(PLACES, times, strict=True):
        median, p95 = statistics.median(all_times), statistics.quantiles(all_times, n=20)[-1]
        more = ["", ""] if all_times is times[0] else [_ms(median - direct), f"{GOAL_MS} ms"]
        rows.append([f"{name}, {place}", _ms(median), _ms(p95), *more])
    return rows


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


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"
