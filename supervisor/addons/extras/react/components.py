"""The components of a page, one element's components, and the boundaries of Suspense."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import dom, runtime
from supervisor.core.vocabulary.errors import EvaluationFailed
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText, PageValue
from supervisor.tools.page.element_errors import StaleRef
from supervisor.tools.page.held_objects import release
from supervisor.tools.page.refs import Element, Node, all_frames, refs_of
from supervisor.tools.raw_commands.checks import check_command

from .fiber_scripts import BOUNDARIES, COMPONENTS, TREE

NO_COMPONENTS = "no frame of the page shows components of React"
_groups = itertools.count(1)


class HookView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hook of a function component, or a context that it reads."""

    kind: str
    """state, store, memo, callback, ref, effect, context or other."""
    value: PageValue = None
    name: PageText = ""
    """Of a context with a name."""


class ComponentView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A component. A production build has shortened names."""

    name: PageText
    key: PageText = ""
    props: PageValue = None
    state: PageValue = None
    """Of a class component."""
    hooks: list[HookView] = []
    """In the order of their calls, contexts last."""


class ElementComponents(Struct, frozen=True):
    """The components around an element."""

    components: list[ComponentView]
    """From the nearest one outward, up to the next element."""
    above: list[str]
    """The names of those further out."""


class BoundaryView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A boundary of Suspense."""

    shows: str
    """content, fallback, or not hydrated: HTML of the server that React has not taken over."""
    component: PageText = ""
    """The component around it."""
    name: PageText = ""
    ref: str = ""
    """The first element that it shows."""
    frame_id: str = ""
    """Omitted for the top frame."""


async def component_lines(context: ToolContext) -> tuple[list[str], int]:
    """The components of the page and its iframes, a line each, indented, with the ref of their first element; and the
    number of those that are left out.

    Raises `InvalidArgument` for a page without any, `PolicyRefused`, and what `send` raises for the top frame.
    """
    lines, more = list[str](), 0
    for frame, found, refs in await _in_frames(context, TREE):
        if frame.parent_id is not None and found["lines"]:
            lines.append(f"frame {frame.frame_id}")
        more += found["more"]
        for depth, name, key, number in found["lines"]:
            ref = _ref(refs, number)
            lines.append(f"{'  ' * depth}{name}{f' key={key}' if key else ''}{f' [ref={ref}]' if ref else ''}")
    return lines, more


async def boundaries(context: ToolContext) -> tuple[list[BoundaryView], int]:
    """The boundaries of the page and its iframes, in each frame those that wait first, and the number of those that are
    left out. Raises as `component_lines` does."""
    found = await _in_frames(context, BOUNDARIES)
    views = [
        BoundaryView(
            shows=shows,
            component=component,
            name=name,
            ref=_ref(refs, number),
            frame_id=frame.frame_id if frame.parent_id is not None else "",
        )
        for frame, plain, refs in found
        for shows, component, name, number in plain["lines"]
    ]
    return views, sum(plain["more"] for _, plain, _ in found)


async def components_of(context: ToolContext, element: Element) -> ElementComponents:
    """The components that an element comes from (`Runtime.callFunctionOn`, in the page's own world).

    Raises `InvalidArgument` for an element that React did not render, `StaleRef`, `PolicyRefused`, and what `send`
    raises.
    """
    supervisor, frame_id = context.supervisor, element.frame.frame_id
    await check_command(supervisor, context.policy, runtime.Evaluate(expression=""), frame_id)
    node = dom.ResolveNode(backend_node_id=dom.BackendNodeId(element.backend_node_id))
    try:
        object_id = (await supervisor.send(node, frame_id)).object.object_id
    except CommandError:
        raise StaleRef(element.ref, "it was removed from its document") from None
    called = runtime.CallFunctionOn(function_declaration=COMPONENTS, object_id=object_id, return_by_value=True)
    done = await supervisor.send(called, frame_id)
    if object_id is not None:
        with contextlib.suppress(CDPError):  # its document may be gone
            await supervisor.send(runtime.ReleaseObject(object_id=object_id), frame_id)
    if done.exception_details is not None:
        raise EvaluationFailed(done.exception_details.text)
    found: Mapping[str, Any] | None = done.result.value
    if found is None:
        raise InvalidArgument("ref", "no component of React rendered the element")
    return ElementComponents([_component(each) for each in found["components"]], list(found["above"]))


def _ref(refs: list[str], number: int) -> str:
    """The ref of an element by its number; -1 is none."""
    return refs[number] if number >= 0 else ""


def _component(found: Mapping[str, Any]) -> ComponentView:
    hooks = [HookView(kind=kind, value=value[0] if value else None) for kind, *value in found["hooks"]]
    contexts = [HookView(kind="context", name=name, value=value) for name, value in found["contexts"]]
    return ComponentView(
        name=found["name"], key=found["key"], props=found["props"], state=found["state"], hooks=[*hooks, *contexts]
    )


async def _in_frames(context: ToolContext, script: str) -> list[tuple[FrameInfo, Mapping[str, Any], list[str]]]:
    found: list[tuple[FrameInfo, Mapping[str, Any], list[str]]] = []
    frames = all_frames(context.supervisor.snapshot().frame_tree)
    for frame in frames:
        try:
            plain, refs = await _read(context, frame, script)
            found.append((frame, plain, refs))
        except CDPError:
            if frame.parent_id is None:
                raise
    if not any(plain["roots"] for _, plain, _ in found):
        raise InvalidArgument("show", NO_COMPONENTS)
    return found


async def _read(context: ToolContext, frame: FrameInfo, script: str) -> tuple[Mapping[str, Any], list[str]]:
    """The plain part of the script's value, and the refs of its elements."""
    supervisor, group = context.supervisor, f"react-{next(_groups)}"
    evaluate = runtime.Evaluate(expression=script, object_group=group)
    await check_command(supervisor, context.policy, evaluate, frame.frame_id)
    result = await supervisor.send(evaluate, frame.frame_id)
    if result.exception_details is not None or result.result.object_id is None:
        raise EvaluationFailed(result.exception_details.text if result.exception_details is not None else "no value")
    try:
        part = runtime.CallFunctionOn(
            function_declaration="function() { return this.plain }",
            object_id=result.result.object_id,
            return_by_value=True,
        )
        plain: Mapping[str, Any] = (await supervisor.send(part, frame.frame_id)).result.value
        nodes = runtime.CallFunctionOn(
            function_declaration="function() { return this.nodes }",
            object_id=result.result.object_id,
            object_group=group,
        )
        array = (await supervisor.send(nodes, frame.frame_id)).result.object_id
        assert array is not None
        members = (
            await supervisor.send(runtime.GetProperties(object_id=array, own_properties=True), frame.frame_id)
        ).result
        objects = [each.value.object_id for each in members if each.enumerable and each.value is not None]
        described = await asyncio.gather(
            *(supervisor.send(dom.DescribeNode(object_id=each), frame.frame_id) for each in objects)
        )
    finally:
        await release(supervisor, runtime.ReleaseObjectGroup(object_group=group), frame.frame_id)
    refs = refs_of(supervisor)
    named = [refs.name(Node(frame.frame_id, frame.loader_id, each.node.backend_node_id)) for each in described]
    return plain, named
