"""The tool `browser_file`."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from supervisor.tools.actions.files import upload
from supervisor.tools.actions.input_effects import Aftermath
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.locators import with_refs

from .acting import with_effects


class FileArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_file`: the files, and who gets them."""

    paths: tuple[str, ...]
    """Absolute paths on the browser's machine."""
    chooser_id: str | None = None
    """Needed when several are open."""
    ref: str | None = None
    """Of a file field, or a button that opens a chooser."""


class FilesChosen(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
    """The files that the page was given."""

    paths: list[str]


@tool(toolset="browser", works_during_dialog=True, destructive=True)
async def browser_file(context: ToolContext, arguments: FileArguments) -> FilesChosen:
    """Give files to a file field or an open file chooser."""
    for path in arguments.paths:
        context.policy.check_file(path)
    arguments = await with_refs(context.supervisor, arguments)
    if arguments.ref is None:
        work = context.supervisor.choose_files(arguments.paths, arguments.chooser_id)
    elif arguments.chooser_id is not None:
        raise InvalidArgument("ref", "give ref or chooser_id, not both")
    else:
        work = upload(context.supervisor, arguments.ref, arguments.paths)
    _, effects = await with_effects(context, "upload", work, ref=arguments.ref)
    return FilesChosen(paths=list(arguments.paths), **asdict(effects))
