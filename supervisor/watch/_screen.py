"""The parts of the live view: text of pages on one line each, with control characters as escapes.

All of it is `Text`, never `str`: Textual reads markup in a `str`, and with it the names of actions to run on a click.
A page's text comes last on its line or is in quotes, and where it goes on to the next line it never begins it.
"""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from cdp_typed.printable import in_quotes, visible
from supervisor.core.vocabulary.values import DialogRecord, FrameTree, PendingDialog, SupervisorSnapshot

_LEVELS = {"error": "red", "exception": "red", "warning": "yellow"}


def status_line(now: SupervisorSnapshot) -> Text:
    """Return the state of the connection, the number of tabs, the current page's URL, and what blocks pages."""
    line = Text.assemble(
        (now.state, "bold green" if now.state == "ready" else "bold red"), f"  {len(now.pages)} tabs  "
    )
    for blocker in now.blockers:
        line.append(f"{blocker.kind}  ", "red")
    current = next((page for page in now.pages if page.is_current), None)
    if current is not None:
        line.append(visible(current.url, 100), "yellow")
    return line


def open_dialog(dialog: PendingDialog) -> RenderableType:
    """Return the line of a dialog that is open."""
    note = "" if dialog.answerable else "(takes no answer any more) "
    said = Text.assemble(note, (in_quotes(dialog.message), "yellow"))
    return _beside(Text(f"{dialog.id} {dialog.type}", "bold red"), said)


def closed_dialog(record: DialogRecord) -> RenderableType:
    """Return the line of a dialog that is closed."""
    answer = "accepted" if record.accepted else "dismissed"
    said = f"{answer} by {record.closed_by}: {in_quotes(record.message, 60)}"
    return _beside(Text(f"{record.id} {record.type}", "dim"), Text(said, "dim"))


def _beside(dialog: Text, said: Text) -> Table:
    """A dialog, and its message in a separate column, however many lines that takes."""
    line = Table.grid(padding=(0, 1))
    line.add_column(no_wrap=True)
    line.add_column(overflow="fold")
    line.add_row(dialog, said)
    return line


def frame_tree(tree: FrameTree) -> RenderableType:
    """Return the frames of the current page, each with its process."""
    if tree.top is None:
        return Text("no page", "dim")
    root = Tree(_one_line((visible(tree.top.url), "yellow")))
    branches = {tree.top.frame_id: root}
    for frame in tree.children:
        process = "own process" if frame.is_oopif else "same process"
        name = f"  {in_quotes(frame.name, 30)}" if frame.name else ""
        label = _one_line((f"{process}{name}  ", "dim"), (visible(frame.url), "yellow"))
        branches[frame.frame_id] = branches.get(frame.parent_id or "", root).add(label)
    if tree.truncated:
        root.add(Text(f"and {tree.total - 1 - len(tree.children)} more", "dim"))
    return root


def console_lines(now: SupervisorSnapshot) -> Group:
    """Return the console messages that are still held, a line each, cut at the edge of the window."""
    return Group(
        *(
            _one_line((f"{message.level:<9}", _LEVELS.get(message.level, "dim")), (visible(message.text, 500), ""))
            for message in now.console
        )
    )


def _one_line(*parts: tuple[str, str]) -> Text:
    """Texts with their styles on one line, cut at the edge of the window."""
    return Text.assemble(*parts, no_wrap=True, overflow="ellipsis")
