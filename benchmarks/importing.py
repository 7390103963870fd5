"""Import time and memory of the client and four domains, next to cdp-use; each import in a process of its own."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

from .table import render

ROUNDS = 9

_DOMAINS = "fetch, page, runtime, target"
_TOUCH = "fetch.Enable, page.Enable, runtime.Enable, target.GetTargets"

STATEMENTS = {
    "cdp_use": "import cdp_use",
    "cdp_use + 4 domains": "import cdp_use, " + ", ".join(f"cdp_use.cdp.{name}" for name in _DOMAINS.split(", ")),
    "cdp_typed + 4 domains": f"import cdp_typed; from cdp_typed.protocol import {_DOMAINS}",
    "... and one name of each used": f"import cdp_typed; from cdp_typed.protocol import {_DOMAINS}; {_TOUCH}",
    "... and the client": f"from cdp_typed import connect; from cdp_typed.protocol import {_DOMAINS}; {_TOUCH}",
}
"""A facade executes its domain when it is first used, so that what an import costs comes in two parts."""

_PROBE = """
import time

def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1])

before = resident()
started = time.perf_counter()
{statement}
took = time.perf_counter() - started
print(took, resident() - before)
"""


def measure(statement: str) -> tuple[float, float]:
    """Seconds and MiB of resident memory that an import costs a fresh interpreter (Linux)."""
    run = subprocess.run(
        [sys.executable, "-c", _PROBE.format(statement=statement)], capture_output=True, text=True, check=True
    )
    took, memory_pages = run.stdout.split()
    return float(took), int(memory_pages) * resource.getpagesize() / 2**20


def report() -> str:
    """The table."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in STATEMENTS}
    for _ in range(ROUNDS):
        for name, statement in STATEMENTS.items():
            runs[name].append(measure(statement))
    seconds = {name: statistics.median(took for took, _ in found) for name, found in runs.items()}
    memory = {name: statistics.median(mib for _, mib in found) for name, found in runs.items()}
    rows = [
        [
            name,
            f"{seconds[name] * 1000:.1f} ms",
            f"{seconds[name] / seconds['cdp_use']:.2f}x",
            f"{memory[name]:.1f} MiB",
            f"{memory[name] / memory['cdp_use']:.2f}x",
        ]
        for name in STATEMENTS
    ]
    return render("Import, against cdp_use (smaller is better)", ["", "time", "ratio", "memory", "ratio"], rows)
