"""The tools for debugging that a page hands to whoever dispatches the event `devtoolstooldiscovery`."""

from __future__ import annotations

import json
from typing import Any

from cdp_typed.protocol import dom_debugger, runtime
from supervisor.aio import AsyncSupervisor

# Pages answer at once, or soon after an `await`. The event and its method are those of chrome-devtools-mcp.
_DISCOVER = """async () => {
    const tools = [], event = new CustomEvent('devtoolstooldiscovery');
    event.respondWith = group => {
        for (const tool of Array.isArray(group?.tools) ? group.tools : [])
            if (typeof tool?.name === 'string' && typeof tool.execute === 'function') tools.push([tool, group]);
    };
    dispatchEvent(event);
    if (!tools.length) await new Promise(done => setTimeout(done));
    return tools;
}"""
_LIST = """(async () => (await (%s)()).map(([tool, group]) => JSON.stringify({
    name: tool.name, description: String(tool.description ?? ''), group: String(group.name ?? ''),
    input: tool.inputSchema})).map(text => JSON.parse(text)))()"""
_CALL = """async () => {
    const called = (await (%s)()).find(([tool]) => tool.name === %s);
    if (!called) throw new Error('the tool is gone');
    return await called[0].execute(%s);
}"""


async def listed_in(supervisor: AsyncSupervisor, frame_id: str) -> list[dict[str, Any]]:
    """The tools of a frame's document, of which only one that listens to the event notices anything
    (`DOMDebugger.getEventListeners`, `Runtime.evaluate`). Raises what `send` raises."""
    window = (await supervisor.send(runtime.Evaluate(expression="window"), frame_id)).result.object_id
    if window is None:
        return []
    listeners = (await supervisor.send(dom_debugger.GetEventListeners(object_id=window), frame_id)).listeners
    await supervisor.send(runtime.ReleaseObject(object_id=window), frame_id)
    if all(each.type != "devtoolstooldiscovery" for each in listeners):
        return []
    command = runtime.Evaluate(expression=_LIST % _DISCOVER, await_promise=True, return_by_value=True)
    found = await supervisor.send(command, frame_id)
    return [] if found.exception_details is not None else found.result.value


def call_of(name: str, arguments: dict[str, Any]) -> str:
    """A function for the page's own world that calls the tool."""
    return _CALL % (_DISCOVER, json.dumps(name), json.dumps(arguments))
