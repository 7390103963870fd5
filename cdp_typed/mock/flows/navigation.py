"""Pages: opening, navigating, loading and closing them."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec.structs import replace

from cdp_typed.mock.flows.close_page import close_page
from cdp_typed.mock.flows.popups import show_popup
from cdp_typed.mock.flows.requests import abort_navigation, request_resources, still_loads
from cdp_typed.mock.js.parser import parse
from cdp_typed.mock.network.events import abandon_scripts
from cdp_typed.mock.page.bfcache import can_park, park, restore
from cdp_typed.mock.page.dialogs import cancel_all, kills_browser, open_dialog
from cdp_typed.mock.page.documents import fail_promises, forget_processes, install, show
from cdp_typed.mock.page.frames import (
    attach_frames,
    commit_child,
    finish_swap,
    is_oopif,
    purge_children,
    request_navigation,
)
from cdp_typed.mock.page.history import begin_history, current_entry, find_entry, note_title, record, will_replace
from cdp_typed.mock.page.new_document_scripts import tell_lifecycle
from cdp_typed.mock.page.same_document import arrive
from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.site import BLANK_URL, origin_of
from cdp_typed.mock.state.browser import (
    DEFAULT_CONTEXT,
    Context,
    Departure,
    Entry,
    Frame,
    Job,
    Navigation,
    Request,
    Stage,
    Target,
)
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.target.attachment import auto_attach_new, discoverers, info, info_changed
from cdp_typed.mock.target.workers import end_worker, end_workers, follow_service_workers, perform_worker_stage

__all__ = [
    "commit",
    "depart",
    "hold",
    "open_page",
    "perform_stage",
    "reload_page",
    "revive",
    "start_navigation",
    "travel",
]


def open_page(turn: Turn, url: str, *, context: str = DEFAULT_CONTEXT) -> Target:
    """A new tab. Sessions with browser-level auto-attach get it first, and may hold it before its script runs."""
    page, tab = turn.new_id(), Target(turn.new_id(), "tab", "", context=context)
    turn.put_target(tab)
    turn.emit(discoverers(turn, tab), "Target.targetCreated", {"targetInfo": info(turn, tab)})
    auto_attach_new(turn, tab, None)
    turn.put_target(replace(turn.state.targets[tab.id], page=page))
    frame = install(turn, Frame(page, None, page, page), Navigation(page, url, turn.new_id()))
    add_context(turn, frame)
    target = Target(page, "page", page, url=url, title=frame.title, context=context)
    turn.put_target(target)
    begin_history(turn, turn.state.frames[page])
    auto_attach_new(turn, target, None)
    turn.emit(discoverers(turn, target), "Target.targetCreated", {"targetInfo": info(turn, target)})
    if not turn.state.targets[page].waiting:
        turn.then(Stage(page, frame.loader, "script"))
    return target


def start_navigation(
    turn: Turn, navigation: Navigation, kind: str = "differentDocument", *, answered: Request | None = None
) -> None:
    """A page goes elsewhere: start it, answer a call that wanted no more, get dialogs out of the way, let it commit."""
    page = navigation.frame
    if any(kills_browser(dialog) for dialog in turn.state.dialogs if dialog.page == page):
        turn.crash()
        return
    abort_navigation(turn, page)
    frame = turn.state.frames[page]
    if turn.state.targets[page].crashed:
        revive(turn, frame)
    params = {"frameId": page, "url": navigation.url, "loaderId": navigation.loader, "navigationType": kind}
    turn.tell(page, "Page.frameStartedNavigating", params)
    turn.tell(page, "Page.frameStartedLoading", {"frameId": page})
    if answered is not None:
        turn.reply(answered)
    asks = frame.document.beforeunload and frame.touched and not navigation.same_document
    if asks and not turn.process(turn.frame_process(frame)).blocked:
        open_dialog(turn, frame, "beforeunload", navigation=navigation)
        return
    cancel_all(turn, page)
    turn.then(navigation)


def reload_page(turn: Turn, page: str, *, answered: Request | None = None) -> None:
    """`Page.reload`, or a script's."""
    frame = turn.state.frames[page]
    # Only a user's or a client's reload changes how the entry came about.
    transition = "reload" if answered is not None else current_entry(turn, page).transition
    navigation = Navigation(page, frame.unreachable or frame.url, turn.new_id(), reload=True, transition=transition)
    start_navigation(turn, navigation, "reload", answered=answered)


def travel(turn: Turn, page: str, entry: Entry, *, answered: Request | None = None) -> None:
    """Go to another entry of the page's session history."""
    same = entry.loader == current_entry(turn, page).loader
    navigation = Navigation(page, entry.url, turn.new_id(), entry=entry.id, same_document=same)
    kind = "historySameDocument" if same else "historyDifferentDocument"
    start_navigation(turn, navigation, kind, answered=answered)


