"""Workers: targets without a document, each on a thread of its own, that live as long as those who use them.

A dedicated worker belongs to one document and attaches on its sessions; a shared worker only on the browser's; a
service worker on those of every page of its origin too, and it outlives them.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.js.effects import Begins
from cdp_typed.mock.js.parser import parse
from cdp_typed.mock.js.values import Never, Worker
from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.site import BLANK, origin_of
from cdp_typed.mock.state.browser import LEFT_OUT, Frame, Job, Session, Stage, Target
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.target.attachment import (
    attach,
    auto_attach_new,
    detach,
    discoverers,
    info,
    info_changed,
    matches,
    remove_target,
)

__all__ = [
    "WORKERS",
    "begin_worker",
    "controls",
    "end_worker",
    "end_workers",
    "follow_service_workers",
    "greet",
    "perform_worker_stage",
    "workers_of",
]

WORKERS = frozenset({"worker", "shared_worker", "service_worker"})


def begin_worker(turn: Turn, owner: Frame, begins: Begins) -> Any:
    """A script of `owner` makes a worker; what the script gets for it."""
    if begins.kind == "worker":
        return Worker(_begin_dedicated(turn, owner, begins.url))
    if begins.kind == "shared_worker":
        return Worker(_begin_shared(turn, owner, begins.url), "SharedWorker")
    _begin_service(turn, owner, begins.url)
    return Never()


def _begin_dedicated(turn: Turn, owner: Frame, url: str) -> str:
    maker = turn.state.targets[owner.target]
    frame_id = maker.parent_frame if owner.thread else owner.id
    target = Target(turn.new_id(), "worker", owner.page, parent=maker.id, parent_frame=frame_id, context=maker.context)
    _put(turn, target, owner.page, url)
    turn.emit(discoverers(turn, target), "Target.targetCreated", {"targetInfo": info(turn, target)})
    turn.then(Stage(target.id, turn.state.frames[target.id].loader, "starting"))
    return target.id


def _begin_shared(turn: Turn, owner: Frame, url: str) -> str:
    maker = turn.state.targets[owner.target]
    known = _find(turn, "shared_worker", maker.context, url)
    if known is not None:
        turn.put_target(replace(known, clients=known.clients | {owner.loader}))
        return known.id
    clients = frozenset({owner.loader})
    target = Target(turn.new_id(), "shared_worker", "", url=url, context=maker.context, clients=clients)
    _announce(turn, target, url, [])
    return target.id


def _begin_service(turn: Turn, owner: Frame, url: str) -> None:
    context = turn.state.targets[owner.target].context
    if _find(turn, "service_worker", context, url) is not None:
        return
    target = Target(turn.new_id(), "service_worker", "", url=url, title=f"Service Worker {url}", context=context)
    pages = [page for page in turn.state.targets.values() if page.type == "page" and controls(target, page)]
    _announce(turn, target, url, [page.id for page in pages])
    if turn.state.targets[target.id].waiting:
        # Chrome starts the thread of a service worker only when nobody holds it: nothing answers before.
        key = turn.frame_process(turn.state.frames[target.id])
        turn.put_process(key, replace(turn.process(key), blocked="starting"))


def _find(turn: Turn, kind: str, context: str, url: str) -> Target | None:
    targets = [target for target in turn.state.targets.values() if target.type == kind and target.context == context]
    return next((target for target in targets if target.url == url), None)


def _put(turn: Turn, target: Target, page: str, url: str) -> None:
    turn.put_target(target)
    document = turn.state.site.page(url)
    frame = Frame(
        target.id, None, target.id, page, url=url, loader=turn.new_id(), document=document or BLANK,
        unreachable="" if document else url, loading="script", thread=target.id,
    )  # fmt: skip
    turn.put_frame(frame)
    add_context(turn, frame)


def _announce(turn: Turn, target: Target, url: str, pages: list[str]) -> None:
    _put(turn, target, "", url)
    turn.emit(discoverers(turn, target), "Target.targetCreated", {"targetInfo": info(turn, target)})
    for parent in (*pages, None):
        auto_attach_new(turn, target, parent)
    if not turn.state.targets[target.id].waiting:
        turn.then(Stage(target.id, turn.state.frames[target.id].loader, "script"))


def controls(worker: Target, page: Target) -> bool:
    """Whether the page is of the service worker's origin."""
    return worker.context == page.context and origin_of(worker.url) == origin_of(page.url)


