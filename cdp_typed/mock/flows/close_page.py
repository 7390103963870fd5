"""Closing of pages: `beforeunload`, and the removal of the page's targets and frames."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.page.bfcache import evict_documents
from cdp_typed.mock.page.dialogs import announce_closed, open_dialog, resume_renderer
from cdp_typed.mock.page.documents import forget_processes
from cdp_typed.mock.page.frames import is_oopif
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import remove_target
from cdp_typed.mock.target.workers import end_workers


def ask_before_closing(step: Step, page: str) -> bool:
    """Open the `beforeunload` dialog of a page that `Page.close` closes, if it has one; return whether it does."""
    frame = step.state.frames[page]
    has_beforeunload = frame.document.beforeunload and frame.was_activated
    if has_beforeunload:
        open_dialog(step, frame, "beforeunload", closes=True)
    return has_beforeunload


def close_page(step: Step, page: str, *, quietly: bool = False) -> None:
    """Close a tab without `beforeunload`. Its calls in flight are never answered."""
    dialogs = [dialog for dialog in step.state.dialogs if dialog.page == page]
    for dialog in dialogs:
        if dialog.frame == page:
            announce_closed(step, dialog, accepted=False)
    for child in step.children(page):
        if is_oopif(child):
            step.emit_if_enabled(page, "Page.frameDetached", {"frameId": child.id, "reason": "remove"})
            remove_target(step, step.state.targets[child.id])
    # The browser crashes with an OOPIF's dialog that a session could still handle.
    if any(dialog.answerable and (dialog.frame != page or dialog.frame_detached) for dialog in dialogs):
        step.crash()
        return
    # A page that listens to `beforeunload` ends without this event.
    told = not step.state.targets[page].crashed and not step.state.frames[page].document.beforeunload
    if not quietly and told and _ends_renderer(step, step.state.frames[page]):
        step.emit(step.sessions_of(page), "Inspector.detached", {"reason": "Render process gone."})
    # Another page may share the renderer; the queued work of this page has no session any more.
    for dialog in dialogs:
        resume_renderer(step, dialog, accepted=False)
    _drop_page(step, page)


def _ends_renderer(step: Step, frame: FrameNode) -> bool:
    """Return whether no other page shares the renderer."""
    key = step.process_key(frame)
    other_pages = [other for other in step.state.frames.values() if other.page != frame.page]
    return not any(step.process_key(other) == key for other in other_pages)


def _drop_page(step: Step, page: str) -> None:
    frame = step.state.frames[page]
    for child in (frame, *step.subtree(page)):
        end_workers(step, child)
    for child in step.subtree(page):
        if child.id in step.state.targets:
            remove_target(step, step.state.targets[child.id])
        step.drop_frame(child.id)
    remove_target(step, step.state.targets[page])
    for tab in [target for target in step.state.targets.values() if target.type == "tab" and target.page == page]:
        remove_target(step, tab)
    step.drop_frame(frame.id)
    evict_documents(step, page, set())
    dialogs = tuple(dialog for dialog in step.state.dialogs if dialog.page != page)
    histories = {key: history for key, history in step.state.histories.items() if key != page}
    pending_popups = {key: popup for key, popup in step.state.pending_popups.items() if key != page}
    step.state = replace(step.state, dialogs=dialogs, histories=histories, pending_popups=pending_popups)
    forget_processes(step, page)
    groups = {key: group for key, group in step.state.groups.items() if key != page}
    step.state = replace(step.state, groups=groups)
