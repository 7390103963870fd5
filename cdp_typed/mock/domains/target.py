"""The Target domain, on the browser's sessions and on those of pages and iframes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.flows.browser_contexts import (
    browser_context_error,
    create_context,
    dispose_context,
    dispose_owned,
    list_contexts,
)
from cdp_typed.mock.flows.close_page import close_page
from cdp_typed.mock.flows.navigation import open_page
from cdp_typed.mock.flows.unserved_urls import url_error
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
from cdp_typed.mock.target.attachment import BROWSER_ID, attach, detach, emit_info_changed, filter_allows, target_info
from cdp_typed.mock.target.workers import WORKERS, emit_script_loaded, is_controlled_by
from cdp_typed.mock.urls import BLANK_URL, is_valid_url

DEFAULT_FILTER: Final[TargetFilter] = (("browser", True), ("tab", True), ("", False))


def _filter(entries: list[dict[str, Any]] | None) -> TargetFilter:
    if entries is None:
        return DEFAULT_FILTER
    return tuple((entry.get("type", ""), entry.get("exclude", False)) for entry in entries)


_PLACE_OF_A_WINDOW: Final = frozenset({"left", "top", "width", "height", "windowState"})


def _window_error(params: dict[str, Any]) -> Text | None:
    """Return Chromium's error if the call sets the position or state of a window without opening one."""
    if params.get("newWindow"):
        return None
    if params.keys() & _PLACE_OF_A_WINDOW - {"windowState"}:
        return Text.PLACE_OF_NO_WINDOW
    return Text.STATE_OF_NO_WINDOW if "windowState" in params else None


def _hidden_error(params: dict[str, Any]) -> Text | None:
    """Return the error for a target that is to be hidden: Chromium's for what contradicts that, or the mock's."""
    if not params.get("hidden"):
        return None
    if params.get("forTab"):
        return Text.HIDDEN_TAB
    if params.get("newWindow"):
        return Text.HIDDEN_WINDOW
    return Text.MOCK_NO_HIDDEN_TARGETS if params.get("background", True) else Text.HIDDEN_IN_FRONT


def _create(step: Step, session: CDPSession, call: CommandCall) -> None:
    context: str = call.params.get("browserContextId", DEFAULT_CONTEXT)
    unknown = browser_context_error(step, context) or _hidden_error(call.params) or _window_error(call.params)
    if unknown is not None:
        step.refuse(call, unknown)
        return
    url: str = call.params["url"] if is_valid_url(call.params["url"]) else BLANK_URL
    unserved = url_error(step, url)
    if unserved is not None:
        step.refuse(call, unserved)
        return
    target = open_page(step, url, context=context)
    if call.params.keys() & _PLACE_OF_A_WINDOW:
        step.put_target(replace(target, has_window_size=True))
    tab = next(other.id for other in step.state.targets.values() if other.type == "tab" and other.page == target.id)
    step.reply(call, {"targetId": tab if call.params.get("forTab") else target.id})
    if not step.state.targets[target.id].waiting:
        emit_info_changed(step, target)


def _close(step: Step, session: CDPSession, call: CommandCall) -> None:
    target = step.state.targets.get(call.params["targetId"])
    if target is None:
        step.refuse(call, Text.NO_TARGET)
        return
    if target.type in WORKERS:
        step.refuse(call, Text.NOT_CLOSABLE)
        return
    page = target.page
    # With a dialog open Chrome replies when the page has closed, otherwise before it closes.
    open_dialogs = [dialog for dialog in step.state.dialogs if dialog.page == page]
    if any(kills_browser(dialog) for dialog in open_dialogs):
        step.crash()
        return
    if not open_dialogs:
        step.reply(call, {"success": True})
    close_page(step, page)
    if open_dialogs:
        step.reply(call, {"success": True})


def _attach(step: Step, session: CDPSession, call: CommandCall) -> None:
    target = step.state.targets.get(call.params["targetId"])
    if target is None:
        step.refuse(call, Text.NO_TARGET)
    elif not call.params.get("flatten", False):
        step.refuse(call, Text.MOCK_FLAT_ONLY)
    else:
        attached = attach(step, target, session)
        step.reply(call, {"sessionId": attached.session_id})
        emit_script_loaded(step, attached)


def _detach(step: Step, session: CDPSession, call: CommandCall) -> None:
    detached = _detached_session(step, session, call)
    if isinstance(detached, Text):
        step.refuse(call, detached)
        return
    detach(step, detached)
    dispose_owned(step)
    _resume_released(step, [detached])
    step.reply(call)


def _detached_session(step: Step, session: CDPSession, call: CommandCall) -> CDPSession | Text:
    """Return the session that a call names by its id or, in older clients, by its target."""
    children = [other for other in step.state.sessions.values() if other.parent == session.key]
    session_id, target = call.params.get("sessionId"), call.params.get("targetId")
    if session_id is not None:
        return next((other for other in children if other.key == session_id), Text.NO_SUCH_SESSION_PARAM)
    if target is None:
        return Text.NO_SESSION_PARAM
    attached = [other for other in children if other.target == target]
    if len(attached) > 1:
        return Text.SEVERAL_SESSIONS
    return attached[0] if attached else Text.NO_SESSION_OF_TARGET


def _resume_released(step: Step, gone: list[CDPSession]) -> None:
    for session in gone:
        target = step.state.targets.get(session.target or "")
        if target is not None and target.type != "tab" and not target.waiting:
            frame = step.state.frames[target.id]
            if frame.loading in ("committing", "script"):
                step.enqueue(LoadStage(frame.id, frame.loader, "committing"))