def follow_service_workers(turn: Turn, page: Target) -> None:
    """The page has another document: it attaches to the service workers of that origin, and to no others."""
    for worker in [target for target in turn.state.targets.values() if target.type == "service_worker"]:
        attached = {session.parent: session for session in turn.sessions_of(worker.id) if session.automatic}
        for session in list(turn.sessions_of(page.id)):
            wish = session.auto_attach
            if controls(worker, page):
                if wish is not None and session.key not in attached and matches(wish.filter, worker.type):
                    greet(turn, attach(turn, worker, session, automatic=True))
            elif session.key in attached:
                detach(turn, attached[session.key])


def greet(turn: Turn, session: Session) -> None:
    """A session of a worker that runs already hears that its script was loaded."""
    frame = turn.state.frames.get(session.target or "")
    if frame is not None and frame.thread and frame.loading == "done":
        turn.emit([session], "Inspector.workerScriptLoaded")


def perform_worker_stage(turn: Turn, frame: Frame, stage: Stage) -> None:
    """The next step of a worker's life."""
    match stage.next:
        case "starting":
            _start(turn, frame, turn.state.targets[frame.id])
        case "script" if frame.unreachable:
            end_worker(turn, frame.id)
        case "script":
            context = frame.contexts[0].unique_id
            done = replace(stage, next="done")
            turn.then(Job(frame.id, context, parse(frame.document.script), stage=done))
        case "done":
            turn.put_frame(replace(turn.state.frames[frame.id], loading="done"))
            turn.emit(turn.sessions_of(frame.id), "Inspector.workerScriptLoaded")
        case _:
            _let_go(turn, frame)


def _start(turn: Turn, frame: Frame, target: Target) -> None:
    target = replace(target, url=frame.url, title=frame.url)
    # Chromium pauses it for each session of its parent that wants new targets to wait, and forgets those whose filter
    # leaves it out: nobody is told of the worker, and it waits until some session lets it run.
    wishes = [session.auto_attach for session in turn.sessions_of(target.parent)]
    if any(wish is not None and wish.wait and not matches(wish.filter, "worker") for wish in wishes):
        target = replace(target, waiting=frozenset({LEFT_OUT}))
    turn.put_target(target)
    auto_attach_new(turn, target, target.parent)
    if not (target.waiting or any(True for _ in turn.sessions_of(target.id))):
        info_changed(turn, target)
    if not turn.state.targets[target.id].waiting:
        turn.then(Stage(frame.id, frame.loader, "script"))


def _let_go(turn: Turn, frame: Frame) -> None:
    key = turn.frame_process(frame)
    waiting = turn.process(key).queue
    turn.put_process(key, replace(turn.process(key), blocked="", queue=()))
    for work in waiting:
        turn.then(work)
    turn.then(Stage(frame.id, frame.loader, "script"))


def workers_of(turn: Turn, frame: Frame) -> list[Target]:
    """The dedicated workers of a frame's document, nested ones included, the newest first."""
    mine = [target for target in turn.state.targets.values() if target.type == "worker"]
    return [target for target in reversed(mine) if target.parent_frame == frame.id]


def end_workers(turn: Turn, frame: Frame) -> None:
    """The frame's document is gone, and so is what only it used."""
    for target in workers_of(turn, frame):
        if target.parent == frame.target:
            end_worker(turn, target.id)
    for target in [target for target in turn.state.targets.values() if frame.loader in target.clients]:
        left = replace(target, clients=target.clients - {frame.loader})
        turn.put_target(left)
        if not left.clients:
            end_worker(turn, target.id)


def end_worker(turn: Turn, worker: str) -> None:
    """The worker ends, after those that it made itself."""
    target = turn.state.targets[worker]
    for made in [other for other in turn.state.targets.values() if other.parent == worker]:
        end_worker(turn, made.id)
    key = turn.frame_process(turn.state.frames[worker])
    turn.drop_frame(worker)
    remove_target(turn, target)
    kept = {name: process for name, process in turn.state.processes.items() if name != key}
    turn.state = replace(turn.state, processes=kept)
