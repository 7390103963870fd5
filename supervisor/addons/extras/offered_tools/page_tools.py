"""The tools that a page offers by WebMCP: listed, and called."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from cdp_typed.errors import CDPError
from cdp_typed.protocol import web_mcp
from cdp_typed.wire.json_text import is_object
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import UnsupportedByBrowser
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText, PageValue
from supervisor.tools.page.locators import frame_meant
from supervisor.tools.page.page_frames import run, top_frame, world_of

from . import started_tools

_ABSENT = "the browser runs without --enable-features=WebMCP, or the page is not from a secure origin"
# `getTools` has those of same-site iframes, too. In Chromium 150 schemas and inputs are JSON text, in 156 objects.
_LIST = """(async () => {
    if (!document.modelContext?.getTools) return null;
    const tools = await document.modelContext.getTools().catch(() => []);
    return tools.filter(tool => tool.window === window).map(
        ({name, description, inputSchema: schema}) =>
            ({name, description, input: typeof schema === 'string' ? JSON.parse(schema) : schema ?? null}));
})()"""
_CALL = """async signal => {
    const name = %s, input = %s;
    const tools = await document.modelContext.getTools();
    const called = tools.find(tool => tool.window === window && tool.name === name);
    if (!called) throw new Error('the tool is gone');
    const given = 'ontoolactivated' in document.modelContext ? input : JSON.stringify(input);
    return await document.modelContext.executeTool(called, given, {signal});
}"""


class PageTool(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool that a page offers."""

    name: PageText
    description: PageText = ""
    input: PageValue = None
    """The JSON schema of its arguments."""
    frame_id: str = ""
    """Omitted for the top frame."""


class PageTools(Struct, frozen=True):
    """The tools of a page."""

    tools: list[PageTool]
    left_out: list[str]
    """The ids of the iframes that did not answer."""


async def list_tools(context: ToolContext) -> PageTools:
    """Return the tools of the current page and its iframes (`document.modelContext.getTools`).

    Raises `UnsupportedByBrowser`, `PolicyRefused`, and for the top frame what `run` raises.
    """
    context.policy.check_method(web_mcp.Enable.METHOD)
    return await _tools(context.supervisor)


async def call_tool(
    context: ToolContext, name: str, arguments: str, frame: str | None, wait_s: float
) -> started_tools.PageToolOutput:
    """Call a tool (`document.modelContext.executeTool`), of the frame with this id or ref if it is given, and wait so
    long for its result.

    Raises `InvalidArgument` for an unknown or ambiguous name and for arguments that are no JSON object,
    `EvaluationFailed` when the tool fails, `PolicyRefused`, and what `run` raises.
    """
    context.policy.check_method(web_mcp.InvokeTool.METHOD)
    supervisor, given = context.supervisor, _object(arguments)
    top, wanted = top_frame(supervisor).frame_id, await frame_meant(supervisor, frame)
    named = [
        tool
        for tool in (await _tools(supervisor)).tools
        if tool.name == name and wanted in (None, tool.frame_id or top)
    ]
    frames = [tool.frame_id or top for tool in named]
    if len(set(frames)) != 1:
        why = f"several frames have it; give the id of one as ref: {', '.join(frames)}"
        raise InvalidArgument("name", why if frames else "the page has no such tool")
    if len(named) != 1:
        raise InvalidArgument("name", "the frame has several tools of this name; no call can choose one")
    function, world = _CALL % (json.dumps(name), json.dumps(given)), await world_of(supervisor, frames[0])
    return await started_tools.start(context, frames[0], function, world, wait_s)


async def _tools(supervisor: AsyncSupervisor) -> PageTools:
    tree = supervisor.snapshot().frame_tree
    top = top_frame(supervisor).frame_id
    registered: list[dict[str, Any]] | None = await run(supervisor, top, _LIST)
    tools = [_view(each, "") for each in registered or ()]
    left_out: list[str] = []
    for frame in tree.children:
        try:
            found: list[dict[str, Any]] | None = await run(supervisor, frame.frame_id, _LIST)
            tools += [_view(each, frame.frame_id) for each in found or ()]
        except CDPError:  # a dialog, or a document that is gone
            left_out.append(frame.frame_id)
    if registered is None and not tools:
        raise UnsupportedByBrowser(web_mcp.Enable.METHOD, _ABSENT)
    return PageTools(tools, left_out)


def _view(tool: dict[str, Any], frame_id: str) -> PageTool:
    return PageTool(name=tool["name"], description=tool["description"], input=tool.get("input"), frame_id=frame_id)


def _object(arguments: str) -> dict[str, Any]:
    try:
        given: object = json.loads(arguments or "{}")
    except ValueError:
        given = None
    if not is_object(given):
        raise InvalidArgument("text", "expected the arguments as a JSON object")
    return given