def resume(step: Step, session: CDPSession, call: CommandCall) -> None:
    """Handle `Runtime.runIfWaitingForDebugger`: the reply comes once the page runs and can answer."""
    target = step.state.targets.get(session.target or "")
    if target is None or not target.waiting & {session.key, EXCLUDED_BY_FILTER}:
        step.reply(call)
        return
    # Measured on Chromium 156: a popup runs as soon as one of the sessions that hold it releases it.
    left = frozenset[str]() if target.opener else target.waiting - {session.key, EXCLUDED_BY_FILTER}
    target = replace(target, waiting=left)
    step.put_target(target)
    if target.type == "tab" or target.waiting:
        step.reply(call)
        return
    frame = step.state.frames[target.id]
    if frame.thread or target.id in step.state.pending_popups:
        step.reply(call)
        step.enqueue(LoadStage(frame.id, frame.loader, "committing"))
    else:
        step.enqueue(LoadStage(frame.id, frame.loader, "committing", ReplyTo(call.session, call.id)))


def _set_auto_attach(step: Step, session: CDPSession, call: CommandCall) -> None:
    params = call.params
    settings = AutoAttachSettings(params["waitForDebuggerOnStart"], _filter(params.get("filter")))
    if not params["autoAttach"]:
        if params.get("filter"):
            step.refuse(call, Text.NO_FILTER_TO_ATTACH)
            return
        step.put_session(replace(session, auto_attach=None))
        automatic = [other for other in step.state.sessions.values() if other.parent == session.key and other.automatic]
        for other in automatic:
            detach(step, other)
        _resume_released(step, automatic)
        step.reply(call)
        return
    if session.target is None and not params.get("flatten", False):
        step.refuse(call, Text.FLATTEN_ONLY)
    elif session.target is None and filter_allows(settings.filter, "tab") and filter_allows(settings.filter, "page"):
        step.refuse(call, Text.TAB_AND_PAGE)
    elif not params.get("flatten", False):
        step.refuse(call, Text.MOCK_FLAT_ONLY)
    else:
        step.put_session(replace(session, auto_attach=settings))
        attached = _attach_existing(step, session, settings)
        step.reply(call)
        for new_session in attached:
            emit_script_loaded(step, new_session)


def _attach_existing(step: Step, session: CDPSession, settings: AutoAttachSettings) -> list[CDPSession]:
    attached: list[CDPSession] = []
    taken = {other.target for other in step.state.sessions.values() if other.parent == session.key and other.automatic}
    for target in list(step.state.targets.values()):
        eligible = (
            target.type not in ("iframe", "worker") if session.target is None else _auto_attaches(step, session, target)
        )
        if eligible and target.id not in taken and filter_allows(settings.filter, target.type):
            attached.append(attach(step, target, session, automatic=True))
    return attached


def _auto_attaches(step: Step, session: CDPSession, target: Target) -> bool:
    parent = step.state.targets[session.target or ""]
    controlled = parent.type == "page" and target.type == "service_worker" and is_controlled_by(target, parent)
    return target.parent == parent.id or controlled or (parent.type == "tab" and target.id == parent.page)


def _discover(step: Step, session: CDPSession, call: CommandCall) -> None:
    if not call.params["discover"]:
        if "filter" in call.params:
            step.refuse(call, Text.NO_FILTER_TO_DISCOVER)
            return
        step.put_session(replace(session, discover=None))
        step.reply(call)
        return
    old = session.discover
    wanted = _filter(call.params.get("filter"))
    step.put_session(replace(session, discover=wanted))
    if old is None and filter_allows(wanted, "browser"):
        step.emit([session], "Target.targetCreated", {"targetInfo": _browser_info()})
    for target in sorted(step.state.targets.values(), key=lambda target: target.id):
        if filter_allows(wanted, target.type) and not (old is not None and filter_allows(old, target.type)):
            step.emit(
                [step.state.sessions[session.key]], "Target.targetCreated", {"targetInfo": target_info(step, target)}
            )
    step.reply(call)


def _get_targets(step: Step, session: CDPSession, call: CommandCall) -> None:
    wanted = _filter(call.params.get("filter"))
    shown = [target_info(step, target) for target in step.state.targets.values() if filter_allows(wanted, target.type)]
    step.reply(call, {"targetInfos": shown})


def _browser_info() -> dict[str, Any]:
    known = {"targetId": BROWSER_ID, "type": "browser", "title": "", "url": ""}
    return {**known, "attached": True, "canAccessOpener": False}


def _attach_browser(step: Step, session: CDPSession, call: CommandCall) -> None:
    session_id = step.new_id()
    step.put_session(CDPSession(session_id, session.connection, session_id, None, session.key))
    params = {"sessionId": session_id, "targetInfo": _browser_info(), "waitingForDebugger": False}
    step.emit([session], "Target.attachedToTarget", params)
    step.reply(call, {"sessionId": session_id})


def _get_info(step: Step, session: CDPSession, call: CommandCall) -> None:
    wanted = call.params.get("targetId", session.target)
    if wanted is None:
        step.reply(call, {"targetInfo": _browser_info()})
        return
    target = step.state.targets.get(wanted)
    if target is None:
        step.refuse(call, Text.NO_TARGET)
    else:
        step.reply(call, {"targetInfo": target_info(step, target)})


def _activate(step: Step, session: CDPSession, call: CommandCall) -> None:
    if call.params["targetId"] in step.state.targets:
        step.reply(call)
    else:
        step.refuse(call, Text.NO_TARGET)


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
