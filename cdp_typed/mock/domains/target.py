"""The Target domain, on the browser's sessions and on those of pages and iframes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.flows.browser_contexts import create_context, dispose_context, list_contexts, no_context
from cdp_typed.mock.flows.close_page import close_page
from cdp_typed.mock.flows.navigation import open_page
from cdp_typed.mock.page.dialogs import kills_browser
from cdp_typed.mock.state.browser_state import (
    DEFAULT_CONTEXT,
    EXCLUDED_BY_FILTER,
    AutoAttachSettings,
    CDPSession,
    CommandCall,
    LoadStage,
    ReplyTo,
    Target,
    TargetFilter,
)
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import BROWSER_ID, attach, detach, info, info_changed, matches
from cdp_typed.mock.target.workers import WORKERS, controls, greet

__all__ = ["BROWSER_ID", "HANDLERS", "resume"]

DEFAULT_FILTER: Final[TargetFilter] = (("browser", True), ("tab", True), ("", False))


def _filter(entries: list[dict[str, Any]] | None) -> TargetFilter:
    if entries is None:
        return DEFAULT_FILTER
    return tuple((entry.get("type", ""), entry.get("exclude", False)) for entry in entries)


def _create(step: Step, session: CDPSession, request: CommandCall) -> None:
    context: str = request.params.get("browserContextId", DEFAULT_CONTEXT)
    unknown = no_context(step, context)
    if unknown is not None:
        step.refuse(request, unknown)
        return
    target = open_page(step, request.params["url"], context=context)
    step.reply(request, {"targetId": target.id})
    if not step.state.targets[target.id].waiting:
        info_changed(step, target)


def _close(step: Step, session: CDPSession, request: CommandCall) -> None:
    target = step.state.targets.get(request.params["targetId"])
    if target is None:
        step.refuse(request, Text.NO_TARGET)
        return
    if target.type in WORKERS:
        step.refuse(request, Text.NOT_CLOSABLE)
        return
    page = target.page
    # With a dialog open Chrome answers when the page is gone, otherwise before it goes.
    open_dialogs = [dialog for dialog in step.state.dialogs if dialog.page == page]
    if any(kills_browser(dialog) for dialog in open_dialogs):
        step.crash()
        return
    if not open_dialogs:
        step.reply(request, {"success": True})
    close_page(step, page)
    if open_dialogs:
        step.reply(request, {"success": True})


def _attach(step: Step, session: CDPSession, request: CommandCall) -> None:
    target = step.state.targets.get(request.params["targetId"])
    if target is None:
        step.refuse(request, Text.NO_TARGET)
    elif not request.params.get("flatten", False):
        step.refuse(request, Text.MOCK_FLAT_ONLY)
    else:
        made = attach(step, target, session)
        step.reply(request, {"sessionId": made.wire})
        greet(step, made)


def _detach(step: Step, session: CDPSession, request: CommandCall) -> None:
    wire = request.params.get("sessionId")
    if wire is None:
        step.refuse(request, Text.NO_SESSION_PARAM)
        return
    found = step.state.sessions.get(wire)
    if found is None or found.parent != session.key:
        step.refuse(request, Text.NO_SUCH_SESSION_PARAM)
        return
    detach(step, found)
    _resume_freed(step, [found])
    step.reply(request)


def _resume_freed(step: Step, gone: list[CDPSession]) -> None:
    for session in gone:
        target = step.state.targets.get(session.target or "")
        if target is not None and target.type != "tab" and not target.waiting:
            frame = step.state.frames[target.id]
            if frame.loading in ("committing", "script"):
                step.enqueue(LoadStage(frame.id, frame.loader, "committing"))


def resume(step: Step, session: CDPSession, request: CommandCall) -> None:
    """`Runtime.runIfWaitingForDebugger`: the reply comes when the page has run so far that it can answer."""
    target = step.state.targets.get(session.target or "")
    if target is None or not target.waiting & {session.key, EXCLUDED_BY_FILTER}:
        step.reply(request)
        return
    # Measured on Chromium 156: a popup runs as soon as one of the clients that hold it lets it go.
    left = frozenset[str]() if target.opener else target.waiting - {session.key, EXCLUDED_BY_FILTER}
    target = replace(target, waiting=left)
    step.put_target(target)
    if target.type == "tab" or target.waiting:
        step.reply(request)
        return
    frame = step.state.frames[target.id]
    if frame.thread or target.id in step.state.openings:
        step.reply(request)
        step.enqueue(LoadStage(frame.id, frame.loader, "committing"))
    else:
        step.enqueue(LoadStage(frame.id, frame.loader, "committing", ReplyTo(request.session, request.id)))


def _set_auto_attach(step: Step, session: CDPSession, request: CommandCall) -> None:
    params = request.params
    wish = AutoAttachSettings(params["waitForDebuggerOnStart"], _filter(params.get("filter")))
    if not params["autoAttach"]:
        if params.get("filter"):
            step.refuse(request, Text.NO_FILTER_TO_ATTACH)
            return
        step.put_session(replace(session, auto_attach=None))
        automatic = [other for other in step.state.sessions.values() if other.parent == session.key and other.automatic]
        for other in automatic:
            detach(step, other)
        _resume_freed(step, automatic)
        step.reply(request)
        return
    if session.target is None and not params.get("flatten", False):
        step.refuse(request, Text.FLATTEN_ONLY)
    elif session.target is None and matches(wish.filter, "tab") and matches(wish.filter, "page"):
        step.refuse(request, Text.TAB_AND_PAGE)
    elif not params.get("flatten", False):
        step.refuse(request, Text.MOCK_FLAT_ONLY)
    else:
        step.put_session(replace(session, auto_attach=wish))
        attached = _attach_existing(step, session, wish)
        step.reply(request)
        for made in attached:
            greet(step, made)


def _attach_existing(step: Step, session: CDPSession, wish: AutoAttachSettings) -> list[CDPSession]:
    made: list[CDPSession] = []
    taken = {other.target for other in step.state.sessions.values() if other.parent == session.key and other.automatic}
    for target in list(step.state.targets.values()):
        mine = target.type not in ("iframe", "worker") if session.target is None else _holds(step, session, target)
        if mine and target.id not in taken and matches(wish.filter, target.type):
            made.append(attach(step, target, session, automatic=True))
    return made


def _holds(step: Step, session: CDPSession, target: Target) -> bool:
    holder = step.state.targets[session.target or ""]
    serves = holder.type == "page" and target.type == "service_worker" and controls(target, holder)
    return target.parent == holder.id or serves or (holder.type == "tab" and target.id == holder.page)


def _discover(step: Step, session: CDPSession, request: CommandCall) -> None:
    if not request.params["discover"]:
        if "filter" in request.params:
            step.refuse(request, Text.NO_FILTER_TO_DISCOVER)
            return
        step.put_session(replace(session, discover=None))
        step.reply(request)
        return
    old = session.discover
    wish = _filter(request.params.get("filter"))
    step.put_session(replace(session, discover=wish))
    if old is None and matches(wish, "browser"):
        step.emit([session], "Target.targetCreated", {"targetInfo": _browser_info()})
    for target in sorted(step.state.targets.values(), key=lambda target: target.id):
        if matches(wish, target.type) and not (old is not None and matches(old, target.type)):
            step.emit([step.state.sessions[session.key]], "Target.targetCreated", {"targetInfo": info(step, target)})
    step.reply(request)


def _get_targets(step: Step, session: CDPSession, request: CommandCall) -> None:
    wish = _filter(request.params.get("filter"))
    shown = [info(step, target) for target in step.state.targets.values() if matches(wish, target.type)]
    step.reply(request, {"targetInfos": shown})


def _browser_info() -> dict[str, Any]:
    known = {"targetId": BROWSER_ID, "type": "browser", "title": "", "url": ""}
    return {**known, "attached": True, "canAccessOpener": False}


def _attach_browser(step: Step, session: CDPSession, request: CommandCall) -> None:
    wire = step.new_id()
    step.put_session(CDPSession(wire, session.connection, wire, None, session.key))
    params = {"sessionId": wire, "targetInfo": _browser_info(), "waitingForDebugger": False}
    step.emit([session], "Target.attachedToTarget", params)
    step.reply(request, {"sessionId": wire})


def _get_info(step: Step, session: CDPSession, request: CommandCall) -> None:
    wanted = request.params.get("targetId", session.target)
    if wanted is None:
        step.reply(request, {"targetInfo": _browser_info()})
        return
    target = step.state.targets.get(wanted)
    if target is None:
        step.refuse(request, Text.NO_TARGET)
    else:
        step.reply(request, {"targetInfo": info(step, target)})


def _activate(step: Step, session: CDPSession, request: CommandCall) -> None:
    if request.params["targetId"] in step.state.targets:
        step.reply(request)
    else:
        step.refuse(request, Text.NO_TARGET)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Target.activateTarget": _activate,
    "Target.attachToBrowserTarget": _attach_browser,
    "Target.attachToTarget": _attach,
    "Target.closeTarget": _close,
    "Target.createBrowserContext": create_context,
    "Target.createTarget": _create,
    "Target.detachFromTarget": _detach,
    "Target.disposeBrowserContext": dispose_context,
    "Target.getBrowserContexts": list_contexts,
    "Target.getTargetInfo": _get_info,
    "Target.getTargets": _get_targets,
    "Target.setAutoAttach": _set_auto_attach,
    "Target.setDiscoverTargets": _discover,
}
