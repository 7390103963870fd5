"""Workers: targets without a document, each on its own thread.

A dedicated worker belongs to one document and attaches on its sessions; a shared worker only on the browser's; a
service worker on those of every page of its origin too, and it outlives them.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.js.effects import StartWorker
from cdp_typed.mock.js.syntax.parser import parse
from cdp_typed.mock.js.values import NeverSettledPromise, Worker
from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.site import BLANK, origin_of
from cdp_typed.mock.state.browser_state import EXCLUDED_BY_FILTER, CDPSession, FrameNode, LoadStage, ScriptRun, Target
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import (
    attach,
    auto_attach_new,
    detach,
    discoverers,
    emit_info_changed,
    filter_allows,
    remove_target,
    target_info,
)

WORKERS = frozenset({"worker", "shared_worker", "service_worker"})


def start_worker(step: Step, owner: FrameNode, start: StartWorker) -> Any:
    """Start a worker for a script of `owner`; return its JavaScript value."""
    if start.kind == "worker":
        return Worker(_start_dedicated(step, owner, start.url))
    if start.kind == "shared_worker":
        return Worker(_start_shared(step, owner, start.url), "SharedWorker")
    _start_service(step, owner, start.url)
    return NeverSettledPromise()


def _start_dedicated(step: Step, owner: FrameNode, url: str) -> str:
    maker = step.state.targets[owner.target]
    frame_id = maker.parent_frame if owner.thread else owner.id
    target = Target(step.new_id(), "worker", owner.page, parent=maker.id, parent_frame=frame_id, context=maker.context)
    _put(step, target, owner.page, url)
    step.emit(discoverers(step, target), "Target.targetCreated", {"targetInfo": target_info(step, target)})
    step.enqueue(LoadStage(target.id, step.state.frames[target.id].loader, "starting"))
    return target.id


def _start_shared(step: Step, owner: FrameNode, url: str) -> str:
    maker = step.state.targets[owner.target]
    known = _find(step, "shared_worker", maker.context, url)
    if known is not None:
        step.put_target(replace(known, clients=known.clients | {owner.loader}))
        return known.id
    clients = frozenset({owner.loader})
    target = Target(step.new_id(), "shared_worker", "", url=url, context=maker.context, clients=clients)
    _announce(step, target, url, [])
    return target.id


def _start_service(step: Step, owner: FrameNode, url: str) -> None:
    context = step.state.targets[owner.target].context
    if _find(step, "service_worker", context, url) is not None:
        return
    target = Target(step.new_id(), "service_worker", "", url=url, title=f"Service Worker {url}", context=context)
    pages = [page for page in step.state.targets.values() if page.type == "page" and is_controlled_by(target, page)]
    _announce(step, target, url, [page.id for page in pages])
    if step.state.targets[target.id].waiting:
        # Chrome starts the thread of a service worker only when no session holds it; until then calls get no reply.
        key = step.process_key(step.state.frames[target.id])
        step.put_process(key, replace(step.process(key), blocked="starting"))


def _find(step: Step, kind: str, context: str, url: str) -> Target | None:
    targets = [target for target in step.state.targets.values() if target.type == kind and target.context == context]
    return next((target for target in targets if target.url == url), None)


def _put(step: Step, target: Target, page: str, url: str) -> None:
    step.put_target(target)
    document = step.state.site.page(url)
    frame = FrameNode(
        target.id, None, target.id, page, url=url, loader=step.new_id(), document=document or BLANK,
        unreachable="" if document else url, loading="script", thread=target.id,
    )  # fmt: skip
    step.put_frame(frame)
    add_context(step, frame)


def _announce(step: Step, target: Target, url: str, pages: list[str]) -> None:
    _put(step, target, "", url)
    step.emit(discoverers(step, target), "Target.targetCreated", {"targetInfo": target_info(step, target)})
    for parent in (*pages, None):
        auto_attach_new(step, target, parent)
    if not step.state.targets[target.id].waiting:
        step.enqueue(LoadStage(target.id, step.state.frames[target.id].loader, "script"))


def is_controlled_by(worker: Target, page: Target) -> bool:
    """Return whether the service worker controls the page: same browser context and origin."""
    return worker.context == page.context and origin_of(worker.url) == origin_of(page.url)


def attach_service_workers(step: Step, page: Target) -> None:
    """Attach a page with a new document to the service workers of its origin, and detach it from others."""
    for worker in [target for target in step.state.targets.values() if target.type == "service_worker"]:
        attached = {session.parent: session for session in step.sessions_of(worker.id) if session.automatic}
        for session in list(step.sessions_of(page.id)):
            settings = session.auto_attach
            if is_controlled_by(worker, page):
                if settings is not None and session.key not in attached and filter_allows(settings.filter, worker.type):
                    emit_script_loaded(step, attach(step, worker, session, automatic=True))
            elif session.key in attached:
                detach(step, attached[session.key])


def emit_script_loaded(step: Step, session: CDPSession) -> None:
    """Emit `Inspector.workerScriptLoaded` on a new session of a worker that runs already."""
    frame = step.state.frames.get(session.target or "")
    if frame is not None and frame.thread and frame.loading == "done":
        step.emit([session], "Inspector.workerScriptLoaded")


def perform_worker_stage(step: Step, frame: FrameNode, stage: LoadStage) -> None:
    """Perform the next stage of a worker's start."""
    match stage.next:
        case "starting":
            _start(step, frame, step.state.targets[frame.id])
        case "script" if frame.unreachable:
            end_worker(step, frame.id)
        case "script":
            context = frame.contexts[0].unique_id
            done = replace(stage, next="done")
            step.enqueue(ScriptRun(frame.id, context, parse(frame.document.script), stage=done))
        case "done":
            step.put_frame(replace(step.state.frames[frame.id], loading="done"))
            step.emit(step.sessions_of(frame.id), "Inspector.workerScriptLoaded")
        case _:
            _release(step, frame)


