"""Shows the demo as lines."""

from __future__ import annotations

from collections.abc import Sequence

from .orders import Orders

COLUMNS = ("task", "host", "node", "state", "orders", "calls", "restarts")


def row(task: Orders, host: str, node: str) -> tuple[str, ...]:
    """A task, in the order of `COLUMNS`."""
    restarts = str(len(task.reasons)) if task.reasons else ""
    return (task.task_id, host, node, task.state, str(task.rounds), str(task.calls), restarts)


class Board:
    """Writes a line for each task whose place or state has changed."""

    def __init__(self) -> None:
        self._shown: dict[str, tuple[str, ...]] = {}

    def say(self, text: str) -> None:
        """Say something that has happened."""
        print(text, flush=True)

    def show(self, rows: Sequence[Sequence[str]]) -> None:
        """Show the tasks; called every now and then, with one row a task."""
        for cells in rows:
            task, host, node, state, *_, restarts = cells
            now = (host, node, state if state in ("lost", "done", "failed") else "works", restarts)
            if host and self._shown.get(task) != now:
                self._shown[task] = now
                self.say("  " + "  ".join(f"{name} {cell}" for name, cell in zip(COLUMNS, cells, strict=True) if cell))
