"""A program that uses a fleet and is told what to call, line by line."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

START_S = 90.0


class Caller:
    """The program: it carries out the calls that it reads, and writes down the answers."""

    def __init__(self, start: Callable[..., subprocess.Popen[Any]], address: str, fleet: str, fence_s: float) -> None:
        program = [sys.executable, "-m", f"{__package__}.line_driver", address, fleet, str(fence_s)]
        self.process = start(*program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self._answers: queue.Queue[Mapping[str, Any]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.answer(START_S)

    def ask(self, task_id: str, expression: str) -> None:
        """Have it evaluate an expression in a task."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([task_id, expression]) + "\n")

    def answer(self, within_s: float) -> Mapping[str, Any]:
        """The next answer, with `began` and `ended`."""
        return self._answers.get(timeout=within_s)

    def call(self, task_id: str, expression: str, within_s: float = 120.0) -> Mapping[str, Any]:
        self.ask(task_id, expression)
        return self.answer(within_s)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("{"):
                self._answers.put(json.loads(line))


def until(is_so: Callable[[], object], within_s: float, else_says: str) -> None:
    deadline = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(else_says)
        time.sleep(0.2)
