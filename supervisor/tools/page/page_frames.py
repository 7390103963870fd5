"""The frames of the current page: who is above whom, and our own scripts in a world that the page cannot see."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import dom, page, runtime
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import EvaluationFailed, FrameGone, NoPage, UnknownFrame
from supervisor.core.vocabulary.values import FrameInfo, FrameTree

from .element_errors import StaleRef
from .refs import Element, frame_named, is_ref, refs_of

_WORLD = "cdp-typed"
_VISIBLE = """new Promise(done => {
    if (document.visibilityState === 'visible') done();
    document.addEventListener('visibilitychange', done, {once: true});
    setTimeout(done, 2000);
}).then(() => null)"""

_groups = itertools.count(1)
_DELAYED: WeakKeyDictionary[AsyncSupervisor, list[Callable[[], Awaitable[None]]]] = WeakKeyDictionary()


def top_frame(supervisor: AsyncSupervisor) -> FrameInfo:
    """The top frame of the current page. Raises `NoPage`."""
    top = supervisor.snapshot().frame_tree.top
    if top is None:
        raise NoPage
    return top


async def ready(supervisor: AsyncSupervisor) -> FrameInfo:
    """Return the top frame of the current page once input can reach the page.

    A tab in the background is brought to the front, because Chromium delivers its input late, or never. Raises
    `NoPage`, and `BlockedByDialog` when the page shows a dialog that is not being answered.
    """
    top = top_frame(supervisor)
    now = supervisor.snapshot()
    current = [tab.target_id for tab in now.pages if tab.is_current]
    for dialog in now.pending_dialogs:
        if dialog.target_id in current:
            with contextlib.suppress(FrameGone, UnknownFrame):  # removed under its dialog, which still stops all input
                await supervisor.evaluate("0", dialog.frame_id)
    with contextlib.suppress(EvaluationFailed):  # a browser that does not say is taken as it is
        if await run(supervisor, top.frame_id, "document.visibilityState") == "hidden":
            await supervisor.send(page.BringToFront(), top.frame_id)
            await run(supervisor, top.frame_id, _VISIBLE)
    for work in _DELAYED.pop(supervisor, ()):
        await work()
    return top


def before_next_input(supervisor: AsyncSupervisor, work: Callable[[], Awaitable[None]]) -> None:
    """Have something done before the next input: a dialog keeps it from being done now."""
    _DELAYED.setdefault(supervisor, []).append(work)


def find(supervisor: AsyncSupervisor, ref: str) -> Element:
    """The element that a ref names. Raises `UnknownRef` and `StaleRef`."""
    return refs_of(supervisor).find(ref, supervisor.snapshot().frame_tree)


async def frame_id_of(supervisor: AsyncSupervisor, frame_id: str | None) -> str | None:
    """The id of the frame that a tool's argument names: by its id, or by the ref of its iframe (`DOM.describeNode`).

    Raises what `find` raises, and `UnknownFrame` for the ref of another element.
    """
    if frame_id is None or not is_ref(frame_id):
        return frame_id
    element = find(supervisor, frame_id)
    command = dom.DescribeNode(backend_node_id=dom.BackendNodeId(element.backend_node_id))
    inner = (await supervisor.send(command, element.frame.frame_id)).node.frame_id
    if not inner:
        raise UnknownFrame(frame_id)
    return inner


def parent_of(frame: FrameInfo, tree: FrameTree) -> FrameInfo | None:
    """The frame that holds the iframe element of this one."""
    return frame_named(tree, frame.parent_id)


def top_of_session(frame: FrameInfo, tree: FrameTree) -> FrameInfo:
    """The frame whose viewport Chromium measures in for this one: the highest in the same process' part of the page."""
    parent = None if frame.is_oopif else parent_of(frame, tree)
    return frame if parent is None else top_of_session(parent, tree)


async def owner_of(
    supervisor: AsyncSupervisor, frame: FrameInfo, parent: FrameInfo, timeout_s: float | None = None
) -> dom.BackendNodeId:
    """The backend node id of a frame's iframe element, in its parent's document (`DOM.getFrameOwner`)."""
    command = dom.GetFrameOwner(frame_id=page.FrameId(frame.frame_id))
    return (await supervisor.send(command, parent.frame_id, timeout_s=timeout_s)).backend_node_id


async def world_of(supervisor: AsyncSupervisor, frame_id: str) -> runtime.ExecutionContextId:
    """A script context of our own in the frame's document: the page can neither see it nor change what it relies on."""
    command = page.CreateIsolatedWorld(frame_id=page.FrameId(frame_id), world_name=_WORLD)
    return (await supervisor.send(command, frame_id)).execution_context_id


async def run(supervisor: AsyncSupervisor, frame_id: str, expression: str) -> Any:
    """The JSON value of an expression of ours, run in our own world of the frame's document."""
    command = runtime.Evaluate(
        expression=expression,
        context_id=await world_of(supervisor, frame_id),
        await_promise=True,
        return_by_value=True,
    )
    result = await supervisor.send(command, frame_id)
    return _value(result.result, result.exception_details)


async def run_on(supervisor: AsyncSupervisor, element: Element, function: str, *others: int) -> Any:
    """The JSON value of a function of ours, called in our own world with the element as `this`.

    `others`, nodes of the same document by their backend ids, are its arguments. Raises `StaleRef` when the element was
    removed.
    """
    frame_id = element.frame.frame_id
    context = await world_of(supervisor, frame_id)
    group = f"{_WORLD}-{next(_groups)}"

    async def resolve(backend_node_id: int) -> runtime.CallArgument:
        command = dom.ResolveNode(
            backend_node_id=dom.BackendNodeId(backend_node_id), execution_context_id=context, object_group=group
        )
        try:
            object_id = (await supervisor.send(command, frame_id)).object.object_id
        except CommandError:
            raise StaleRef(element.ref, "it was removed from its document") from None
        return runtime.CallArgument(object_id=object_id)

    try:
        this = await resolve(element.backend_node_id)
        command = runtime.CallFunctionOn(
            function_declaration=function,
            object_id=this.object_id,
            arguments=[await resolve(node) for node in others],
            await_promise=True,
            return_by_value=True,
        )
        result = await supervisor.send(command, frame_id)
        return _value(result.result, result.exception_details)
    finally:
        with contextlib.suppress(CDPError):  # a dialog, or a document that is gone: then its objects go with it
            await supervisor.send(runtime.ReleaseObjectGroup(object_group=group), frame_id)


def _value(result: runtime.RemoteObject, problem: runtime.ExceptionDetails | None) -> Any:
    if problem is not None:
        raise EvaluationFailed(problem.text)
    return result.value
