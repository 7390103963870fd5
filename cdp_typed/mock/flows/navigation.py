"""Pages: opening and navigating them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.flows.network_requests import abort_external, abort_navigation
from cdp_typed.mock.flows.unserved_urls import leaves_browser
from cdp_typed.mock.network.network_events import fail_stopped_scripts
from cdp_typed.mock.page.bfcache import cache_document, can_cache, restore_document
from cdp_typed.mock.page.dialogs import (
    abort_navigation_of,
    beforeunload_dialog,
    cancel_all,
    kills_browser,
    open_dialog,
)
from cdp_typed.mock.page.documents import announce_document, fail_promises, forget_processes, install_document
from cdp_typed.mock.page.frames import (
    commit_child,
    is_oopif,
    purge_children,
    request_navigation,
)
from cdp_typed.mock.page.history import (
    begin_history,
    current_entry,
    find_entry,
    record_navigation,
    save_title,
    will_replace,
)
from cdp_typed.mock.page.same_document import commit_same_document
from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.browser_state import (
    DEFAULT_CONTEXT,
    CommandCall,
    ExecutionContext,
    FrameNode,
    LoadStage,
    Navigation,
    NavigationEntry,
    ScriptNavigation,
    Target,
)
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.http import document_at
from cdp_typed.mock.state.network import Initiator
from cdp_typed.mock.state.step import Step, initiator_of
from cdp_typed.mock.target.attachment import (
    auto_attach_new,
    discoverers,
    early_title,
    emit_info_changed,
    show_address,
    target_info,
)
from cdp_typed.mock.target.workers import attach_service_workers, end_workers
from cdp_typed.mock.urls import BLANK_URL, visible_url


def open_page(step: Step, url: str, *, context: str = DEFAULT_CONTEXT) -> Target:
    """Open a tab. Sessions with browser-level auto-attach are attached before its script runs, and may hold it."""
    page, tab = step.new_id(), Target(step.new_id(), "tab", "", context=context)
    shown = "" if leaves_browser(step, url) else visible_url(url)
    url = url if shown else BLANK_URL
    step.put_target(tab)
    step.emit(discoverers(step, tab), "Target.targetCreated", {"targetInfo": target_info(step, tab)})
    auto_attach_new(step, tab, None)
    step.put_target(replace(step.state.targets[tab.id], page=page))
    frame = install_document(step, FrameNode(page, None, page, page), Navigation(page, url, step.new_id()))
    add_context(step, frame)
    target = Target(page, "page", page, url=shown, title=frame.title, context=context)
    step.put_target(target)
    begin_history(step, step.state.frames[page])
    auto_attach_new(step, target, None)
    step.emit(discoverers(step, target), "Target.targetCreated", {"targetInfo": target_info(step, target)})
    if not step.state.targets[page].waiting:
        step.enqueue(LoadStage(page, frame.loader, "script"))
    return target


def start_navigation(
    step: Step, navigation: Navigation, kind: str = "differentDocument", *, answered: CommandCall | None = None
) -> None:
    """Start a navigation: reply to `answered`, open `beforeunload` or cancel open dialogs, queue the commit."""
    page = navigation.frame
    if any(kills_browser(dialog) for dialog in step.state.dialogs if dialog.page == page):
        step.crash()
        return
    abort_navigation(step, page)
    frame = step.state.frames[page]
    if step.state.targets[page].crashed:
        recover_crashed_page(step, frame)
    asking = beforeunload_dialog(step, page)
    if asking is not None:
        abort_navigation_of(step, asking)
    params = {"frameId": page, "url": navigation.url, "loaderId": navigation.loader, "navigationType": kind}
    step.emit_if_enabled(page, "Page.frameStartedNavigating", params)
    step.emit_if_enabled(page, "Page.frameStartedLoading", {"frameId": page})
    if answered is not None:
        step.reply(answered)
    if asking is not None:
        # The page is asked once; its answer is for the later navigation, if that leaves the document.
        step.put_dialog(replace(asking, navigation=None if navigation.same_document else navigation))
        if navigation.same_document:
            step.enqueue(navigation)
        return
    has_beforeunload = frame.document.beforeunload and frame.was_activated and not navigation.same_document
    if has_beforeunload and not step.process(step.process_key(frame)).blocked:
        open_dialog(step, frame, "beforeunload", navigation=navigation)
        return
    cancel_all(step, page)
    step.enqueue(navigation)


def reload_page(step: Step, page: str, *, answered: CommandCall | None = None) -> None:
    """Reload a page for `Page.reload` or for a script."""
    frame = step.state.frames[page]
    # Only a user's or a client's reload changes the entry's transition type.
    transition = "reload" if answered is not None else current_entry(step, page).transition
    bypassing = answered is not None and answered.params.get("ignoreCache", False)
    navigation = Navigation(
        page,
        frame.unreachable or frame.url,
        step.new_id(),
        reload=True,
        transition=transition,
        initiator=Initiator() if answered is not None else initiator_of(frame, "script"),
        cache="no-cache" if bypassing else "max-age=0",
    )
    start_navigation(step, navigation, "reloadBypassingCache" if bypassing else "reload", answered=answered)


def traverse_history(step: Step, page: str, entry: NavigationEntry, *, answered: CommandCall | None = None) -> None:
    """Navigate to another entry of the page's session history."""
    same = entry.loader == current_entry(step, page).loader
    navigation = Navigation(page, entry.url, step.new_id(), entry=entry.id, same_document=same)
    kind = "historySameDocument" if same else "historyDifferentDocument"
    start_navigation(step, navigation, kind, answered=answered)


