"""The screen: dialogs, frames and console as they are now, and what the keys do."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text
from rich.tree import Tree

from cdp_typed.printable import visible
from supervisor.core.vocabulary.values import FrameTree, PendingDialog, SupervisorSnapshot

from .input_state import View

RECENT = 3
"""Closed dialogs shown below the open ones."""

_LEVELS = {"error": "red", "exception": "red", "warning": "yellow"}


def draw(now: SupervisorSnapshot, view: View, *, height: int, width: int) -> RenderableType:
    """The whole screen. Text of pages is shown on one line each, with everything in it made visible."""
    dialogs, frames = _dialogs(now, view), _frames(now.frame_tree, most=max(3, height // 3))
    left = height - 9 - len(dialogs) - min(now.frame_tree.total + 1, height // 3)
    return Group(
        _head(now),
        Panel(
            Group(*dialogs), title="dialogs", title_align="left", border_style="red" if now.pending_dialogs else "dim"
        ),
        Panel(frames, title="frames", title_align="left", border_style="dim"),
        Panel(_console(now, max(1, left), width), title="console", title_align="left", border_style="dim"),
        _foot(now, view),
    )


def _head(now: SupervisorSnapshot) -> Text:
    current = next((one for one in now.pages if one.is_current), None)
    shown = Text.assemble(
        (now.state, "bold green" if now.state == "ready" else "bold red"), f"  {len(now.pages)} tabs  "
    )
    if current is not None:
        shown.append(visible(current.url, 100), "yellow")
    for blocker in now.blockers:
        shown.append(f"  {blocker.kind}", "red")
    return shown


def _dialogs(now: SupervisorSnapshot, view: View) -> list[Text]:
    lines = [_open(one, view) for one in now.pending_dialogs]
    for record in now.recent_dialogs[-RECENT:]:
        answer = "accepted" if record.accepted else "dismissed"
        lines.append(
            Text(f"  {record.id} {record.type} {answer} by {record.closed_by}: {visible(record.message, 60)}", "dim")
        )
    return lines or [Text("none", "dim")]


def _open(dialog: PendingDialog, view: View) -> Text:
    mark = "> " if dialog.id == view.chosen else "  "
    note = "" if dialog.answerable else "  (takes no answer any more)"
    return Text.assemble(
        (mark, "bold"), (f"{dialog.id} {dialog.type} ", "bold red"), (visible(dialog.message), "yellow"), note
    )


def _frames(tree: FrameTree, *, most: int) -> RenderableType:
    if tree.top is None:
        return Text("no page", "dim")
    root = Tree(Text(visible(tree.top.url), "yellow"))
    branches = {tree.top.frame_id: root}
    for frame in tree.children[:most]:
        kind = "own process" if frame.is_oopif else "same process"
        label = Text.assemble((visible(frame.url), "yellow"), (f"  {visible(frame.name, 30)} {kind}", "dim"))
        branches[frame.frame_id] = branches.get(frame.parent_id or "", root).add(label)
    if tree.total - 1 > most:
        root.add(Text(f"and {tree.total - 1 - most} more", "dim"))
    return root


def _console(now: SupervisorSnapshot, lines: int, width: int) -> Group:
    return Group(
        *(
            Text.assemble(
                (f"{one.level:<9}", _LEVELS.get(one.level, "dim")), visible(one.text, max(10, width - 20)),
                no_wrap=True, overflow="crop",
            )
            for one in now.console[-lines:]
        )
    )  # fmt: skip


def _foot(now: SupervisorSnapshot, view: View) -> Text:
    if view.typing is not None:
        return Text.assemble(("answer: ", "bold"), visible(view.typing, 200), ("_  Enter sends, Esc takes back", "dim"))
    keys = "a accept  d dismiss  j/k choose  q quit" if now.pending_dialogs else "q quit"
    return Text.assemble((keys, "bold"), f"  {view.notice}")
