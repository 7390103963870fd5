"""The frames of the current page: who is above whom, and our own scripts in a world that the page cannot see."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any
from weakref import WeakKeyDictionary

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.helpers.shared.own_scripts import own
from cdp_typed.protocol import dom, dom_debugger, page, runtime
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import EvaluationFailed, FrameGone, NoPage, UnknownFrame
from supervisor.core.vocabulary.values import FrameInfo, FrameTree
from supervisor.tools.framework.tool_errors import begin_action

from .element_errors import StaleRef
from .object_groups import ObjectGroup, began_in_front, forget_after, holding, worlds_of
from .refs import Document, Element, frame_named, is_ref, refs_of
from .scripts import unnamed_members

_WORLD = "cdp-typed"
_VISIBLE = """new Promise(done => {
    if (document.visibilityState === 'visible') done();
    document.addEventListener('visibilitychange', done, {once: true});
    setTimeout(done, 2000);
}).then(() => null)"""

_OWNERS: WeakKeyDictionary[AsyncSupervisor, dict[tuple[Document, str], dom.BackendNodeId]] = WeakKeyDictionary()
"""By the parent's document and the frame's id."""

_DELAYED: WeakKeyDictionary[AsyncSupervisor, list[Callable[[], Awaitable[None]]]] = WeakKeyDictionary()


def top_frame(supervisor: AsyncSupervisor) -> FrameInfo:
    """The top frame of the current page. Raises `NoPage`."""
    top = supervisor.snapshot().frame_tree.top
    if top is None:
        raise NoPage
    return top


async def ready(supervisor: AsyncSupervisor) -> FrameInfo:
    """Return the top frame of the current page once input can reach the page. With this an action begins.

    A tab in the background is brought to the front, because Chromium delivers its input late, or never. Raises
    `NoPage`, and `BlockedByDialog` when the page shows a dialog that is not being answered.
    """
    begin_action()
    top = top_frame(supervisor)
    await check_no_dialog(supervisor)
    with contextlib.suppress(EvaluationFailed):  # a browser that does not say counts as one that can
        is_in_front = began_in_front(top.frame_id)
        if not is_in_front and await run(supervisor, top.frame_id, "document.visibilityState") == "hidden":
            await supervisor.send(page.BringToFront(), top.frame_id)
            await run(supervisor, top.frame_id, _VISIBLE)
    for work in _DELAYED.pop(supervisor, ()):
        await work()
    return top


async def check_no_dialog(supervisor: AsyncSupervisor) -> None:
    """Raise `BlockedByDialog` when the current page shows a dialog that is not being answered."""
    now = supervisor.snapshot()
    current = [tab.target_id for tab in now.pages if tab.is_current]
    for dialog in now.pending_dialogs:
        if dialog.target_id in current:
            with contextlib.suppress(FrameGone, UnknownFrame):  # removed under its dialog, which still stops all input
                await supervisor.evaluate("0", dialog.frame_id)


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
    """The backend node id of a frame's iframe element, in its parent's document (`DOM.getFrameOwner`).

    A frame keeps its element: it is asked for once.
    """
    owners = _OWNERS.setdefault(supervisor, {})
    key = (parent.frame_id, parent.loader_id), frame.frame_id
    if key not in owners:
        command = dom.GetFrameOwner(frame_id=page.FrameId(frame.frame_id))
        owner = (await supervisor.send(command, parent.frame_id, timeout_s=timeout_s)).backend_node_id
        tree = supervisor.snapshot().frame_tree
        for document, child in [other for other in owners if frame_named(tree, other[1]) is None]:
            owners.pop((document, child), None)
        owners[key] = owner
    return owners[key]


async def world_of(supervisor: AsyncSupervisor, frame_id: str) -> runtime.ExecutionContextId:
    """Our own script context in the frame's document: the page can neither see it nor change what it relies on."""
    tree, worlds = supervisor.snapshot().frame_tree, worlds_of(supervisor)
    frame = frame_named(tree, frame_id)
    document = (frame_id, "" if frame is None else frame.loader_id)
    if document in worlds:
        return worlds[document]
    command = page.CreateIsolatedWorld(frame_id=page.FrameId(frame_id), world_name=_WORLD)
    world = (await supervisor.send(command, frame_id)).execution_context_id
    for other in list(worlds):
        now = frame_named(tree, other[0])
        if now is None or now.loader_id != other[1]:
            worlds.pop(other, None)
    if document[1]:
        worlds[document] = world
    return world