def depart(turn: Turn, departure: Departure) -> None:
    """The script that wanted its frame to go elsewhere has ended."""
    frame = turn.state.frames.get(departure.frame)
    if frame is None:
        return
    if frame.parent is not None:
        request_navigation(turn, frame, departure.url)
    elif departure.reload:
        reload_page(turn, frame.id)
    else:
        replaces = departure.replaces
        start_navigation(turn, Navigation(frame.id, departure.url, turn.new_id(), replaces=replaces, transition="link"))


def navigation_result(turn: Turn, navigation: Navigation) -> dict[str, Any]:
    """`Page.navigate`'s result."""
    if navigation.same_document:
        return {"frameId": navigation.frame, "isDownload": False}
    error = navigation.error or _failure(turn, navigation)
    loader = {} if navigation.error else {"loaderId": navigation.loader}
    text = {"errorText": error} if error else {}
    return {"frameId": navigation.frame, **loader, **text, "isDownload": False}


def _failure(turn: Turn, navigation: Navigation) -> str:
    if navigation.answer is not None:
        return navigation.answer.error
    found = turn.state.site.page(navigation.url) is not None
    return "" if found else turn.state.site.failure(navigation.url)


def commit(turn: Turn, navigation: Navigation) -> None:
    """The new document of a page or an iframe arrives."""
    frame = turn.state.frames.get(navigation.frame)
    if frame is None:
        return
    if frame.parent is not None:
        commit_child(turn, navigation)
        return
    if navigation.reply is not None:
        turn.reply(navigation.reply, navigation_result(turn, navigation), method="Page.navigate")
    if navigation.same_document:
        arrive(turn, navigation)
        return
    fail_promises(turn, frame.id)
    has_oopif = any(is_oopif(child) for child in turn.children(frame.id))
    note_title(turn, frame)
    _leave(turn, frame, navigation)
    _forget_console(turn, frame.target)
    if _restored(turn, frame, navigation):
        return
    reused = _reused_contexts(frame, navigation)
    if turn.frame_process(frame) != turn.renderer(frame.page, navigation.url) and not reused:
        turn.put_frame(replace(frame, url=navigation.url))
        forget_processes(turn, frame.page)
    frame = replace(install(turn, frame, navigation), contexts=reused)
    turn.put_frame(frame)
    record(turn, frame, navigation)
    target = replace(turn.state.targets[frame.target], url=frame.url, title=frame.title)
    turn.put_target(target)
    missed = navigation.entry is not None
    show(turn, frame, clears=0 if reused else 1 if navigation.reload and has_oopif else 2, missed=missed)
    info_changed(turn, target)
    if reused and frame.url == BLANK_URL:
        # There was nothing to fetch, and so nothing was said of a start before.
        turn.tell(frame.id, "Page.frameStartedLoading", {"frameId": frame.id})
    follow_service_workers(turn, target)


def _reused_contexts(frame: Frame, navigation: Navigation) -> tuple[Context, ...]:
    """The first document of a page that a script opened takes over the window that the script has been given."""
    same = navigation.url == BLANK_URL or origin_of(navigation.url) == origin_of(frame.inherits)
    return frame.contexts if not frame.url and frame.inherits and same else ()


def _leave(turn: Turn, frame: Frame, navigation: Navigation) -> None:
    """The document goes: into the back/forward cache if its entry stays, and for good otherwise."""
    if not will_replace(turn, navigation) and can_park(turn, frame):
        park(turn, frame)
    else:
        purge_children(turn, frame, removed=navigation.reload)
        end_workers(turn, frame)


def _restored(turn: Turn, frame: Frame, navigation: Navigation) -> bool:
    """Whether the back/forward cache had the document."""
    entry = find_entry(turn, frame.page, navigation.entry or 0)
    if entry is None or entry.loader not in turn.state.parked:
        return False
    record(turn, restore(turn, entry.loader), navigation)
    follow_service_workers(turn, turn.state.targets[frame.target])
    forget_processes(turn, frame.page)
    return True


def hold(turn: Turn, navigation: Navigation) -> Navigation:
    """The renderer is not free to commit: the call is answered all the same, and what waits on the page fails."""
    frame = turn.state.frames.get(navigation.frame)
    if frame is None or frame.parent is not None:
        return navigation
    if navigation.reply is not None:
        turn.reply(navigation.reply, navigation_result(turn, navigation), method="Page.navigate")
    for dialog in turn.state.dialogs:
        if dialog.frame == frame.id and dialog.job is not None and dialog.job.reply is not None:
            turn.refuse(dialog.job.reply, Text.NAVIGATED)
            turn.put_dialog(replace(dialog, job=replace(dialog.job, reply=None)))
    abandon_scripts(turn, frame.id)
    fail_promises(turn, frame.id)
    key = turn.frame_process(frame)
    process = turn.process(key)
    for work in process.queue:
        if isinstance(work, Request):
            turn.refuse(work, Text.NAVIGATED)
    kept = tuple(work for work in process.queue if not isinstance(work, Request))
    turn.put_process(key, replace(process, queue=kept))
    return replace(navigation, reply=None)


