"""Files given to a file field."""

from __future__ import annotations

from cdp_typed.errors import CommandError
from cdp_typed.protocol import dom
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.element_errors import Disabled, WrongField, WrongValue
from supervisor.tools.page.page_frames import ready, run_on
from supervisor.tools.page.rereading import use

from .fields import field_of


async def upload(supervisor: AsyncSupervisor, ref: str, paths: tuple[str, ...]) -> None:
    """Give a file field files, as its chooser would (`DOM.setFileInputFiles`).

    Raises an `ElementError` for what is no file field, for one that takes a single file, and for files that the
    browser does not find.
    """
    await ready(supervisor)
    element = await use(supervisor, ref)
    field = await field_of(supervisor, element)
    if field.kind != "file":
        raise WrongField(ref, "it is no file field; click it, and answer the file chooser that it opens")
    if field.is_disabled:
        raise Disabled(ref)
    if len(paths) > 1 and not await run_on(supervisor, element, "function() { return this.multiple }"):
        raise WrongValue(ref, "expected one file: it takes no more")
    node = dom.BackendNodeId(element.backend_node_id)
    command = dom.SetFileInputFiles(files=list(paths), backend_node_id=node)
    try:
        with delivering():
            await supervisor.send(command, element.frame.frame_id)
    except CommandError:
        raise WrongValue(ref, "the browser did not take the files") from None
