"""The parts of the live view: text of pages on one line each, with control characters as escapes.

All of it is `Text`, never `str`: Textual reads markup in a `str`, and with it the names of actions to run on a click.
"""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from cdp_typed.printable import visible
from supervisor.core.vocabulary.values import DialogRecord, FrameTree, PendingDialog, SupervisorSnapshot

_LEVELS = {"error": "red", "exception": "red", "warning": "yellow"}


def status_line(now: SupervisorSnapshot) -> Text:
    """Return the state of the connection, the number of tabs, the current page's URL, and what blocks pages."""
    line = Text.assemble(
        (now.state, "bold green" if now.state == "ready" else "bold red"), f"  {len(now.pages)} tabs  "
    )
    current = next((page for page in now.pages if page.is_current), None)
    if current is not None:
        line.append(visible(current.url, 100), "yellow")
    for blocker in now.blockers:
        line.append(f"  {blocker.kind}", "red")
    return line


def open_dialog(dialog: PendingDialog) -> Text:
    """Return the line of a dialog that is open."""
    note = "" if dialog.answerable else "  (takes no answer any more)"
    return Text.assemble((f"{dialog.id} {dialog.type} ", "bold red"), (visible(dialog.message), "yellow"), note)


def closed_dialog(record: DialogRecord) -> Text:
    """Return the line of a dialog that is closed."""
    answer = "accepted" if record.accepted else "dismissed"
    return Text(f"{record.id} {record.type} {answer} by {record.closed_by}: {visible(record.message, 60)}", "dim")


def frame_tree(tree: FrameTree) -> RenderableType:
    """Return the frames of the current page, each with its process."""
    if tree.top is None:
        return Text("no page", "dim")
    root = Tree(Text(visible(tree.top.url), "yellow"))
    branches = {tree.top.frame_id: root}
    for frame in tree.children:
        process = "own process" if frame.is_oopif else "same process"
        label = Text.assemble((visible(frame.url), "yellow"), (f"  {visible(frame.name, 30)} {process}", "dim"))
        branches[frame.frame_id] = branches.get(frame.parent_id or "", root).add(label)
    if tree.truncated:
        root.add(Text(f"and {tree.total - 1 - len(tree.children)} more", "dim"))
    return root


def console_lines(now: SupervisorSnapshot) -> Group:
    """Return the console messages that are still held, a line each, cut at the edge of the window."""
    return Group(
        *(
            Text.assemble(
                (f"{message.level:<9}", _LEVELS.get(message.level, "dim")), visible(message.text, 500),
                no_wrap=True, overflow="ellipsis",
            )
            for message in now.console
        )
    )  # fmt: skip
