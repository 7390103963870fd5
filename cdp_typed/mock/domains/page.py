"""The Page domain as far as the model knows it: navigation, frames, dialogs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.flows.close_page import ask_before_closing, close_page
from cdp_typed.mock.flows.crashes import crash_target
from cdp_typed.mock.flows.navigation import reload_page, start_navigation, travel
from cdp_typed.mock.flows.requests import abort_navigation
from cdp_typed.mock.page.dialogs import announce_closed, kills_browser, release
from cdp_typed.mock.page.documents import frame_tree
from cdp_typed.mock.page.frames import request_navigation
from cdp_typed.mock.page.history import current_entry, find_entry, reset_history, shown_history
from cdp_typed.mock.page.new_document_scripts import add_script, remove_script, set_lifecycle
from cdp_typed.mock.page.same_document import stays
from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.site import is_valid_url
from cdp_typed.mock.state.browser import Dialog, Navigation, ReplyTo, Request, Session
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Turn

__all__ = ["HANDLERS"]


def _navigate(turn: Turn, session: Session, request: Request) -> None:
    url: str = request.params["url"]
    page = session.target or ""
    frame = turn.state.frames.get(request.params.get("frameId", page))
    if not is_valid_url(url):
        turn.refuse(request, Text.INVALID_URL)
    elif frame is None or frame.page != turn.state.targets[page].page:
        turn.refuse(request, Text.NO_FRAME_TO_NAVIGATE)
    elif frame.parent is None:
        reply = ReplyTo(request.session, request.id)
        same = stays(frame, url)
        navigation = Navigation(page, url, turn.new_id(), reply=reply, same_document=same)
        start_navigation(turn, navigation, "sameDocument" if same else "differentDocument")
    else:
        started = request_navigation(turn, frame, url)
        turn.reply(request, {"frameId": frame.id, "loaderId": started.loader, "isDownload": False})


def _reload(turn: Turn, session: Session, request: Request) -> None:
    reload_page(turn, session.target or "", answered=request)


def _close(turn: Turn, session: Session, request: Request) -> None:
    page = session.target or ""
    if any(kills_browser(dialog) for dialog in turn.state.dialogs if dialog.page == page):
        turn.crash()
        return
    turn.reply(request)
    if not ask_before_closing(turn, page):
        close_page(turn, page)


def _frame_tree(turn: Turn, session: Session, request: Request) -> None:
    tree = frame_tree(turn, turn.state.targets[session.target or ""])
    if tree is None:
        turn.refuse(request, Text.NO_FRAME)
    else:
        turn.reply(request, {"frameTree": tree})


def _isolated_world(turn: Turn, session: Session, request: Request) -> None:
    frame = turn.state.frames.get(request.params["frameId"])
    if frame is None or frame.target != session.target:
        turn.refuse(request, Text.NO_FRAME)
        return
    name: str = request.params.get("worldName", "")
    known = next((item for item in frame.contexts if item.name == name and not item.is_default), None)
    context = known if known is not None and name else add_context(turn, frame, name, is_default=False)
    turn.reply(request, {"executionContextId": context.id})


def _handle_dialog(turn: Turn, session: Session, request: Request) -> None:
    mine = [dialog for dialog in turn.state.dialogs if session.key in dialog.answerable]
    if not mine:
        turn.refuse(request, Text.NO_DIALOG)
        return
    dialog = mine[-1]
    if kills_browser(dialog):
        turn.crash()
        return
    accepted: bool = request.params["accept"]
    text: str = request.params.get("promptText", "")
    if turn.process(dialog.process).blocked == "crashed":
        # Measured: the reply overtakes the event when the renderer that asked is dead.
        turn.reply(request)
        announce_closed(turn, dialog, accepted=accepted, text=text)
        return
    if not accepted:
        _abort_navigation(turn, dialog)
    announce_closed(turn, dialog, accepted=accepted, text=text)
    turn.reply(request)
    release(turn, dialog, accepted=accepted, text=text)


def _abort_navigation(turn: Turn, dialog: Dialog) -> None:
    navigation = dialog.navigation
    if navigation is None:
        return
    if navigation.reply is not None:
        result = {"frameId": navigation.frame, "errorText": "net::ERR_ABORTED", "isDownload": False}
        turn.reply(navigation.reply, result, method="Page.navigate")
    turn.tell(dialog.page, "Page.frameStoppedLoading", {"frameId": dialog.page})


def _history(turn: Turn, session: Session, request: Request) -> None:
    turn.reply(request, shown_history(turn, session.target or ""))


def _to_entry(turn: Turn, session: Session, request: Request) -> None:
    page = session.target or ""
    if turn.state.targets[page].type == "iframe":
        turn.refuse(request, Text.TOP_LEVEL_ONLY)
        return
    entry = find_entry(turn, page, request.params["entryId"])
    if entry is None:
        turn.refuse(request, Text.NO_ENTRY)
    elif entry == current_entry(turn, page):
        turn.reply(request)
    else:
        travel(turn, page, entry, answered=request)


def _reset_history(turn: Turn, session: Session, request: Request) -> None:
    reset_history(turn, session.target or "")
    turn.reply(request)


def _crash(turn: Turn, session: Session, request: Request) -> None:
    target = turn.state.targets[session.target or ""]
    crash_target(turn, target)
    key = turn.frame_process(turn.state.frames[target.id])
    process = turn.process(key)
    turn.put_process(key, replace(process, queue=(*process.queue, request)))


def _stop(turn: Turn, session: Session, request: Request) -> None:
    abort_navigation(turn, session.target or "")
    turn.reply(request)


HANDLERS: Final[dict[str, Callable[[Turn, Session, Request], None]]] = {
    "Page.addScriptToEvaluateOnNewDocument": add_script,
    "Page.close": _close,
    "Page.crash": _crash,
    "Page.createIsolatedWorld": _isolated_world,
    "Page.getFrameTree": _frame_tree,
    "Page.getNavigationHistory": _history,
    "Page.handleJavaScriptDialog": _handle_dialog,
    "Page.navigate": _navigate,
    "Page.navigateToHistoryEntry": _to_entry,
    "Page.reload": _reload,
    "Page.removeScriptToEvaluateOnNewDocument": remove_script,
    "Page.resetNavigationHistory": _reset_history,
    "Page.setLifecycleEventsEnabled": set_lifecycle,
    "Page.stopLoading": _stop,
}
