"""Where the demo is seen: a table that lives, in a terminal; plain lines, elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from .orders import Orders

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

COLUMNS = ("task", "host", "node", "state", "orders", "calls", "restarts")
_COLOURS = {"waits": "dim", "works": "green", "dialog": "yellow", "lost": "red", "done": "bold green", "failed": "red"}


class Board(Protocol):
    """Shows how far the tasks are."""

    def say(self, text: str) -> None:
        """Say something that has happened."""
        ...

    def show(self, rows: Sequence[Sequence[str]]) -> None:
        """Show the tasks; called every now and then, with one row a task."""
        ...

    def end(self) -> None:
        """Show no more."""
        ...


def new_board() -> Board:
    """Return a table in a terminal, if rich is there; else plain lines."""
    if not sys.stdout.isatty():
        return PlainBoard()
    try:
        return LiveBoard()
    except ModuleNotFoundError:
        return PlainBoard()


def row(task: Orders, host: str, node: str) -> tuple[str, ...]:
    """A task, in the order of `COLUMNS`."""
    restarts = str(len(task.reasons)) if task.reasons else ""
    return (task.task_id, host, node, task.state, str(task.rounds), str(task.calls), restarts)


class PlainBoard:
    """Writes a line for each task whose place or state is another one than it was shown, without its calls."""

    def __init__(self) -> None:
        self._shown: dict[str, tuple[str, ...]] = {}

    def say(self, text: str) -> None:
        """See `Board`."""
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def show(self, rows: Sequence[Sequence[str]]) -> None:
        """See `Board`."""
        for cells in rows:
            task, host, node, state, *_, restarts = cells
            now = (host, node, state if state in ("lost", "done", "failed") else "works", restarts)
            if host and self._shown.get(task) != now:
                self._shown[task] = now
                self.say("  " + "  ".join(f"{name} {cell}" for name, cell in zip(COLUMNS, cells, strict=True) if cell))

    def end(self) -> None:
        """See `Board`."""


class LiveBoard:
    """A table of rich. Raises `ModuleNotFoundError` without it."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False)
        self._live: Live | None = None

    def say(self, text: str) -> None:
        """See `Board`."""
        self._console.print(text)

    def show(self, rows: Sequence[Sequence[str]]) -> None:
        """See `Board`."""
        from rich.live import Live

        if self._live is None:
            self._live = Live(console=self._console, auto_refresh=False)
            self._live.start()
        self._live.update(_table(rows), refresh=True)

    def end(self) -> None:
        """See `Board`."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def _table(rows: Sequence[Sequence[str]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(*COLUMNS)
    for cells in rows:
        table.add_row(*(Text(cell, _COLOURS.get(cell, "")) for cell in cells))
    return table
