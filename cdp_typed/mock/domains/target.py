"""The Target domain, on the browser's sessions and on those of pages and iframes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.flows.browser_contexts import create_context, dispose_context, list_contexts, no_context
from cdp_typed.mock.flows.close_page import close_page
from cdp_typed.mock.flows.navigation import open_page
from cdp_typed.mock.page.dialogs import kills_browser
from cdp_typed.mock.state.browser import (
    DEFAULT_CONTEXT,
    LEFT_OUT,
    AutoAttach,
    Filter,
    ReplyTo,
    Request,
    Session,
    Stage,
    Target,
)
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.target.attachment import BROWSER_ID, attach, detach, info, info_changed, matches
from cdp_typed.mock.target.workers import WORKERS, controls, greet

__all__ = ["BROWSER_ID", "HANDLERS", "resume"]

DEFAULT_FILTER: Final[Filter] = (("browser", True), ("tab", True), ("", False))


def _filter(entries: list[dict[str, Any]] | None) -> Filter:
    if entries is None:
        return DEFAULT_FILTER
    return tuple((entry.get("type", ""), entry.get("exclude", False)) for entry in entries)


def _create(turn: Turn, session: Session, request: Request) -> None:
    context: str = request.params.get("browserContextId", DEFAULT_CONTEXT)
    unknown = no_context(turn, context)
    if unknown is not None:
        turn.refuse(request, unknown)
        return
    target = open_page(turn, request.params["url"], context=context)
    turn.reply(request, {"targetId": target.id})
    if not turn.state.targets[target.id].waiting:
        info_changed(turn, target)


def _close(turn: Turn, session: Session, request: Request) -> None:
    target = turn.state.targets.get(request.params["targetId"])
    if target is None:
        turn.refuse(request, Text.NO_TARGET)
        return
    if target.type in WORKERS:
        turn.refuse(request, Text.NOT_CLOSABLE)
        return
    page = target.page
    # With a dialog open Chrome answers when the page is gone, otherwise before it goes.
    open_dialogs = [dialog for dialog in turn.state.dialogs if dialog.page == page]
    if any(kills_browser(dialog) for dialog in open_dialogs):
        turn.crash()
        return
    if not open_dialogs:
        turn.reply(request, {"success": True})
    close_page(turn, page)
    if open_dialogs:
        turn.reply(request, {"success": True})


def _attach(turn: Turn, session: Session, request: Request) -> None:
    target = turn.state.targets.get(request.params["targetId"])
    if target is None:
        turn.refuse(request, Text.NO_TARGET)
    elif not request.params.get("flatten", False):
        turn.refuse(request, Text.MOCK_FLAT_ONLY)
    else:
        made = attach(turn, target, session)
        turn.reply(request, {"sessionId": made.wire})
        greet(turn, made)


def _detach(turn: Turn, session: Session, request: Request) -> None:
    wire = request.params.get("sessionId")
    if wire is None:
        turn.refuse(request, Text.NO_SESSION_PARAM)
        return
    found = turn.state.sessions.get(wire)
    if found is None or found.parent != session.key:
        turn.refuse(request, Text.NO_SUCH_SESSION_PARAM)
        return
    detach(turn, found)
    _resume_freed(turn, [found])
    turn.reply(request)


def _resume_freed(turn: Turn, gone: list[Session]) -> None:
    for session in gone:
        target = turn.state.targets.get(session.target or "")
        if target is not None and target.type != "tab" and not target.waiting:
            frame = turn.state.frames[target.id]
            if frame.loading in ("committing", "script"):
                turn.then(Stage(frame.id, frame.loader, "committing"))


def resume(turn: Turn, session: Session, request: Request) -> None:
    """`Runtime.runIfWaitingForDebugger`: the reply comes when the page has run so far that it can answer."""
    target = turn.state.targets.get(session.target or "")
    if target is None or not target.waiting & {session.key, LEFT_OUT}:
        turn.reply(request)
        return
    # Measured on Chromium 156: a popup runs as soon as one of the clients that hold it lets it go.
    left = frozenset[str]() if target.opener else target.waiting - {session.key, LEFT_OUT}
    target = replace(target, waiting=left)
    turn.put_target(target)
    if target.type == "tab" or target.waiting:
        turn.reply(request)
        return
    frame = turn.state.frames[target.id]
    if frame.thread or target.id in turn.state.openings:
        turn.reply(request)
        turn.then(Stage(frame.id, frame.loader, "committing"))
    else:
        turn.then(Stage(frame.id, frame.loader, "committing", ReplyTo(request.session, request.id)))


def _set_auto_attach(turn: Turn, session: Session, request: Request) -> None:
    params = request.params
    wish = AutoAttach(params["waitForDebuggerOnStart"], _filter(params.get("filter")))
    if not params["autoAttach"]:
        if params.get("filter"):
            turn.refuse(request, Text.NO_FILTER_TO_ATTACH)
            return
        turn.put_session(replace(session, auto_attach=None))
        automatic = [other for other in turn.state.sessions.values() if other.parent == session.key and other.automatic]
        for other in automatic:
            detach(turn, other)
        _resume_freed(turn, automatic)
        turn.reply(request)
        return
    if session.target is None and not params.get("flatten", False):
        turn.refuse(request, Text.FLATTEN_ONLY)
    elif session.target is None and matches(wish.filter, "tab") and matches(wish.filter, "page"):
        turn.refuse(request, Text.TAB_AND_PAGE)
    elif not params.get("flatten", False):
        turn.refuse(request, Text.MOCK_FLAT_ONLY)
    else:
        turn.put_session(replace(session, auto_attach=wish))
        attached = _attach_existing(turn, session, wish)
        turn.reply(request)
        for made in attached:
            greet(turn, made)


def _attach_existing(turn: Turn, session: Session, wish: AutoAttach) -> list[Session]:
    made: list[Session] = []
    taken = {other.target for other in turn.state.sessions.values() if other.parent == session.key and other.automatic}
    for target in list(turn.state.targets.values()):
        mine = target.type not in ("iframe", "worker") if session.target is None else _holds(turn, session, target)
        if mine and target.id not in taken and matches(wish.filter, target.type):
            made.append(attach(turn, target, session, automatic=True))
    return made


def _holds(turn: Turn, session: Session, target: Target) -> bool:
    holder = turn.state.targets[session.target or ""]
    serves = holder.type == "page" and target.type == "service_worker" and controls(target, holder)
    return target.parent == holder.id or serves or (holder.type == "tab" and target.id == holder.page)


def _discover(turn: Turn, session: Session, request: Request) -> None:
    if not request.params["discover"]:
        if "filter" in request.params:
            turn.refuse(request, Text.NO_FILTER_TO_DISCOVER)
            return
        turn.put_session(replace(session, discover=None))
        turn.reply(request)
        return
    old = session.discover
    wish = _filter(request.params.get("filter"))
    turn.put_session(replace(session, discover=wish))
    if old is None and matches(wish, "browser"):
        turn.emit([session], "Target.targetCreated", {"targetInfo": _browser_info()})
    for target in sorted(turn.state.targets.values(), key=lambda target: target.id):
        if matches(wish, target.type) and not (old is not None and matches(old, target.type)):
            turn.emit([turn.state.sessions[session.key]], "Target.targetCreated", {"targetInfo": info(turn, target)})
    turn.reply(request)


def _get_targets(turn: Turn, session: Session, request: Request) -> None:
    wish = _filter(request.params.get("filter"))
    shown = [info(turn, target) for target in turn.state.targets.values() if matches(wish, target.type)]
    turn.reply(request, {"targetInfos": shown})


def _browser_info() -> dict[str, Any]:
    known = {"targetId": BROWSER_ID, "type": "browser", "title": "", "url": ""}
    return {**known, "attached": True, "canAccessOpener": False}


def _attach_browser(turn: Turn, session: Session, request: Request) -> None:
    wire = turn.new_id()
    turn.put_session(Session(wire, session.connection, wire, None, session.key))
    params = {"sessionId": wire, "targetInfo": _browser_info(), "waitingForDebugger": False}
    turn.emit([session], "Target.attachedToTarget", params)
    turn.reply(request, {"sessionId": wire})


def _get_info(turn: Turn, session: Session, request: Request) -> None:
    wanted = request.params.get("targetId", session.target)
    if wanted is None:
        turn.reply(request, {"targetInfo": _browser_info()})
        return
    target = turn.state.targets.get(wanted)
    if target is None:
        turn.refuse(request, Text.NO_TARGET)
    else:
        turn.reply(request, {"targetInfo": info(turn, target)})


def _activate(turn: Turn, session: Session, request: Request) -> None:
    if request.params["targetId"] in turn.state.targets:
        turn.reply(request)
    else:
        turn.refuse(request, Text.NO_TARGET)


HANDLERS: Final[dict[str, Callable[[Turn, Session, Request], None]]] = {
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
