"""Plays clicks on a small page through the command lines in turns, and prints what a click and a session cost.

python -m evals.agents.command_lines.cost [--server NAME ...] [--rounds N]

Memory that processes share counts in parts, so other browsers of the same installation make a browser look smaller.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.processes import family, memory_of, processor_s
from benchmarks.table import render
from evals.agents.command_lines.program import background
from evals.agents.command_lines.starts import COMMAND_LINES

PAGE = (
    "data:text/html,<title>Orders</title><h1>Orders</h1>"
    '<button onclick="n.textContent = 1 + +n.textContent">Add</button><p id=n>0</p>'
)
CLICKS = 20
MIB = 2**20
SETTLED_S = 3.0
"""So long a session rests before its memory is read."""
HEADER = ("", "wall", "client", "background", "tool", "browser", "together")


@dataclass
class Cost:
    """The figures of the rounds of one command line."""

    wall_ms: list[float] = field(default_factory=list[float])
    client_ms: list[float] = field(default_factory=list[float])
    """Processor time of the command."""
    background_ms: list[float] = field(default_factory=list[float])
    """Processor time of the background process and the browser for one click."""
    tool_mib: list[float] = field(default_factory=list[float])
    browser_mib: list[float] = field(default_factory=list[float])


def play_round(name: str, cost: Cost) -> None:
    """Start a session, read its memory on a small page, click, and end it."""
    with tempfile.TemporaryDirectory() as folder, COMMAND_LINES[name](Path(folder)) as running:
        hands = running.hands
        hands.begin()
        hands.navigate(PAGE)
        ref = hands.snapshot().ref("Add", "button")
        hands.click(ref)
        time.sleep(SETTLED_S)
        processes = family({*background(Path(folder))})
        memory = {pid: memory_of(pid) / MIB for pid in processes}
        browser = sum(mib for pid, mib in memory.items() if _is_of_a_browser(pid))
        cost.browser_mib.append(browser)
        cost.tool_mib.append(sum(memory.values()) - browser)
        hands.begin()
        before = processor_s(processes)
        for _ in range(CLICKS):
            hands.click(ref)
        cost.background_ms.append((processor_s(processes) - before) * 1000 / CLICKS)
        cost.client_ms.append(hands.usage.processor_s * 1000 / CLICKS)
        cost.wall_ms.extend(seconds * 1000 for seconds in hands.usage.seconds["click"])


def _is_of_a_browser(pid: int) -> bool:
    return "chrom" in Path(f"/proc/{pid}/exe").resolve().name


def main() -> None:
    """Play the rounds, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.agents.command_lines.cost")
    parser.add_argument("--server", nargs="+", choices=list(COMMAND_LINES), default=list(COMMAND_LINES))
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    costs = {name: Cost() for name in options.server}
    for _ in range(options.rounds):
        for name, cost in costs.items():
            play_round(name, cost)
    title = (
        f"a click on a small page, {options.rounds} times {CLICKS}: milliseconds of wall time, and of processor time "
        "of the command and of all processes in the background; MiB of the tool's processes in the background, of the "
        "browser, and of both; medians"
    )
    print(render(title, HEADER, [_row(name, cost) for name, cost in costs.items()]))


def _row(name: str, cost: Cost) -> tuple[str, ...]:
    both = [tool + browser for tool, browser in zip(cost.tool_mib, cost.browser_mib, strict=True)]
    figures = (cost.wall_ms, cost.client_ms, cost.background_ms, cost.tool_mib, cost.browser_mib, both)
    return name, *(f"{statistics.median(figure):.0f}" for figure in figures)


if __name__ == "__main__":
    main()