def begin_script_navigation(step: Step, navigation: ScriptNavigation) -> None:
    """Begin the navigation that a script requested, now that the script has ended."""
    frame = step.state.frames.get(navigation.frame)
    if frame is None:
        return
    if frame.parent is not None:
        request_navigation(step, frame, navigation.url, navigation.initiator)
    elif navigation.reload:
        reload_page(step, frame.id)
    else:
        started = Navigation(
            frame.id,
            navigation.url,
            step.new_id(),
            replaces=navigation.replaces,
            transition="link",
            initiator=navigation.initiator,
        )
        start_navigation(step, started)


def navigation_result(step: Step, navigation: Navigation) -> dict[str, Any]:
    """Return the result of `Page.navigate`."""
    if navigation.same_document:
        return {"frameId": navigation.frame, "isDownload": False}
    error = navigation.error or _error_text(step, navigation)
    loader = {} if navigation.error else {"loaderId": navigation.loader}
    text = {"errorText": error} if error else {}
    return {"frameId": navigation.frame, **loader, **text, "isDownload": False}


def _error_text(step: Step, navigation: Navigation) -> str:
    if navigation.response is not None:
        return navigation.response.error
    exists = document_at(step.state.site, navigation.url) is not None
    return "" if exists else step.state.site.failure(navigation.url)


def commit(step: Step, navigation: Navigation) -> None:
    """Commit the new document of a page or an iframe."""
    frame = step.state.frames.get(navigation.frame)
    if frame is None:
        return
    if leaves_browser(step, navigation.url):
        abort_external(step, navigation)
        return
    if frame.parent is not None:
        commit_child(step, navigation)
        return
    if navigation.reply is not None:
        step.reply(navigation.reply, navigation_result(step, navigation), method="Page.navigate")
    if navigation.same_document:
        commit_same_document(step, navigation)
        return
    fail_promises(step, frame.id)
    has_oopif = any(is_oopif(child) for child in step.children(frame.id))
    save_title(step, frame)
    _leave_document(step, frame, navigation)
    _forget_console(step, frame.target)
    if _restore_from_bfcache(step, frame, navigation):
        return
    reused = _reused_contexts(frame, navigation)
    if step.process_key(frame) != step.renderer_key(frame.page, navigation.url) and not reused:
        step.put_frame(replace(frame, url=navigation.url))
        forget_processes(step, frame.page)
    frame = replace(install_document(step, frame, navigation), contexts=reused)
    step.put_frame(frame)
    record_navigation(step, frame, navigation)
    target = show_address(step, frame)
    missed = navigation.entry is not None
    announce_document(step, frame, clears=0 if reused else 1 if navigation.reload and has_oopif else 2, missed=missed)
    emit_info_changed(step, replace(target, title=early_title(target)))
    if reused and frame.url == BLANK_URL:
        # Without a request there was no event of its start before.
        step.emit_if_enabled(frame.id, "Page.frameStartedLoading", {"frameId": frame.id})
    attach_service_workers(step, target)


