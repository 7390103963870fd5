"""An operator who drains hosts and rolls fleets while parts of them are killed."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter

from supervisor.addons.fleet import Fleet, FleetError

WITHIN_S = 3.0
"""How long a drained host's tasks have until they move."""
PAUSE_S = (5.0, 15.0)
LONGEST_S = {"drain": 60.0, "undrain": 60.0, "roll": 400.0}
"""A roll waits for room for three minutes, and three hosts may need it."""


class Operator:
    """Works on one fleet, on a thread, until it is ended."""

    def __init__(self, fleet: Fleet, seed: int) -> None:
        self.outcomes: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._fleet = fleet
        self._random = random.Random(seed)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Let the last action end, and begin no further one."""
        self._ended.set()
        self._thread.join(LONGEST_S["roll"])
        if self._thread.is_alive():
            self.wrong.append("the operator's last action did not end")

    def _work(self) -> None:
        while not self._ended.wait(self._random.uniform(*PAUSE_S)):
            action = self._random.choice(["drain", "drain", "undrain", "roll"])
            began = time.monotonic()
            try:
                self._do(action)
                outcome = "done"
            except FleetError as error:
                outcome = type(error).__name__
            except Exception as error:
                outcome = "WRONG"
                self.wrong.append(f"{action}: {type(error).__name__}: {error}")
            took = time.monotonic() - began
            if took > LONGEST_S[action]:
                self.wrong.append(f"{action}: {outcome} after {took:.0f} s")
            self.outcomes[f"{action}: {outcome}"] += 1

    def _do(self, action: str) -> None:
        if action == "roll":
            self._fleet.roll(WITHIN_S)
            return
        hosts = self._fleet.status().hosts
        if not hosts:
            return
        host = self._random.choice(hosts).host_id
        if action == "drain":
            self._fleet.drain(host, WITHIN_S)
        else:
            self._fleet.undrain(host)
