"""Files given to a file field."""

from __future__ import annotations

from cdp_typed.errors import CommandError
from cdp_typed.protocol import dom, runtime
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.element_errors import Disabled, WrongField, WrongValue
from supervisor.tools.page.page_frames import ready, run_on, world_of
from supervisor.tools.page.refs import Element
from supervisor.tools.page.resolving import resolve_ref

from .fields import control_of, field_of
from .mouse import press_on


async def upload(supervisor: AsyncSupervisor, ref: str, paths: tuple[str, ...]) -> None:
    """Give a file field files, as its chooser would (`DOM.setFileInputFiles`), or click a button that opens a chooser.

    Raises an `ElementError` for an element that is neither, for a field that takes a single file, and for files that
    the browser does not find.
    """
    await ready(supervisor)
    element = await resolve_ref(supervisor, ref)
    field = await field_of(supervisor, element)
    element = await control_of(supervisor, element, field)
    if field.is_disabled:
        raise Disabled(ref)
    missing = [paths[at] for at in await _missing(supervisor, element, paths)]
    if missing:
        raise WrongValue(ref, f"the browser finds no file {', '.join(missing)}")
    if field.kind != "file":
        await _upload_by_click(supervisor, element, paths)
        return
    if len(paths) > 1 and not await run_on(supervisor, element, "function() { return this.multiple }"):
        raise WrongValue(ref, "expected one file: it takes no more")
    node = dom.BackendNodeId(element.backend_node_id)
    command = dom.SetFileInputFiles(files=list(paths), backend_node_id=node)
    try:
        with delivering():
            await supervisor.send(command, element.frame.frame_id)
    except CommandError:
        raise WrongValue(ref, "the browser did not take the files") from None


# Chromium takes the path of no file, too: as an empty file that cannot be read (156). A folder has a size.
_HOLDER = "Object.assign(document.createElement('input'), {type: 'file', multiple: true})"
_MISSING = """async function() {
    const read = [...this.files].map(file => file.size || file.arrayBuffer());
    return (await Promise.allSettled(read)).flatMap(({status}, at) => status === 'rejected' ? [at] : []);
}"""


async def _missing(supervisor: AsyncSupervisor, element: Element, paths: tuple[str, ...]) -> list[int]:
    """Which paths are of no file on the browser's machine: asked of a file field that the page does not see."""
    frame_id = element.frame.frame_id
    world = await world_of(supervisor, frame_id)
    held = (await supervisor.send(runtime.Evaluate(expression=_HOLDER, context_id=world), frame_id)).result
    assert held.object_id is not None
    try:
        await supervisor.send(dom.SetFileInputFiles(files=list(paths), object_id=held.object_id), frame_id)
        ask = runtime.CallFunctionOn(
            function_declaration=_MISSING, object_id=held.object_id, await_promise=True, return_by_value=True
        )
        found: list[int] = (await supervisor.send(ask, frame_id)).result.value
        return found
    finally:
        await supervisor.send(runtime.ReleaseObject(object_id=held.object_id), frame_id)


CHOOSER_S = 2.0
"""The time that a page has to open a file chooser after a click."""


async def _upload_by_click(supervisor: AsyncSupervisor, element: Element, paths: tuple[str, ...]) -> None:
    before = _choosers(supervisor.snapshot())
    await press_on(supervisor, element)
    try:
        now = await supervisor.wait_for(lambda now: bool(_choosers(now) - before), timeout_s=CHOOSER_S)
    except TimeoutError:
        raise WrongField(element.ref, "it is no file field, and the click on it opened no file chooser") from None
    (chooser,) = sorted(_choosers(now) - before)[:1]
    with delivering(began=True):
        await supervisor.choose_files(paths, chooser)


def _choosers(now: SupervisorSnapshot) -> frozenset[str]:
    return frozenset(blocker.id for blocker in now.blockers if blocker.kind == "file_chooser")
