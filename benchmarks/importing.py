"""Processor time and memory of imports: the client and domains, next to cdp-use; each in its own process."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile

from benchmarks.table import render

ROUNDS = 15

_DOMAINS = "fetch, page, runtime, target"
_TOUCH = "fetch.Enable, page.Enable, runtime.Enable, target.GetTargets"

_EVERYTHING_OF_CDP_USE = """
import importlib, pkgutil, cdp_use
for module in pkgutil.walk_packages(cdp_use.__path__, "cdp_use."):
    importlib.import_module(module.name)
"""
_EVERYTHING_OF_OURS = """
import importlib
from cdp_typed import connect
from cdp_typed.protocol import registry
for name in registry.DOMAINS.values():
    domain = importlib.import_module(f"cdp_typed.protocol.{name}")
    _TOUCH_
"""

STATEMENTS = {
    "cdp_use": "import cdp_use",
    "the client of cdp_typed": "from cdp_typed import connect",
    "cdp_use, with what dialling loads": "import cdp_use, websockets; websockets.connect",
    "cdp_typed, with what dialling loads": "from cdp_typed import connect; import cdp_typed.transport.websocket",
    "cdp_use + 4 domains": "import cdp_use, " + ", ".join(f"cdp_use.cdp.{name}" for name in _DOMAINS.split(", ")),
    "cdp_typed + 4 domains": f"import cdp_typed; from cdp_typed.protocol import {_DOMAINS}",
    "... and one name of each used": f"import cdp_typed; from cdp_typed.protocol import {_DOMAINS}; {_TOUCH}",
    "... and the client": f"from cdp_typed import connect; from cdp_typed.protocol import {_DOMAINS}; {_TOUCH}",
    "cdp_use, all modules": _EVERYTHING_OF_CDP_USE,
    "cdp_typed and all domains": _EVERYTHING_OF_OURS.replace("_TOUCH_", "pass"),
    "... and each of them used": _EVERYTHING_OF_OURS.replace("_TOUCH_", "getattr(domain, domain.__all__[0])"),
}
"""A facade imports its domain when it is first used, so both the import and the first use are measured."""

_GOALS = {
    "the client of cdp_typed": "faster and smaller than cdp_use",
    "cdp_typed, with what dialling loads": "faster and smaller than cdp_use with it",
    "... and one name of each used": "faster and smaller than cdp_use + 4 domains",
    "... and the client": "faster and smaller than cdp_use + 4 domains",
    "cdp_typed and all domains": "faster than cdp_use, all modules",
    "... and each of them used": "faster than cdp_use, all modules",
}

_PROBE = """
import time

def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1])

before = resident()
started = time.process_time()
{statement}
took = time.process_time() - started
print(took, resident() - before)
"""


def measure(statement: str, cache: str) -> tuple[float, float]:
    """Return processor seconds and MiB of resident memory of an import in a fresh interpreter (Linux)."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.run(
        [sys.executable, "-c", _PROBE.format(statement=statement)],
        env={**environ, "PYTHONPYCACHEPREFIX": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    took, memory_pages = run.stdout.split()
    return float(took), int(memory_pages) * resource.getpagesize() / 2**20


def report() -> str:
    """Return the table."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in STATEMENTS}
    with tempfile.TemporaryDirectory() as cache:
        for round_number in range(1 + ROUNDS):
            for name, statement in STATEMENTS.items():
                measured = measure(statement, cache)
                if round_number > 0:  # the first one compiles
                    runs[name].append(measured)
    seconds = {name: min(took for took, _ in measured) for name, measured in runs.items()}
    memory = {name: statistics.median(mib for _, mib in measured) for name, measured in runs.items()}
    rows = [
        [
            name,
            f"{seconds[name] * 1000:.1f} ms",
            f"{seconds[name] / seconds['cdp_use']:.2f}x",
            f"{memory[name]:.1f} MiB",
            f"{memory[name] / memory['cdp_use']:.2f}x",
            _GOALS.get(name, ""),
        ]
        for name in STATEMENTS
    ]
    return render(
        "Import, against cdp_use (smaller is better)",
        ["", "CPU", "ratio", "memory", "ratio", "goal"],
        rows,
    )