async def run(supervisor: AsyncSupervisor, frame_id: str, expression: str, *, is_ours: bool = True) -> Any:
    """The JSON value of an expression, run in our own world of the frame's document.

    No name that the page gives takes the place of a member that it reads, unless a library runs that is not ours.
    """
    source = unnamed_members.expression(expression) if is_ours else own(expression)

    async def once() -> runtime.EvaluateResult:
        world = await world_of(supervisor, frame_id)
        command = runtime.Evaluate(expression=source, context_id=world, await_promise=True, return_by_value=True)
        return await supervisor.send(command, frame_id)

    async with holding(supervisor) as held:
        try:
            result = await once()
        except CommandError as error:
            if not forget_after(error, supervisor, held, frame_id):
                raise
            result = await once()
    return _value(result.result, result.exception_details)


async def run_on(supervisor: AsyncSupervisor, element: Element, function: str, *others: int) -> Any:
    """The JSON value of a function, called in our own world with the element as `this`.

    `others`, nodes of the same document by their backend ids, are its arguments. The element of a pseudo-element takes
    its place. Raises `StaleRef` when the element was removed.
    """
    async with holding(supervisor) as held:
        result = await _called_on(supervisor, held, element, function, others, by_value=True)
    return _value(result.result, result.exception_details)


async def in_order(*asking: Coroutine[Any, Any, Any]) -> list[Any]:
    """Send these at once. The browser does them in this order, also after one that failed.

    Raises the first error in this order, once all have ended.
    """
    told = await asyncio.gather(*asking, return_exceptions=True)
    for each in told:
        if isinstance(each, BaseException):
            raise each
    return told


async def listened_on(supervisor: AsyncSupervisor, element: Element, function: str, *others: int) -> frozenset[str]:
    """The events that the node listens to which our own function returns, called as by `run_on`
    (`DOMDebugger.getEventListeners`). Raises `StaleRef`."""
    async with holding(supervisor) as held:
        result = await _called_on(supervisor, held, element, function, others, by_value=False)
        if result.result.object_id is None:
            return frozenset()
        # Only an object of the page's own world has the listeners of the page's scripts.
        frame_id, describe = element.frame.frame_id, dom.DescribeNode(object_id=result.result.object_id)
        node = (await supervisor.send(describe, frame_id)).node.backend_node_id
        same = dom.ResolveNode(backend_node_id=node, object_group=held.name)
        return await _listened(supervisor, frame_id, (await supervisor.send(same, frame_id)).object.object_id)


async def listened_around(supervisor: AsyncSupervisor, element: Element) -> frozenset[str]:
    """The events that an element listens to, or anything around it, up to the window."""
    frame_id, node = element.frame.frame_id, dom.BackendNodeId(element.backend_node_id)
    async with holding(supervisor) as held:
        held.frame_ids.add(frame_id)
        resolve = dom.ResolveNode(backend_node_id=node, object_group=held.name)
        same = (await supervisor.send(resolve, frame_id)).object.object_id
        call = runtime.CallFunctionOn(
            function_declaration=unnamed_members.function(_AROUND), object_id=same, object_group=held.name
        )
        chain = (await supervisor.send(call, frame_id)).result.object_id
        assert chain is not None
        members = (await supervisor.send(runtime.GetProperties(object_id=chain, own_properties=True), frame_id)).result
        targets = [member.value.object_id for member in members if member.enumerable and member.value is not None]
        return frozenset[str]().union(*[await _listened(supervisor, frame_id, target) for target in targets])


_AROUND = """function() {
    const chain = [the(this.ownerDocument).defaultView];
    for (let node = this; node; node = node.assignedSlot || node.parentNode || node.host) chain.push(node);
    return chain;
}"""


async def _listened(
    supervisor: AsyncSupervisor, frame_id: str, target: runtime.RemoteObjectId | None
) -> frozenset[str]:
    assert target is not None
    command = dom_debugger.GetEventListeners(object_id=target)
    return frozenset(listener.type for listener in (await supervisor.send(command, frame_id)).listeners)


