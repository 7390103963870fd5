"""A program that uses a fleet: calls its tasks all the time, and writes down how each call ended.

Its arguments are ADDRESS FLEET FOLDER NAME TASK ...; it ends when FOLDER has a file `stop`, after each task has
answered once more.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from cdp_typed.errors import CDPError
from supervisor.addons.fleet import Fleet

from .fleets import PAGE

PAUSE_S = {"mock": (1.0, 7.0), "chromium": (0.1, 1.0)}
LAST_TRIES = 8
CHROMIUM_PAGE = "data:text/html,<title>Shop</title>"


class Driver:
    def __init__(self, fleet: Fleet, folder: Path, name: str) -> None:
        self._fleet = fleet
        self._stop = folder / "stop"
        self._log: TextIO = (folder / f"calls-{name}").open("a", buffering=1)
        self._calls = 0
        self._page = PAGE if fleet.name == "mock" else CHROMIUM_PAGE

    async def run(self, tasks: list[str]) -> None:
        """Call them until the driver is to stop."""
        await asyncio.gather(*(self._work(task_id) for task_id in tasks))

    async def _work(self, task_id: str) -> None:
        pause = PAUSE_S[self._fleet.name]
        await asyncio.sleep(random.uniform(0, pause[1]))
        while not self._stop.exists():
            kind = await self._call(
                task_id, random.choice(("where", "where", "evaluate", "navigate", "typed", "dialog"))
            )
            if kind == "BlockedByDialog":  # the call that was to answer it was lost
                await self._call(task_id, "dismiss")
            await asyncio.sleep(random.uniform(*pause))
        for _ in range(LAST_TRIES):
            kind = await self._call(task_id, "evaluate")
            if kind == "value":
                self._write(last=task_id)
                return
            if kind == "BlockedByDialog":
                await self._call(task_id, "dismiss")

    async def _call(self, task_id: str, what: str) -> str:
        self._calls += 1
        number = self._calls
        self._write(begin=number, task=task_id, what=what)
        began = time.monotonic()
        try:
            kind, reason = await self._carry_out(task_id, what)
        except (CDPError, TimeoutError) as error:
            kind, reason = f"{type(error).__name__} {error}", ""
        except Exception as error:
            kind, reason = f"WRONG {type(error).__name__}: {error}", ""
        kind, _, text = kind.partition(" ")
        self._write(end=number, kind=kind, text=text, took=time.monotonic() - began, restarted=reason)
        return kind

    async def _carry_out(self, task_id: str, what: str) -> tuple[str, str]:
        if what == "typed":
            value = (await self._fleet.supervisor(task_id).evaluate("6*7")).value
            return ("value" if value == 42 else f"WRONG {value!r}"), ""
        if what == "dialog":
            return await self._dialog(task_id)
        calls: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
            "where": ("chaos_where", {}, {}),
            "evaluate": ("browser_evaluate", {"expression": "6*7"}, {"value": 42}),
            "dismiss": ("browser_dialog", {"action": "dismiss"}, {"accepted": False}),
            "navigate": ("browser_navigate", {"url": self._page}, {"title": "Shop"}),
        }
        tool, arguments, expected = calls[what]
        return _outcome(await self._tool(task_id, tool, arguments), expected)

    async def _dialog(self, task_id: str) -> tuple[str, str]:
        asked = await self._tool(task_id, "browser_evaluate", {"expression": "confirm('Buy?')"})
        if asked.get("error_type") != "BlockedByDialog":
            return _outcome(asked, {"error_type": "BlockedByDialog"})
        answered = await self._tool(task_id, "browser_dialog", {"action": "accept"})
        kind, reason = _outcome(answered, {"accepted": True})
        return kind, reason or str(asked.get("restarted", ""))

    async def _tool(self, task_id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(await self._fleet.adispatch(name, arguments, task_id))
        return result

    def _write(self, **what: object) -> None:
        self._log.write(json.dumps(what) + "\n")


def _outcome(result: dict[str, Any], expected: Mapping[str, object]) -> tuple[str, str]:
    reason = str(result.get("restarted", ""))
    if "error_type" in result:
        return f"{result['error_type']} {result.get('error')}", reason
    is_right = all(result.get(name) == value for name, value in expected.items())
    return ("value" if is_right else f"WRONG {result}"), reason


def main() -> None:
    address, fleet, folder, name, *tasks = sys.argv[1:]
    joined = Fleet.attach(fleet, address=address)
    asyncio.run(Driver(joined, Path(folder), name).run(tasks))
    joined.close()


if __name__ == "__main__":
    main()
