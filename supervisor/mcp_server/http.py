"""The server over streamable HTTP."""

from __future__ import annotations

from collections.abc import Callable

import uvicorn

from supervisor.http_server import Address, RequestGuard, settings

from .agent import Agent
from .server import SupervisorServer

PATH = "/mcp"


async def serve_http(
    agent: Agent,
    address: Address,
    *,
    ask_user: bool = False,
    structured: bool = False,
    listening: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; `listening` is told the URL. Raises `OSError` for an address that is taken."""
    served = SupervisorServer(agent, ask_user=ask_user, structured=structured)
    app = RequestGuard(served.http_app(PATH), address)
    with address.listen() as (sock, url):
        if listening is not None:
            listening(url + PATH)
        async with served.running():
            await uvicorn.Server(settings(app, lifespan=True)).serve(sockets=[sock])
