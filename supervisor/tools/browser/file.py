"""The tool `browser_file`."""

from __future__ import annotations

from msgspec import Struct

from supervisor.tools.actions.files import upload
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument


class FileArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_file`: the files, and who gets them."""

    paths: tuple[str, ...]
    """Absolute paths on the browser's machine."""
    chooser_id: str | None = None
    """As in blockers; may be left out when one chooser is open."""
    ref: str | None = None
    """The ref of a file field, instead of an open chooser. browser_snapshot gives it."""


class FilesChosen(Struct, frozen=True, kw_only=True):
    """The files that the page was given."""

    paths: list[str]


@tool(toolset="browser", works_during_dialog=True, destructive=True)
async def browser_file(context: ToolContext, arguments: FileArguments) -> FilesChosen:
    """Give a page files: by a file field, or by the file chooser that it opened, which is in blockers of results."""
    for path in arguments.paths:
        context.policy.check_file(path)
    if arguments.ref is None:
        await context.supervisor.choose_files(arguments.paths, arguments.chooser_id)
    elif arguments.chooser_id is not None:
        raise InvalidArgument("ref", "give ref or chooser_id, not both")
    else:
        await upload(context.supervisor, arguments.ref, arguments.paths)
    return FilesChosen(paths=list(arguments.paths))
