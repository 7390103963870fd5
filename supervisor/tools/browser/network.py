"""The tool `browser_network`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from supervisor.tools.framework.tool import Surroundings, ToolContext, tool
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.locators import frame_meant


class NetworkArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_network`."""

    frame_id: str | None = None
    """An iframe's ref, or an id."""
    limit: Annotated[int, Meta(ge=1, le=50)] = 20
    """Newest first."""


class RequestView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request that failed, was refused, or was slow."""

    status: int | None = None
    """Of HTTP, where there was a response."""
    error: str = ""
    method: PageText
    """Of HTTP; a script may make up its own."""
    url: PageText
    type: str
    duration_s: float
    frame_id: str | None = None
    """Omitted for the top frame of the page."""
    ended_at: float
    """Seconds since the epoch."""


class Network(Struct, frozen=True, kw_only=True):
    """The requests that went wrong, oldest first."""

    requests: list[RequestView]


def watches_requests(surroundings: Surroundings) -> bool:
    """The gate: the supervisor keeps requests only if `watch_requests` is set."""
    return surroundings.config is not None and surroundings.config.watch_requests


@tool(
    toolset="browser",
    gate=watches_requests,
    needs_browser=True,
    reads_only=True,
    idempotent=True,
    works_during_dialog=True,
)
async def browser_network(context: ToolContext, arguments: NetworkArguments) -> Network:
    """See recent requests that failed or were slow."""
    frame_id = await frame_meant(context.supervisor, arguments.frame_id)
    now = context.supervisor.snapshot()
    top = now.frame_tree.top
    failed = [request for request in now.failed_requests if frame_id in (None, request.frame_id)]
    return Network(
        requests=[
            RequestView(
                status=request.status,
                error=request.error,
                method=request.method,
                url=request.url,
                type=request.type,
                duration_s=request.duration_s,
                frame_id=None if top is not None and request.frame_id == top.frame_id else request.frame_id,
                ended_at=request.ended_at,
            )
            for request in failed[-arguments.limit :]
        ]
    )
