"""Tools listed and called, with progress while a call takes its time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import CallToolResult, ListToolsResult, Tool, ToolAnnotations

from supervisor.cli.session_agent import SessionAgent
from supervisor.tools.framework.result_text import without_pictures

Context = ServerRequestContext[Any, Any]

TICK_S = 1.0
"""Seconds between two reports of progress to a client that asked for them."""


def list_tools(agent: SessionAgent, *, structured: bool) -> ListToolsResult:
    """The tools that can be used now, with schemas of what they take and, where results are JSON too, of those."""
    return ListToolsResult(
        tools=[
            Tool(
                name=tool["name"],
                description=tool["description"],
                input_schema=tool["inputSchema"],
                output_schema=tool.get("outputSchema"),
                annotations=_hints(tool["annotations"]) if "annotations" in tool else None,
            )
            for tool in agent.definitions(structured=structured)
        ],
        cache_scope="private",
        ttl_ms=0,
    )


def _hints(hints: dict[str, bool]) -> ToolAnnotations:
    return ToolAnnotations.model_validate(hints, by_name=False)


async def call(agent: SessionAgent, context: Context, name: str, arguments: dict[str, Any] | None) -> dict[str, Any]:
    """Call a tool; cancelling this ends the call."""
    return await _with_progress(context, agent.call(name, arguments or {}), name)


def to_result(agent: SessionAgent, name: str, payload: dict[str, Any], *, structured: bool) -> CallToolResult:
    """A tool's JSON as a result: as text, with its images as images, and the JSON itself only where it is wanted.

    The data of an image is not repeated in the JSON.
    """
    reported, _ = without_pictures(payload)
    return CallToolResult.model_validate(
        {
            "content": agent.as_content(name, payload),
            "structuredContent": reported if structured else None,
            "isError": not payload["success"],
        }
    )


async def _with_progress(context: Context, work: Coroutine[Any, Any, dict[str, Any]], name: str) -> dict[str, Any]:
    running = asyncio.create_task(work)
    try:
        seconds = 0.0
        while not (await asyncio.wait([running], timeout=TICK_S))[0]:
            seconds += TICK_S
            await context.session.report_progress(seconds, message=f"{name} has been running for {seconds:g} s")
        return running.result()
    finally:
        running.cancel()
