"""Tools listed and called, with progress while a call takes its time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import CallToolResult, ContentBlock, ImageContent, ListToolsResult, TextContent, Tool, ToolAnnotations

from cdp_typed.wire.json_text import is_array, is_object

from .session_agent import SessionAgent

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
    images: list[ImageContent] = []
    reported = _without_images(payload, images)
    content: list[ContentBlock] = [TextContent(text=agent.as_text(name, reported)), *images]
    return CallToolResult(
        content=content, structured_content=reported if structured else None, is_error=not payload["success"]
    )


def _without_images(value: Any, images: list[ImageContent]) -> Any:
    if is_object(value):
        if set(value) == {"mime_type", "data"} and str(value["mime_type"]).startswith("image/"):
            images.append(ImageContent(data=value["data"], mime_type=value["mime_type"]))
            return {**value, "data": ""}
        return {key: _without_images(item, images) for key, item in value.items()}
    if is_array(value):
        return [_without_images(item, images) for item in value]
    return value


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
