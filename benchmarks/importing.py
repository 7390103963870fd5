"""Import time and memory of the client and four domains, next to cdp-use; each import in a process of its own."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

from .table import render

ROUNDS = 9

OURS = "import cdp_typed; from cdp_typed.protocol import fetch, page, runtime, target"
BINDINGS = "from cdp_typed.protocol import fetch, page, runtime, target"
PEER = "import cdp_use"
ALL_OURS = "from cdp_typed.protocol.registry import DOMAINS; import importlib; " + (
    "[importlib.import_module(f'cdp_typed.protocol.{name}') for name in DOMAINS.values()]"
)

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
    names = {"cdp_typed + 4 domains": OURS, "4 domains alone": BINDINGS, "all domains": ALL_OURS, "cdp_use": PEER}
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for _ in range(ROUNDS):
        for name, statement in names.items():
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
        for name in names
    ]
    return render("Import, against cdp_use (smaller is better)", ["", "time", "ratio", "memory", "ratio"], rows)
