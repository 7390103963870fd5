"""Runs the benchmarks and prints their tables: all but `agents`, `times`, `vitals` and `fleet`, or the named ones.

    python -m benchmarks [decoding] [document] [events] [round_trips] [importing] [mock] [core] [flood] [supervising]
                         [tool_calls] [agents] [times] [vitals] [fleet]

Compare the ratios: all clients of a table are measured in the same run, in turns, so the ratios hardly depend on the
machine.
"""

from __future__ import annotations

import argparse
import os
import platform
from importlib import import_module
from importlib.metadata import version

from benchmarks import decoding, document, importing
from benchmarks.mock import capacity
from benchmarks.supervising import core, flood, latency, tool_calls
from benchmarks.wire import speed
from evals.agents import report as agents
from evals.agents import times, vitals


def _fleet() -> str:
    report: str = import_module("benchmarks.fleet.tables").report()  # needs the addon, and Ray
    return report


REPORTS = {
    "decoding": decoding.report,
    "document": document.report,
    "events": speed.events,
    "round_trips": speed.round_trips,
    "importing": importing.report,
    "mock": capacity.report,
    "core": core.report,
    "flood": flood.report,
    "supervising": latency.report,
    "tool_calls": tool_calls.report,
    "agents": agents.report,
    "times": times.report,
    "vitals": vitals.report,
    "fleet": _fleet,
}
ON_REQUEST = {"agents", "fleet", "times", "vitals"}
"""They take many minutes, and need packages of npm, or Ray."""


def main() -> None:
    """Print the tables, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measures cdp_typed and its peers.")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"of {', '.join(REPORTS)}; all but agents, times, vitals and fleet if none",
    )
    names: list[str] = parser.parse_args().names or [name for name in REPORTS if name not in ON_REQUEST]
    for name in names:
        if name not in REPORTS:
            parser.error(f"no benchmark {name!r}; there are {', '.join(REPORTS)}")
    peers = ", ".join(f"{name} {version(name)}" for name in ("cdp-use", "chrome-devtools-protocol", "websockets"))
    print(
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores; {peers}"
    )
    print("Of processor time the least of several rounds, of other figures the median.\n")
    for name in names:
        print(REPORTS[name](), flush=True)
        print()


if __name__ == "__main__":
    main()
