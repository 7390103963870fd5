"""The server on this process's own stdin and stdout, where nothing but the protocol is written."""

from __future__ import annotations

from mcp.server.stdio import stdio_server

from .agent import Agent
from .server import SupervisorServer


async def serve_stdio(agent: Agent, *, ask_user: bool = False, structured: bool = False) -> None:
    """Serve one client, until it closes stdin."""
    served = SupervisorServer(agent, ask_user=ask_user, structured=structured)
    async with stdio_server() as (incoming, outgoing), served.running() as server:
        await server.run(incoming, outgoing, server.create_initialization_options())
