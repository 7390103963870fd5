"""The back/forward cache: documents that are kept when a page leaves them, and restored by a history step."""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from cdp_typed.mock.page.documents import describe_frame
from cdp_typed.mock.runtime.execution_contexts import announce_context, clear_contexts
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.browser_state import BFCacheEntry, FrameNode
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import auto_attach_new, detach, discoverers, info_changed
from cdp_typed.mock.target.workers import workers_of

__all__ = ["can_park", "park", "prune", "restore"]


def can_park(step: Step, frame: FrameNode) -> bool:
    """Whether the page's document may be kept: it came over HTTP, it has loaded, and no other page may touch it."""
    loaded = frame.loading == "done" and not step.process(step.frame_process(frame)).blocked
    alone = len(step.windows(frame.page)) == 1
    return loaded and alone and not frame.unreachable and origin_of(frame.url) != "://"


def park(step: Step, frame: FrameNode) -> None:
    """The page leaves its document, which is kept: its iframes' sessions end, though their targets do not."""
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
    timers = tuple(timer for timer in step.state.timers if timer.job.context in contexts)
    left = tuple(replace(target, waiting=frozenset()) for target in targets)
    parked = BFCacheEntry(frame.page, tuple(frames), left, timers)
    kept = tuple(timer for timer in step.state.timers if timer not in timers)
    step.state = replace(step.state, timers=kept, parked={**step.state.parked, frame.loader: parked})


def restore(step: Step, loader: str) -> FrameNode:
    """The document of that loader is the page's again."""
    parked = step.state.parked[loader]
    others = {key: item for key, item in step.state.parked.items() if key != loader}
    step.state = replace(step.state, parked=others, timers=(*step.state.timers, *parked.timers))
    for frame in parked.frames:
        step.put_frame(frame)
    for target in parked.targets:
        step.put_target(target)
        auto_attach_new(step, target, target.parent, runs=True)
    frame = parked.frames[0]
    page = replace(step.state.targets[frame.page], url=frame.url, title=frame.title)
    step.put_target(page)
    info_changed(step, page)
    step.emit_if_enabled(page.id, "Page.frameStoppedLoading", {"frameId": frame.id})
    clear_contexts(step, page.id)
    for item in parked.frames:
        for context in item.contexts if item.target == page.id else ():
            announce_context(step, item, context)
    params = {"frame": describe_frame(frame), "type": "BackForwardCacheRestore"}
    step.emit_if_enabled(page.id, "Page.frameNavigated", params)
    return frame


def prune(step: Step, page: str, reachable: Set[str]) -> None:
    """Documents of the page that no entry of its history leads to are given up."""
    lost = [key for key, item in step.state.parked.items() if item.page == page and key not in reachable]
    for key in lost:
        for target in step.state.parked[key].targets:
            step.emit(discoverers(step, target), "Target.targetDestroyed", {"targetId": target.id})
    kept = {key: item for key, item in step.state.parked.items() if key not in lost}
    step.state = replace(step.state, parked=kept)
