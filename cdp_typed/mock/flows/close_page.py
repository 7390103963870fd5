"""Pages that close: whether they ask first, and what goes with them."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.page.bfcache import prune
from cdp_typed.mock.page.dialogs import announce_closed, open_dialog, release
from cdp_typed.mock.page.documents import forget_processes
from cdp_typed.mock.page.frames import is_oopif
from cdp_typed.mock.state.browser import Frame
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.target.attachment import remove_target
from cdp_typed.mock.target.workers import end_workers

__all__ = ["ask_before_closing", "close_page"]


def ask_before_closing(turn: Turn, page: str) -> bool:
    """`Page.close` of a page that wants to ask first: whether it does."""
    frame = turn.state.frames[page]
    asks = frame.document.beforeunload and frame.touched
    if asks:
        open_dialog(turn, frame, "beforeunload", closes=True)
    return asks


def close_page(turn: Turn, page: str, *, quietly: bool = False) -> None:
    """The tab goes, without asking. Calls in flight on it are never answered."""
    dialogs = [dialog for dialog in turn.state.dialogs if dialog.page == page]
    for dialog in dialogs:
        if dialog.frame == page:
            announce_closed(turn, dialog, accepted=False)
    for child in turn.children(page):
        if is_oopif(child):
            turn.tell(page, "Page.frameDetached", {"frameId": child.id, "reason": "remove"})
            remove_target(turn, turn.state.targets[child.id])
    # An OOPIF's dialog that somebody could still answer takes the whole browser down with it.
    if any(dialog.answerable and (dialog.frame != page or dialog.orphan) for dialog in dialogs):
        turn.crash()
        return
    # A page that was asked and let itself be closed goes without this.
    if not quietly and _ends_renderer(turn, turn.state.frames[page]):
        turn.emit(turn.sessions_of(page), "Inspector.detached", {"reason": "Render process gone."})
    # Another page may share the renderer; for this one's work there is nobody left to hear of it.
    for dialog in dialogs:
        release(turn, dialog, accepted=False)
    _drop_page(turn, page)


def _ends_renderer(turn: Turn, frame: Frame) -> bool:
    """Whether no other page lives in the same renderer."""
    key = turn.frame_process(frame)
    others = [other for other in turn.state.frames.values() if other.page != frame.page]
    return not any(turn.frame_process(other) == key for other in others)


def _drop_page(turn: Turn, page: str) -> None:
    frame = turn.state.frames[page]
    for child in (frame, *turn.subtree(page)):
        end_workers(turn, child)
    for child in turn.subtree(page):
        if child.id in turn.state.targets:
            remove_target(turn, turn.state.targets[child.id])
        turn.drop_frame(child.id)
    remove_target(turn, turn.state.targets[page])
    for tab in [target for target in turn.state.targets.values() if target.type == "tab" and target.page == page]:
        remove_target(turn, tab)
    turn.drop_frame(frame.id)
    prune(turn, page, set())
    dialogs = tuple(dialog for dialog in turn.state.dialogs if dialog.page != page)
    histories = {key: history for key, history in turn.state.histories.items() if key != page}
    openings = {key: opening for key, opening in turn.state.openings.items() if key != page}
    turn.state = replace(turn.state, dialogs=dialogs, histories=histories, openings=openings)
    forget_processes(turn, page)
    groups = {key: group for key, group in turn.state.groups.items() if key != page}
    turn.state = replace(turn.state, groups=groups)
