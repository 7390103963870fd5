"""A task of the demo: an agent's orders, in each of which a page asks something with a dialog."""

from __future__ import annotations

import json
import time
from typing import Any, Literal, TypeAlias

from supervisor.addons.fleet.fleet import Fleet

ROUNDS = 6
PAGE = "data:text/html,<title>Order {order}</title><h1>Order {order}</h1>"
DIALOGS = (
    ("alert", "alert('Sold')", None, "undefined"),
    ("confirm", "confirm('Buy it?')", None, "true"),
    ("prompt", "prompt('For whom?')", "Ann", "Ann"),
)
"""Of each: its kind, the script that opens it, the text of the answer, and what the page gets."""

State: TypeAlias = Literal["waits", "works", "dialog", "lost", "done", "failed"]
MAY_BE_LOST = ("HostLost",)


class OrderFailed(Exception):
    """A call failed with something else than the loss of a host, or gave what is not true."""


class Orders:
    """One task. After the loss of its host it takes the order that was under way again from its beginning."""

    def __init__(self, fleet: Fleet, task_id: str) -> None:
        self.task_id = task_id
        self.state: State = "waits"
        self.calls: int = 0
        self.rounds: int = 0
        """Orders that are done."""
        self.lost: list[str] = []
        """The error types of calls that were lost."""
        self.reasons: list[str] = []
        """Why it began anew, as its results have told."""
        self.error: str = ""
        self.slowest_s: float = 0.0
        self._fleet = fleet

    @property
    def is_accounted(self) -> bool:
        """It is known how it ended."""
        return self.state == "done" or (self.state == "failed" and self.error != "")

    @property
    def outcome(self) -> str:
        """How it ended, in words."""
        if self.state != "done":
            return f"failed: {self.error}" if self.error else "unaccounted for"
        return f"done after a restart: {'; '.join(self.reasons)}" if self.reasons else "done"

    async def run(self) -> None:
        """Do all orders."""
        try:
            while self.rounds < ROUNDS:
                try:
                    await self._order(self.rounds)
                    self.rounds += 1
                except ConnectionResetError:
                    self.state = "lost"
            if len(self.lost) > 0 and not self.reasons:
                raise OrderFailed("it was lost, and no result has told of a restart")
            self.state = "done"
        except OrderFailed as error:
            self.state, self.error = "failed", str(error)

    async def _order(self, order: int) -> None:
        kind, script, text, expected = DIALOGS[order % len(DIALOGS)]
        await self._call("browser_navigate", url=PAGE.format(order=order))
        script = f"setTimeout(() => {{ window.answer = String({script}) }}, 0), document.title"
        title = await self._call("browser_evaluate", expression=script)
        self._check(title.get("value"), f"Order {order}")
        self.state = "dialog"
        answer = {"action": "accept"} | ({"prompt_text": text} if text is not None else {})
        await self._until_dialog(kind)
        await self._call("browser_dialog", **answer)
        self.state = "works"
        answered = await self._call("browser_evaluate", expression="window.answer")
        self._check(answered.get("value"), expected)

    async def _until_dialog(self, kind: str) -> None:
        began = time.monotonic()
        while time.monotonic() - began < 30:
            result = await self._call("browser_snapshot")
            kinds = [dialog["type"] for dialog in result.get("pending_dialogs", ())]
            if kinds:
                self._check(kinds[0], kind)
                return
        raise OrderFailed("its dialog did not open within 30 s")

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        began = time.monotonic()
        result: dict[str, Any] = json.loads(await self._fleet.adispatch(tool, arguments, self.task_id))
        self.slowest_s = max(self.slowest_s, time.monotonic() - began)
        self.calls += 1
        if self.state != "dialog":
            self.state = "works"
        if "restarted" in result:
            self.reasons.append(str(result["restarted"]))
        kind = result.get("error_type")
        if kind in MAY_BE_LOST:
            self.lost.append(kind)
            raise ConnectionResetError
        if "restarted" in result and tool != "browser_navigate":
            raise ConnectionResetError  # its page is a new one
        if kind is not None and not (tool == "browser_snapshot" and kind == "BlockedByDialog"):
            raise OrderFailed(f"{kind}: {result.get('error')}")
        return result

    def _check(self, seen: object, expected: str) -> None:
        if seen != expected:
            raise OrderFailed(f"WrongResult: {seen!r} in place of {expected!r}")
