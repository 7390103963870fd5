"""Tells the demo's story in a terminal."""

from __future__ import annotations

from cdp_typed.cli.output import table
from cdp_typed.printable import visible
from supervisor import FrameInfo, SupervisorSnapshot


class Narrator:
    """Tells the story in plain lines, with a heading for each chapter."""

    def chapter(self, title: str) -> None:
        """Start a new part of the story."""
        self._say("")
        self._say(title)

    def fact(self, text: str, detail: str = "") -> None:
        """One thing that was seen. `detail` is the page's own text, shown as such."""
        self._say(f"  {text} {visible(detail)}".rstrip())

    def frames(self, top: FrameInfo, children: tuple[FrameInfo, ...]) -> None:
        """The frame tree of the page."""
        self._say(f"  {_label(top)}  top")
        for frame in children:
            self._say(f"    {_label(frame)}  {'out-of-process' if frame.is_oopif else 'same-process'} iframe")

    def ending(self, last: SupervisorSnapshot) -> None:
        """Show the records that an agent still finds in the last snapshot, and where to read on."""
        self.chapter("What the supervisor remembers")
        rows = [("dialog", "kind", "said", "answer")]
        for dialog in last.recent_dialogs:
            typed = f" with {dialog.user_input}" if dialog.user_input else ""
            rows.append(
                (dialog.id, dialog.type, dialog.message, f"{'accepted' if dialog.accepted else 'dismissed'}{typed}")
            )
        for line in table(rows).splitlines():
            self._say(f"  {line}")
        self.chapter("Your turn: docs/start-agent.md, docs/start-client.md, docs/start-testing.md")

    def _say(self, line: str) -> None:
        print(line, flush=True)


def _label(frame: FrameInfo) -> str:
    return f"{visible(frame.name)}: {visible(frame.url)}" if frame.name else visible(frame.url)
