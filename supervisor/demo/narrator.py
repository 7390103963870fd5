"""Two ways to tell the demo's story: to a reader in a terminal, and not at all."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from cdp_typed.printable import visible
from supervisor.core.vocabulary.values import FrameInfo

if TYPE_CHECKING:
    from rich.console import Console


class Terminal:
    """Tells the story with rich, a heading per chapter and a spinner while it waits."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def chapter(self, title: str) -> None:
        """Start a new part of the story."""
        self._console.print()
        self._console.print(title, style="bold cyan")

    def fact(self, text: str, detail: str = "") -> None:
        """One thing that was seen. `detail` is the page's own text, shown as such."""
        from rich.text import Text

        self._console.print(Text.assemble("  ", text, *([(f" {visible(detail)}", "yellow")] if detail else [])))

    def frames(self, top: FrameInfo, children: tuple[FrameInfo, ...]) -> None:
        """The frame tree of the page."""
        from rich.text import Text
        from rich.tree import Tree

        def label(frame: FrameInfo, kind: str) -> Text:
            name = f"{visible(frame.name)}: " if frame.name else ""
            return Text.assemble(name, (visible(frame.url), "yellow"), (f"  {kind}", "dim"))

        tree = Tree(label(top, "top"))
        for frame in children:
            tree.add(label(frame, "out-of-process iframe" if frame.is_oopif else "same-process iframe"))
        self._console.print(tree)

    def waiting(self, text: str) -> contextlib.AbstractContextManager[object]:
        """A spinner with a line of text."""
        return self._console.status(f"waiting: {text}")


class Silent:
    """Tells nothing, for `--json`."""

    def chapter(self, title: str) -> None:
        """Say nothing."""

    def fact(self, text: str, detail: str = "") -> None:
        """Say nothing."""

    def frames(self, top: FrameInfo, children: tuple[FrameInfo, ...]) -> None:
        """Say nothing."""

    def waiting(self, text: str) -> contextlib.AbstractContextManager[object]:
        """Show nothing."""
        return contextlib.nullcontext()
