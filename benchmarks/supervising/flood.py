"""How far a supervisor is behind a client that hears nothing but dialogs, when a page logs all it can before one."""

from __future__ import annotations

import statistics
import threading
import time

from benchmarks.supervising.latency import Supervised, Wire
from benchmarks.table import render
from cdp_typed import LaunchError
from cdp_typed.launch import launch

MESSAGES, ROUNDS = 20_000, 5
GOAL_MS = 100
SCRIPT = f"for (let line = 0; line < {MESSAGES}; line++) console.log(`line ${{line}} of a page that logs`); alert(1)"


def report() -> str:
    """Return the table."""
    try:
        with launch() as browser:
            bare, behind = _flood(browser.ws_url)
    except LaunchError as error:
        return f"A dialog behind console messages: not measured, there is no browser ({error})"
    return render(
        f"A dialog behind {MESSAGES:,} console messages on real Chromium (smaller is better)",
        ["", "until it is seen", "goal, below"],
        [
            ["a client of dialogs alone", f"{bare * 1e3:.0f} ms", ""],
            ["the supervisor, after that", f"{behind * 1e3:.0f} ms", f"{GOAL_MS} ms"],
        ],
    )


def _flood(url: str) -> tuple[float, float]:
    """Return the seconds until the bare client sees the dialog, and how long after it the supervisor does."""
    watcher = Supervised(url)
    opened = threading.Event()
    opened_at: list[float] = []
    bare, behind = list[float](), list[float]()

    def see(method: str) -> None:
        if method == "Page.javascriptDialogOpening":
            opened_at.append(time.perf_counter())
            opened.set()

    client = Wire(url, see)
    client.session = client.call("Target.attachToTarget", targetId=watcher.target_id, flatten=True)["sessionId"]
    client.call("Page.enable")
    for _ in range(ROUNDS):
        opened.clear()
        watcher.seen.clear()
        begun_at = time.perf_counter()
        ends = client.begin("Runtime.evaluate", expression=SCRIPT)
        assert opened.wait(60)
        assert watcher.seen.wait(60)
        bare.append(opened_at[-1] - begun_at)
        behind.append(watcher.seen_at - opened_at[-1])
        watcher.accept()
        ends()
    client.close()
    watcher.close()
    return statistics.median(bare), statistics.median(behind)
