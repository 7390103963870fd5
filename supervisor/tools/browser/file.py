"""The tool `browser_file`."""

from __future__ import annotations

from msgspec import Struct

from supervisor.tools.framework.tool import ToolContext, tool


class FileArguments(Struct, frozen=True, kw_only=True):
    """The answer to a file chooser."""

    paths: tuple[str, ...]
    """Absolute paths on the browser's machine."""
    chooser_id: str | None = None
    """As in blockers; may be left out when one chooser is open."""


class FilesChosen(Struct, frozen=True, kw_only=True):
    """The files that the page was given."""

    paths: list[str]


@tool(toolset="browser", works_during_dialog=True, destructive=True)
async def browser_file(context: ToolContext, arguments: FileArguments) -> FilesChosen:
    """Answer a file chooser that a page opened; it is in blockers of every result."""
    for path in arguments.paths:
        context.policy.check_file(path)
    await context.supervisor.choose_files(arguments.paths, arguments.chooser_id)
    return FilesChosen(paths=list(arguments.paths))