async def _called_on(
    supervisor: AsyncSupervisor,
    held: ObjectGroup,
    element: Element,
    function: str,
    others: tuple[int, ...],
    *,
    by_value: bool,
) -> runtime.CallFunctionOnResult:
    frame_id = element.frame.frame_id

    async def once() -> runtime.CallFunctionOnResult:
        try:
            nodes = [await _held_node(supervisor, held, element, node) for node in (element.backend_node_id, *others)]
        except CommandError:
            raise StaleRef(element.ref, "it was removed from its document") from None
        command = runtime.CallFunctionOn(
            function_declaration=unnamed_members.function(function),
            object_id=nodes[0],
            arguments=[runtime.CallArgument(object_id=node) for node in nodes[1:]],
            await_promise=True,
            return_by_value=by_value,
            object_group=held.name,
        )
        return await supervisor.send(command, frame_id)

    try:
        return await once()
    except CommandError as error:
        if not forget_after(error, supervisor, held, frame_id):
            raise
        return await once()


async def hold(supervisor: AsyncSupervisor, element: Element) -> None:
    """Make the object of an element that `run_on` needs; where it cannot be made, `run_on` tells why."""
    async with holding(supervisor) as held:
        with contextlib.suppress(CDPError):
            await _held_node(supervisor, held, element, element.backend_node_id)


async def _held_node(
    supervisor: AsyncSupervisor, held: ObjectGroup, element: Element, backend_node_id: int
) -> runtime.RemoteObjectId | None:
    """A node of the element's document as an object in our own world."""
    frame = element.frame
    key = (frame.frame_id, frame.loader_id), backend_node_id
    if key not in held.nodes:
        world = await world_of(supervisor, frame.frame_id)
        node = await object_of(supervisor, frame.frame_id, backend_node_id, held, world)
        if node is None:
            return None
        held.nodes[key] = node
    return held.nodes[key]


async def object_of(
    supervisor: AsyncSupervisor,
    frame_id: str,
    backend_node_id: int,
    held: ObjectGroup,
    context: runtime.ExecutionContextId | None = None,
) -> runtime.RemoteObjectId | None:
    """A node's object; of a pseudo-element that of its element, but for scroll buttons, which can be disabled.

    Most pseudo-elements are no nodes to a script of Chromium 156; up to 150 they are elements with a parent.
    """
    held.frame_ids.add(frame_id)
    node = dom.BackendNodeId(backend_node_id)
    command = dom.ResolveNode(backend_node_id=node, execution_context_id=context, object_group=held.name)
    found = (await supervisor.send(command, frame_id)).object
    is_pseudo = found.class_name == "CSSPseudoElement" or (found.description or "").startswith("::")
    if not is_pseudo or (found.description or "").startswith("::scroll-button"):
        return found.object_id
    originating = runtime.CallFunctionOn(
        function_declaration=_ORIGINATING, object_id=found.object_id, object_group=held.name
    )
    return (await supervisor.send(originating, frame_id)).result.object_id


_ORIGINATING = "function() { return this.element || this.parentNode }"
"""A function: the element of a pseudo-element."""


async def nodes_in(supervisor: AsyncSupervisor, frame: FrameInfo, expression: str) -> list[int]:
    """The backend ids of the nodes in the array that our own expression makes, run in our own world of the frame."""
    async with holding(supervisor) as held:
        held.frame_ids.add(frame.frame_id)
        command = runtime.Evaluate(
            expression=unnamed_members.expression(expression),
            context_id=await world_of(supervisor, frame.frame_id),
            object_group=held.name,
        )
        result = await supervisor.send(command, frame.frame_id)
        object_id = result.result.object_id
        if result.exception_details is not None or object_id is None:
            raise EvaluationFailed("no array")
        members = runtime.GetProperties(object_id=object_id, own_properties=True)
        found = [
            member.value for member in (await supervisor.send(members, frame.frame_id)).result if member.enumerable
        ]
        described = [dom.DescribeNode(object_id=value.object_id) for value in found if value is not None]
        return [(await supervisor.send(each, frame.frame_id)).node.backend_node_id for each in described]


async def element_of(supervisor: AsyncSupervisor, frame_id: str, backend_node_id: int) -> int:
    """The backend id of a node; of a pseudo-element (`::backdrop`) that of its element."""
    async with holding(supervisor) as held:
        object_id = await object_of(supervisor, frame_id, backend_node_id, held)
        return (await supervisor.send(dom.DescribeNode(object_id=object_id), frame_id)).node.backend_node_id


def _value(result: runtime.RemoteObject, problem: runtime.ExceptionDetails | None) -> Any:
    if problem is not None:
        raise EvaluationFailed(problem.text)
    return result.value