def _start(step: Step, frame: FrameNode, target: Target) -> None:
    target = replace(target, url=frame.url, title=frame.url)
    # Chromium pauses it for each session of its parent with `waitForDebuggerOnStart`, even for those whose filter
    # excludes workers: these get no event, and the worker waits until any session releases it.
    settings = [session.auto_attach for session in step.sessions_of(target.parent)]
    if any(
        setting is not None and setting.wait and not filter_allows(setting.filter, "worker") for setting in settings
    ):
        target = replace(target, waiting=frozenset({EXCLUDED_BY_FILTER}))
    step.put_target(target)
    auto_attach_new(step, target, target.parent)
    if not (target.waiting or any(True for _ in step.sessions_of(target.id))):
        emit_info_changed(step, target)
    if not step.state.targets[target.id].waiting:
        step.enqueue(LoadStage(frame.id, frame.loader, "script"))


def _release(step: Step, frame: FrameNode) -> None:
    key = step.process_key(frame)
    waiting = step.process(key).queue
    step.put_process(key, replace(step.process(key), blocked="", queue=()))
    for work in waiting:
        step.enqueue(work)
    step.enqueue(LoadStage(frame.id, frame.loader, "script"))


def workers_of(step: Step, frame: FrameNode) -> list[Target]:
    """Return the dedicated workers of a frame's document, nested ones included, the newest first."""
    workers = [target for target in step.state.targets.values() if target.type == "worker"]
    return [target for target in reversed(workers) if target.parent_frame == frame.id]


def end_workers(step: Step, frame: FrameNode) -> None:
    """End the workers that only the frame's document used."""
    for target in workers_of(step, frame):
        if target.parent == frame.target:
            end_worker(step, target.id)
    for target in [target for target in step.state.targets.values() if frame.loader in target.clients]:
        left = replace(target, clients=target.clients - {frame.loader})
        step.put_target(left)
        if not left.clients:
            end_worker(step, target.id)


def end_worker(step: Step, worker: str) -> None:
    """End a worker, after those that it started."""
    target = step.state.targets[worker]
    for nested in [other for other in step.state.targets.values() if other.parent == worker]:
        end_worker(step, nested.id)
    key = step.process_key(step.state.frames[worker])
    step.drop_frame(worker)
    remove_target(step, target)
    kept = {name: process for name, process in step.state.processes.items() if name != key}
    step.state = replace(step.state, processes=kept)
