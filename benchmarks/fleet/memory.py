"""Memory of tasks on real Chromium: many in one browser of a host, and a process with a browser for each."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from itertools import pairwise

from benchmarks.fleet.browsers import HERE, chromium, two_nodes
from benchmarks.processes import family, memory_of, processor_s
from benchmarks.table import render
from supervisor.addons.fleet import Fleet, Hosts
from supervisor.tools import BaseToolbox, Toolbox

TASKS = (1, 10, 20, 40)
ALONE = (1, 10)
MIB = 2**20
SETTLED_S = 5.0
"""So long a browser is left alone before its processor time at rest is read, and so long that is counted."""
PAGE = "data:text/html,<title>a</title><h1>Orders</h1><p>Two are open.</p><button>Pay</button><input>"


def report() -> str:
    """Return the table."""
    rows: list[list[str]] = []
    with two_nodes() as address:
        hosts = Hosts(tasks=max(TASKS), resources={HERE: 1.0})
        with Fleet(toolsets="*", hosts=hosts, address=address) as fleet:
            begun = 0
            for count in TASKS:
                seconds = _begin(fleet, range(begun, count)) / (count - begun)
                begun = count
                facts = fleet.status().hosts[0].facts
                assert facts is not None
                rows.append(_row("one host, one browser", count, [facts.pid], seconds))
    for count in ALONE:
        with ExitStack() as stack:
            began = time.perf_counter()
            pids = [stack.enter_context(_alone()) for _ in range(count)]
            rows.append(_row("a process and a browser each", count, pids, (time.perf_counter() - began) / count))
    header = ["", "tasks", "Python", "Chromium", "a task", "a further task", "to begin", "at rest"]
    _fill_further(rows)
    title = "Memory of tasks on Chromium (proportional set size), and processor time of all of them at rest"
    return render(title, header, rows)


def _row(name: str, count: int, pids: Iterable[int], begin_s: float) -> list[str]:
    time.sleep(SETTLED_S)
    own = set(pids)
    everything = family(own)
    before, since = processor_s(everything), time.perf_counter()
    time.sleep(SETTLED_S)
    share = (processor_s(everything) - before) / (time.perf_counter() - since)
    python = sum(map(memory_of, own)) / MIB
    browser = sum(map(memory_of, everything - own)) / MIB
    each = (python + browser) / count
    figures = [f"{python:,.0f} MiB", f"{browser:,.0f} MiB", f"{each:,.0f} MiB", ""]
    return [name, str(count), *figures, f"{begin_s:.2f} s", f"{share:.1%} of a core"]


def _fill_further(rows: list[list[str]]) -> None:
    """Write what each further task takes, from a row to the next."""
    for last, row in pairwise(rows):
        if last[0] == row[0]:
            more = sum(_number(row[column]) - _number(last[column]) for column in (2, 3))
            row[5] = f"{more / (int(row[1]) - int(last[1])):,.0f} MiB"


def _number(figure: str) -> float:
    return float(figure.removesuffix(" MiB").replace(",", ""))


def _begin(caller: BaseToolbox, numbers: Iterable[int]) -> float:
    """Show each of these tasks a page; returns the seconds of it."""
    began = time.perf_counter()
    for number in numbers:
        result = caller.dispatch("browser_navigate", {"url": PAGE}, f"task-{number}")
        assert result.startswith('{"success":true'), result
    return time.perf_counter() - began


@contextmanager
def _alone() -> Generator[int]:
    """Run a process with a browser for one task; gives its id."""
    command = [sys.executable, "-m", "benchmarks.fleet.memory"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            process.communicate()


def _serve() -> None:
    with chromium() as config, Toolbox(config, toolsets="*") as toolbox:
        _begin(toolbox, range(1))
        print(flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    _serve()
