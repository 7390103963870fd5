"""Calls per second of a hundred tasks: on one host of a fleet, and in one process with a `Toolbox`."""

from __future__ import annotations

import asyncio
import time

from benchmarks.fleet.browsers import HERE, mock, two_nodes
from benchmarks.table import render
from supervisor import Config
from supervisor.addons.fleet import Fleet, Hosts
from supervisor.tools import BaseToolbox, Toolbox

TASKS, CALLS, ROUNDS = 100, 600, 3
AT_ONCE = (1, 10, 50, 100)
BEGIN_AT_ONCE = 10


def report() -> str:
    """Return the table. Each contender has its own mock: a task takes longer to begin where many pages are."""
    with two_nodes() as address, mock() as one, mock() as another:
        hosts = Hosts(tasks=TASKS, resources={HERE: 1.0})
        with (
            Toolbox(_config(one), toolsets="*") as toolbox,
            Fleet(_config(another), toolsets="*", hosts=hosts, address=address) as fleet,
        ):
            callers: dict[str, BaseToolbox] = {"one process, a Toolbox": toolbox, "a fleet, one host": fleet}
            began = {name: asyncio.run(_begin(caller)) for name, caller in callers.items()}
            rates: dict[str, list[float]] = {name: [0.0] * len(AT_ONCE) for name in callers}
            for _ in range(ROUNDS):
                for name, caller in callers.items():
                    for column, at_once in enumerate(AT_ONCE):
                        rates[name][column] = max(rates[name][column], asyncio.run(_rate(caller, at_once)))
    header = ["", "tasks begun", *(f"{at_once} at once" for at_once in AT_ONCE)]
    rows = [
        [name, f"{began[name]:.0f} per second", *(f"{rate:,.0f} per second" for rate in rates[name])]
        for name in callers
    ]
    direct, remote = rates["one process, a Toolbox"], rates["a fleet, one host"]
    more = [f"{(1 / slow - 1 / quick) * 1e3:.2f} ms" for quick, slow in zip(direct, remote, strict=True)]
    rows.append(["a fleet's call takes more, by", "", *more])
    return render(f"Calls of browser_evaluate by {TASKS} tasks on a mock (larger is better)", header, rows)


def _config(url: str) -> Config:
    return Config(cdp_url=url, scope="own", own_context=True)


async def _begin(caller: BaseToolbox) -> float:
    """Have every task called once; returns how many begin in a second, when the first has begun."""
    gate = asyncio.Semaphore(BEGIN_AT_ONCE)
    await _call(caller, 0)

    async def begin(number: int) -> None:
        async with gate:
            await _call(caller, number)

    began = time.perf_counter()
    await asyncio.gather(*(begin(number) for number in range(1, TASKS)))
    return (TASKS - 1) / (time.perf_counter() - began)


async def _rate(caller: BaseToolbox, at_once: int) -> float:
    numbers = iter(range(CALLS))

    async def work() -> None:
        for number in numbers:
            await _call(caller, number % TASKS)

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(at_once)))
    return CALLS / (time.perf_counter() - began)


async def _call(caller: BaseToolbox, number: int) -> None:
    result = await caller.adispatch("browser_evaluate", {"expression": "1+1"}, f"task-{number}")
    assert result.startswith('{"success":true'), result
