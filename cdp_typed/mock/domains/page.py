"""The Page domain: navigation, frames, dialogs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.flows.close_page import ask_before_closing, close_page
from cdp_typed.mock.flows.crashes import crash_target
from cdp_typed.mock.flows.navigation import reload_page, start_navigation, traverse_history
from cdp_typed.mock.flows.network_requests import abort_navigation
from cdp_typed.mock.flows.unserved_urls import url_error
from cdp_typed.mock.page.dialogs import (
    abort_navigation_of,
    announce_closed,
    beforeunload_dialog,
    kills_browser,
    resume_renderer,
)
from cdp_typed.mock.page.documents import frame_tree
from cdp_typed.mock.page.frames import hold_for_document, request_navigation
from cdp_typed.mock.page.history import current_entry, describe_history, find_entry, reset_history
from cdp_typed.mock.page.new_document_scripts import add_script, remove_script, set_lifecycle
from cdp_typed.mock.page.same_document import commit_same_document, is_fragment_navigation
from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, Dialog, Navigation, ReplyTo
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.network import Initiator
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.urls import is_valid_url


def _navigate(step: Step, session: CDPSession, call: CommandCall) -> None:
    url: str = call.params["url"]
    page = session.target or ""
    frame = step.state.frames.get(call.params.get("frameId", page))
    unknown = url_error(step, url)
    if not is_valid_url(url):
        step.refuse(call, Text.INVALID_URL)
    elif unknown is not None:
        step.refuse(call, unknown)
    elif frame is None or frame.page != step.state.targets[page].page:
        step.refuse(call, Text.NO_FRAME_TO_NAVIGATE)
    elif frame.parent is None:
        reply = ReplyTo(call.session, call.id)
        same = is_fragment_navigation(frame, url)
        navigation = Navigation(
            page,
            url,
            step.new_id(),
            reply=reply,
            same_document=same,
            transition=call.params.get("transitionType", "typed"),
            initiator=_referring(call),
        )
        start_navigation(step, navigation, "sameDocument" if same else "differentDocument")
    elif is_fragment_navigation(frame, url):
        started = Navigation(frame.id, url, frame.loader, same_document=True)
        step.reply(call, {"frameId": frame.id, "isDownload": False})
        told = {"frameId": frame.id, "url": url, "loaderId": step.new_id(), "navigationType": "sameDocument"}
        step.emit_if_enabled(frame.target, "Page.frameStartedNavigating", told)
        step.emit_if_enabled(frame.target, "Page.frameStartedLoading", {"frameId": frame.id})
        commit_same_document(step, started)
    else:
        started = request_navigation(step, frame, url, _referring(call))
        step.reply(call, {"frameId": frame.id, "loaderId": started.loader, "isDownload": False})


def _referring(call: CommandCall) -> Initiator:
    words = re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", call.params.get("referrerPolicy", ""))
    is_link = call.params.get("transitionType") == "link"
    return Initiator(referrer=call.params.get("referrer", ""), policy=words, typed=not is_link)


def _reload(step: Step, session: CDPSession, call: CommandCall) -> None:
    page = session.target or ""
    if call.params.get("loaderId", step.state.frames[page].loader) != step.state.frames[page].loader:
        step.refuse(call, Text.RELOAD_DISCARDED)
        return
    reload_page(step, page, answered=call)


def _close(step: Step, session: CDPSession, call: CommandCall) -> None:
    page = session.target or ""
    if any(kills_browser(dialog) for dialog in step.state.dialogs if dialog.page == page):
        step.crash()
        return
    asking = beforeunload_dialog(step, page)
    if asking is not None:
        _abort_navigation(step, asking)
        step.put_dialog(replace(asking, navigation=None, closes=True))
        step.reply(call)
        return
    step.reply(call)
    if not ask_before_closing(step, page):
        close_page(step, page)


def _frame_tree(step: Step, session: CDPSession, call: CommandCall) -> None:
    tree = frame_tree(step, step.state.targets[session.target or ""])
    if tree is None:
        step.refuse(call, Text.NO_FRAME)
    else:
        step.reply(call, {"frameTree": tree})


def _isolated_world(step: Step, session: CDPSession, call: CommandCall) -> None:
    frame = step.state.frames.get(call.params["frameId"])
    if frame is not None and frame.id == session.target and frame.target != session.target:
        hold_for_document(step, frame, call)
        return
    if frame is None or frame.target != session.target:
        step.refuse(call, Text.NO_FRAME)
        return
    name: str = call.params.get("worldName", "")
    known = next((item for item in frame.contexts if item.name == name and not item.is_default), None)
    context = known if known is not None and name else add_context(step, frame, name, is_default=False)
    step.reply(call, {"executionContextId": context.id})


def _handle_dialog(step: Step, session: CDPSession, call: CommandCall) -> None:
    answerable = [dialog for dialog in step.state.dialogs if session.key in dialog.answerable]
    if not answerable:
        step.refuse(call, Text.NO_DIALOG)
        return
    dialog = answerable[-1]
    if kills_browser(dialog):
        step.crash()
        return
    accepted: bool = call.params["accept"]
    text: str = call.params.get("promptText", "")
    if step.process(dialog.process).blocked == "crashed":
        # Measured: the reply comes before the event when the renderer of the dialog has crashed.
        step.reply(call)
        announce_closed(step, dialog, accepted=accepted, text=text)
        return
    if not accepted:
        _abort_navigation(step, dialog)
    announce_closed(step, dialog, accepted=accepted, text=text)
    step.reply(call)
    resume_renderer(step, dialog, accepted=accepted, text=text)


def _abort_navigation(step: Step, dialog: Dialog) -> None:
    """Abort the navigation for which a dialog asks, and end its loading."""
    if abort_navigation_of(step, dialog):
        step.emit_if_enabled(dialog.page, "Page.frameStoppedLoading", {"frameId": dialog.page})


def _history(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.reply(call, describe_history(step, session.target or ""))


def _to_entry(step: Step, session: CDPSession, call: CommandCall) -> None:
    page = session.target or ""
    if step.state.targets[page].type == "iframe":
        step.refuse(call, Text.TOP_LEVEL_ONLY)
        return
    entry = find_entry(step, page, call.params["entryId"])
    if entry is None:
        step.refuse(call, Text.NO_ENTRY)
    elif entry == current_entry(step, page):
        step.reply(call)
    else:
        traverse_history(step, page, entry, answered=call)


def _reset_history(step: Step, session: CDPSession, call: CommandCall) -> None:
    reset_history(step, session.target or "")
    step.reply(call)


def _crash(step: Step, session: CDPSession, call: CommandCall) -> None:
    target = step.state.targets[session.target or ""]
    crash_target(step, target)
    key = step.process_key(step.state.frames[target.id])
    process = step.process(key)
    step.put_process(key, replace(process, queue=(*process.queue, call)))


def _stop(step: Step, session: CDPSession, call: CommandCall) -> None:
    page = session.target or ""
    abort_navigation(step, page)
    asking = beforeunload_dialog(step, page)
    if asking is not None:
        _abort_navigation(step, asking)
    step.reply(call)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
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
