"""The back/forward cache: stores the document that a page leaves, for a later history traversal."""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from cdp_typed.mock.page.documents import describe_frame
from cdp_typed.mock.page.security_state import emit_security_state
from cdp_typed.mock.runtime.execution_contexts import announce_context, clear_contexts
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.browser_state import BFCacheEntry, FrameNode
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import auto_attach_new, detach, discoverers, emit_info_changed
from cdp_typed.mock.target.workers import workers_of


def can_cache(step: Step, frame: FrameNode) -> bool:
    """Return whether the document can be cached: from HTTP, loaded, and without related pages."""
    loaded = frame.loading == "done" and not step.process(step.process_key(frame)).blocked
    alone = len(step.windows(frame.page)) == 1
    return loaded and alone and not frame.unreachable and origin_of(frame.url) != "://"


def cache_document(step: Step, frame: FrameNode) -> None:
    """Store the page's document; its iframes' sessions are detached, though their targets stay."""
    documents = [frame, *step.subtree(frame.id)]
    workers = [target for item in documents for target in workers_of(step, item)]
    frames = [*documents, *(step.state.frames[target.id] for target in workers)]
    inside = {item.id for item in documents}
    iframes = [target for target in step.state.targets.values() if target.id in inside and target.type == "iframe"]
    targets = [*iframes, *reversed(workers)]
    for target in targets:
        for session in list(step.sessions_of(target.id)):
            detach(step, session)
        step.drop_target(target.id)
    for item in frames[1:]:
        step.drop_frame(item.id)
    contexts = {context.unique_id for item in frames for context in item.contexts}
    timers = tuple(timer for timer in step.state.timers if timer.script_run.context in contexts)
    left = tuple(replace(target, waiting=frozenset()) for target in targets)
    entry = BFCacheEntry(frame.page, tuple(frames), left, timers)
    kept = tuple(timer for timer in step.state.timers if timer not in timers)
    step.state = replace(step.state, timers=kept, bfcache={**step.state.bfcache, frame.loader: entry})


def restore_document(step: Step, loader: str) -> FrameNode:
    """Make the document of that loader the page's again."""
    entry = step.state.bfcache[loader]
    others = {key: item for key, item in step.state.bfcache.items() if key != loader}
    step.state = replace(step.state, bfcache=others, timers=(*step.state.timers, *entry.timers))
    for frame in entry.frames:
        step.put_frame(frame)
    for target in entry.targets:
        step.put_target(target)
        auto_attach_new(step, target, target.parent, runs=True)
    frame = entry.frames[0]
    page = replace(step.state.targets[frame.page], url=frame.url, title=frame.title)
    step.put_target(page)
    emit_info_changed(step, page)
    step.emit_if_enabled(page.id, "Page.frameStoppedLoading", {"frameId": frame.id})
    clear_contexts(step, page.id)
    for item in entry.frames:
        for context in item.contexts if item.target == page.id else ():
            announce_context(step, item, context)
    params = {"frame": describe_frame(frame), "type": "BackForwardCacheRestore"}
    step.emit_if_enabled(page.id, "Page.frameNavigated", params)
    emit_security_state(step, frame)
    return frame


def evict_documents(step: Step, page: str, reachable: Set[str]) -> None:
    """Evict documents of the page that no entry of its history refers to."""
    lost = [key for key, item in step.state.bfcache.items() if item.page == page and key not in reachable]
    for key in lost:
        for target in step.state.bfcache[key].targets:
            step.emit(discoverers(step, target), "Target.targetDestroyed", {"targetId": target.id})
    kept = {key: item for key, item in step.state.bfcache.items() if key not in lost}
    step.state = replace(step.state, bfcache=kept)
