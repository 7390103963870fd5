"""Events per second and round trips over loopback, next to clients in Python and on Node, and to no client at all."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.table import render
from benchmarks.wire.clients import CLIENTS

ROUNDS, EVENTS, TRIPS = 7, 20_000, 3_000

OURS, BARE = "cdp_typed", "bare websockets + json"
NODE_CLIENTS = ("puppeteer-core", "chrome-remote-interface")
_NODE_CLIENT = Path(__file__).parent / "node_client.mjs"


class Figures(NamedTuple):
    """Of one client, for a whole task: seconds, seconds of a processor, MiB of memory at most."""

    wall: float
    used: float
    memory: float


@contextmanager
def server() -> Generator[str]:
    """Start a server in its own process, and yield its address."""
    command = [sys.executable, "-m", "benchmarks.wire.server", str(EVENTS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"ws://127.0.0.1:{process.stdout.readline().strip()}/devtools/browser/benchmark"
        finally:
            process.kill()


def node_folder() -> Path | None:
    """Return the folder with the clients on Node, if `CDP_TYPED_PEERS` names it and Node is there."""
    folder = os.environ.get("CDP_TYPED_PEERS")
    return Path(folder) if folder and shutil.which("node") else None


def measure(task: str, count: int) -> dict[str, Figures]:
    """Return the figures of each client: medians, and of processor time the least. The clients take turns."""
    folder = node_folder()
    names = [*CLIENTS, *(NODE_CLIENTS if folder is not None else ())]
    runs: dict[str, list[Figures]] = {name: [] for name in names}
    with server() as url:
        for _ in range(ROUNDS):
            for name in names:
                runs[name].append(_run(name, task, url, count, folder))
    return {name: _together(figures) for name, figures in runs.items()}


def _together(rounds: Sequence[Figures]) -> Figures:
    wall, used, memory = zip(*rounds, strict=True)
    return Figures(statistics.median(wall), min(used), statistics.median(memory))


def _run(name: str, task: str, url: str, count: int, folder: Path | None) -> Figures:
    on_node = name in NODE_CLIENTS
    program = ["node", str(_NODE_CLIENT)] if on_node else [sys.executable, "-m", "benchmarks.wire.clients"]
    command = [*program, name, task, url, str(count)]
    run = subprocess.run(command, cwd=folder if on_node else None, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{name}, {task}: {run.stderr}")
    return Figures(*map(float, run.stdout.split()))


def events() -> str:
    """Return two tables of events. The bare loop only reads JSON; the clients also route and deliver the events."""
    large = _events("events", "large events (1.3 kB: Network.requestWillBeSent, Runtime.consoleAPICalled)")
    small = _events("small_events", "small events (0.2 kB: Network.dataReceived, Network.loadingFinished)")
    return f"{large}\n\n{small}"


def _events(task: str, title: str) -> str:
    figures = measure(task, EVENTS)
    ours = figures[OURS]
    rows = [
        [
            name,
            f"{EVENTS / wall:,.0f}",
            f"{wall / ours.wall:.2f}x",
            f"{used / EVENTS * 1e6:.1f} us",
            f"{ours.used / used:.2f}x",
            f"{memory:.0f} MiB",
            "2x as many, 0.5x the CPU" if name in _peers(figures) else "",
        ]
        for name, (wall, used, memory) in figures.items()
    ]
    header = ["", "events per second", "cdp_typed has", "CPU per event", "cdp_typed needs", "memory", "goal"]
    return render(f"{EVENTS:,} {title} over loopback, each to a callback{_left_out()}", header, rows)


def round_trips() -> str:
    """Return the table of round trips."""
    figures = measure("round_trips", TRIPS)
    ours = figures[OURS]
    rows = [
        [
            name,
            f"{wall / TRIPS * 1e6:.0f} us",
            f"{ours.wall / wall:.2f}x",
            f"{used / TRIPS * 1e6:.0f} us",
            f"{memory:.0f} MiB",
            "1.15x" if name == BARE else "1x" if name in _peers(figures) else "",
        ]
        for name, (wall, used, memory) in figures.items()
    ]
    header = ["", "round trip", "cdp_typed takes", "CPU", "memory", "goal, at most"]
    return render(f"A command and its result over loopback (smaller is better){_left_out()}", header, rows)


def _peers(names: Iterable[str]) -> set[str]:
    return {*names} - {OURS, BARE}


def _left_out() -> str:
    return "" if node_folder() is not None else "; without the clients on Node, which `make bench` installs"
