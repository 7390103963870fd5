"""Events per second and round trips over loopback, next to cdp-use and to no client at all."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

from benchmarks.table import render
from benchmarks.wire.clients import CLIENTS

ROUNDS, EVENTS, TRIPS = 5, 20_000, 3_000


@contextmanager
def server() -> Generator[str]:
    """Start a server in a process of its own, and yield its address."""
    command = [sys.executable, "-m", "benchmarks.wire.server", str(EVENTS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"ws://127.0.0.1:{process.stdout.readline().strip()}/devtools/browser/benchmark"
        finally:
            process.kill()


def measure(task: str, count: int) -> dict[str, tuple[float, float]]:
    """Return the median seconds and processor seconds of each client; they take turns, so that noise affects all."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in CLIENTS}
    with server() as url:
        for _ in range(ROUNDS):
            for name in CLIENTS:
                command = [sys.executable, "-m", "benchmarks.wire.clients", name, task, url, str(count)]
                run = subprocess.run(command, capture_output=True, text=True, check=True)
                wall, processor = map(float, run.stdout.split())
                runs[name].append((wall, processor))
    return {
        name: (statistics.median(wall for wall, _ in run), statistics.median(used for _, used in run))
        for name, run in runs.items()
    }


def events() -> str:
    """Return two tables of events. The bare loop only reads JSON; the clients also route and deliver the events."""
    large = _events("events", "large events (1.3 kB: Network.requestWillBeSent, Runtime.consoleAPICalled)")
    small = _events("small_events", "small events (0.2 kB: Network.dataReceived, Network.loadingFinished)")
    return f"{large}\n\n{small}"


def _events(task: str, title: str) -> str:
    times = measure(task, EVENTS)
    peer_wall, peer_used = times["cdp_use"]
    rows = [
        [
            name,
            f"{EVENTS / wall:,.0f}",
            f"{peer_wall / wall:.2f}x",
            f"{used / EVENTS * 1e6:.1f} us",
            f"{used / peer_used:.2f}x",
            "1.5x, 0.5x the CPU" if name == "cdp_typed" else "",
        ]
        for name, (wall, used) in times.items()
    ]
    header = ["", "events per second", "against cdp_use", "CPU per event", "against cdp_use", "goal"]
    return render(f"{EVENTS:,} {title} over loopback, each to a callback", header, rows)


def round_trips() -> str:
    """Return the table of round trips."""
    times = measure("round_trips", TRIPS)
    bare, peer = times["bare websockets + json"][0], times["cdp_use"][0]
    rows = [
        [
            name,
            f"{wall / TRIPS * 1e6:.0f} us",
            f"{wall / bare:.2f}x",
            f"{wall / peer:.2f}x",
            f"{used / TRIPS * 1e6:.0f} us",
            "1.15x bare, 1x cdp_use" if name == "cdp_typed" else "",
        ]
        for name, (wall, used) in times.items()
    ]
    header = ["", "round trip", "against bare", "against cdp_use", "CPU", "goal, at most"]
    return render("A command and its result over loopback (smaller is better)", header, rows)
