"""Tells the demo's story in a terminal."""

from __future__ import annotations

import contextlib

from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from cdp_typed.printable import visible
from supervisor import FrameInfo, SupervisorSnapshot


class Narrator:
    """Tells the story with rich, a heading per chapter and a spinner while it waits."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def chapter(self, title: str) -> None:
        """Start a new part of the story."""
        self._console.print()
        self._console.print(title, style="bold cyan")

    def fact(self, text: str, detail: str = "") -> None:
        """One thing that was seen. `detail` is the page's own text, shown as such."""
        self._console.print(Text.assemble("  ", text, *([(f" {visible(detail)}", "yellow")] if detail else [])))

    def frames(self, top: FrameInfo, children: tuple[FrameInfo, ...]) -> None:
        """The frame tree of the page."""

        def label(frame: FrameInfo, kind: str) -> Text:
            name = f"{visible(frame.name)}: " if frame.name else ""
            return Text.assemble(name, (visible(frame.url), "yellow"), (f"  {kind}", "dim"))

        tree = Tree(label(top, "top"))
        for frame in children:
            tree.add(label(frame, "out-of-process iframe" if frame.is_oopif else "same-process iframe"))
        self._console.print(tree)

    def ending(self, last: SupervisorSnapshot) -> None:
        """Show the records that an agent still finds in the last snapshot, and where to read on."""
        self.chapter("What the supervisor remembers")
        table = Table(box=None, padding=(0, 0, 0, 2), header_style="dim")
        for column in ("dialog", "kind", "said", "answer"):
            table.add_column(column)
        for dialog in last.recent_dialogs:
            answer = "accepted" if dialog.accepted else "dismissed"
            typed = f" with {visible(dialog.user_input)}" if dialog.user_input else ""
            table.add_row(dialog.id, dialog.type, Text(visible(dialog.message), "yellow"), answer + typed)
        self._console.print(table)
        self._console.print()
        self._console.print("Your turn: docs/start-agent.md, docs/start-client.md, docs/start-testing.md", style="bold")

    def waiting(self, text: str) -> contextlib.AbstractContextManager[object]:
        """A spinner with a line of text."""
        return self._console.status(f"waiting: {text}")