def _forget_console(turn: Turn, target: str) -> None:
    turn.state = replace(turn.state, console=tuple(kept for kept in turn.state.console if kept.target != target))


def perform_stage(turn: Turn, stage: Stage) -> None:
    """The next step of a document's loading. A document that was replaced meanwhile loads no further."""
    if stage.next == "closing":
        target = turn.state.targets.get(stage.frame)
        if target is not None and target.type == "worker":
            end_worker(turn, target.id)
        elif target is not None:
            close_page(turn, target.id, quietly=True)
        return
    frame = turn.state.frames.get(stage.frame)
    if frame is None or frame.loader != stage.loader:
        return
    if frame.thread:
        perform_worker_stage(turn, frame, stage)
        return
    match stage.next:
        case "starting" | "committing":
            _resume(turn, frame, stage)
        case "script":
            _run(turn, frame, frame.document.script, replace(stage, next="frames"))
        case "frames":
            _load_resources(turn, frame, stage)
        case "settling":
            _settle(turn, frame)
        case "on_load":
            _run(turn, frame, frame.document.on_load, replace(stage, next="done"))
        case "done":
            _loaded(turn, frame)
        case _:
            assert_never(stage.next)


def _resume(turn: Turn, frame: Frame, stage: Stage) -> None:
    target = turn.state.targets[frame.id]
    if target.id in turn.state.openings:
        show_popup(turn, frame)
        return
    if target.type == "page":
        info_changed(turn, target)
    script = Stage(frame.id, frame.loader, "script", stage.reply)
    if target.type == "iframe" and frame.loading == "committing":
        finish_swap(turn, target.id)
        # The swap has put the script on the list already; this one carries the reply that is owed.
        turn.todo.remove(replace(script, reply=None))
    turn.then(script)


def _run(turn: Turn, frame: Frame, script: str, after: Stage) -> None:
    if script and frame.contexts:
        turn.then(Job(frame.id, frame.contexts[0].unique_id, parse(script), stage=after, url=frame.url))
    else:
        turn.then(after)


def _load_resources(turn: Turn, frame: Frame, stage: Stage) -> None:
    """What belongs to the document is asked for; its scripts hold it up."""
    if frame.loading != "script":
        return
    if frame.document.resources and not frame.resources_asked:
        request_resources(turn, frame)
        turn.then(stage)
    elif still_loads(turn, frame, scripts_only=True):
        if stage.reply is not None:
            turn.reply(stage.reply, method="Runtime.runIfWaitingForDebugger")
    else:
        _load_frames(turn, frame, stage)


def _load_frames(turn: Turn, frame: Frame, stage: Stage) -> None:
    if stage.reply is not None:
        turn.reply(stage.reply, method="Runtime.runIfWaitingForDebugger")
    frame = replace(frame, loading="frames")
    turn.put_frame(frame)
    started = attach_frames(turn, frame)
    if frame.target == frame.id:
        turn.tell(frame.target, "Page.domContentEventFired", {"timestamp": turn.now})
    tell_lifecycle(turn, frame, "DOMContentLoaded")
    for navigation in started:
        turn.then(navigation)
    _settle(turn, frame)


def _settle(turn: Turn, frame: Frame) -> None:
    """When all its iframes have loaded, so has the frame, except for its own handler."""
    if still_loads(turn, frame):
        return
    if frame.loading == "frames" and all(child.loading == "done" for child in turn.children(frame.id)):
        turn.put_frame(replace(frame, loading="on_load"))
        turn.then(Stage(frame.id, frame.loader, "on_load"))


def _loaded(turn: Turn, frame: Frame) -> None:
    turn.put_frame(replace(frame, loading="done"))
    if frame.target == frame.id:
        turn.tell(frame.target, "Page.loadEventFired", {"timestamp": turn.now})
    tell_lifecycle(turn, frame, "load")
    turn.tell(frame.target, "Page.frameStoppedLoading", {"frameId": frame.id})
    tell_lifecycle(turn, frame, "networkAlmostIdle", "networkIdle")
    parent = turn.state.frames.get(frame.parent or "")
    if parent is not None:
        _settle(turn, parent)


def revive(turn: Turn, frame: Frame) -> None:
    """A crashed page is navigated: only now do the calls that died with it fail."""
    turn.put_target(replace(turn.state.targets[frame.target], crashed=False))
    key = turn.frame_process(frame)
    waiting = turn.process(key).queue
    turn.put_process(key, replace(turn.process(key), blocked="", queue=()))
    for promise in turn.state.promises:
        if promise.frame == frame.id:
            turn.refuse(promise.reply, Text.CRASHED)
    turn.state = replace(turn.state, promises=tuple(item for item in turn.state.promises if item.frame != frame.id))
    for work in waiting:
        if isinstance(work, Request):
            turn.refuse(work, Text.CRASHED)
    # Like `targetCrashed`, it comes without `Inspector.enable`.
    turn.emit(turn.sessions_of(frame.target), "Inspector.targetReloadedAfterCrash")