def _reused_contexts(frame: FrameNode, navigation: Navigation) -> tuple[ExecutionContext, ...]:
    """Return the contexts that the first document of a popup takes over from its empty one."""
    same = navigation.url == BLANK_URL or origin_of(navigation.url) == origin_of(frame.inherited_url)
    return frame.contexts if not frame.url and frame.inherited_url and same else ()


def _leave_document(step: Step, frame: FrameNode, navigation: Navigation) -> None:
    """Leave the document: into the back/forward cache if its entry stays in the history, else discard it."""
    if not will_replace(step, navigation) and can_cache(step, frame):
        cache_document(step, frame)
    else:
        purge_children(step, frame, removed=navigation.reload)
        end_workers(step, frame)


def _restore_from_bfcache(step: Step, frame: FrameNode, navigation: Navigation) -> bool:
    """Restore the document from the back/forward cache; return whether it was there."""
    entry = find_entry(step, frame.page, navigation.entry or 0)
    if entry is None or entry.loader not in step.state.bfcache:
        return False
    record_navigation(step, restore_document(step, entry.loader), navigation)
    attach_service_workers(step, step.state.targets[frame.target])
    forget_processes(step, frame.page)
    return True


def hold_navigation(step: Step, navigation: Navigation) -> Navigation:
    """Delay the commit while the renderer is blocked: reply to the call, and fail the calls that wait on the page."""
    frame = step.state.frames.get(navigation.frame)
    if frame is None or frame.parent is not None:
        return navigation
    if navigation.reply is not None:
        step.reply(navigation.reply, navigation_result(step, navigation), method="Page.navigate")
    for dialog in step.state.dialogs:
        if dialog.frame == frame.id and dialog.script_run is not None and dialog.script_run.reply is not None:
            step.refuse(dialog.script_run.reply, Text.NAVIGATED)
            step.put_dialog(replace(dialog, script_run=replace(dialog.script_run, reply=None)))
    fail_stopped_scripts(step, frame.id)
    fail_promises(step, frame.id)
    key = step.process_key(frame)
    process = step.process(key)
    for work in process.queue:
        if isinstance(work, CommandCall):
            step.refuse(work, Text.NAVIGATED)
    kept = tuple(work for work in process.queue if not isinstance(work, CommandCall))
    step.put_process(key, replace(process, queue=kept))
    return replace(navigation, reply=None)


def _forget_console(step: Step, target: str) -> None:
    step.state = replace(
        step.state, console_entries=tuple(kept for kept in step.state.console_entries if kept.target != target)
    )


def recover_crashed_page(step: Step, frame: FrameNode) -> None:
    """Replace the crashed renderer of a page that is navigated; only now do its pending calls fail."""
    step.put_target(replace(step.state.targets[frame.target], crashed=False))
    key = step.process_key(frame)
    waiting = step.process(key).queue
    step.put_process(key, replace(step.process(key), blocked="", queue=()))
    for awaiting in step.state.awaiting_calls:
        if awaiting.frame == frame.id:
            step.refuse(awaiting.reply, Text.CRASHED)
    kept = tuple(awaiting for awaiting in step.state.awaiting_calls if awaiting.frame != frame.id)
    step.state = replace(step.state, awaiting_calls=kept)
    for work in waiting:
        if isinstance(work, CommandCall):
            step.refuse(work, Text.CRASHED)
    # Like `targetCrashed`, it comes without `Inspector.enable`.
    step.emit(step.sessions_of(frame.target), "Inspector.targetReloadedAfterCrash")
