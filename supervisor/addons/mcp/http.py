"""The server over streamable HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cdp_typed.ending_signals import raise_again, stopped_by_signals
from supervisor.cli.session_agent import SessionAgent
from supervisor.http_server import Address, RequestGuard, serving

from .http_sessions import HttpSessions
from .served_sessions import SharedSession
from .server import SupervisorServer

PATH = "/mcp"


async def serve_http(
    agent: SessionAgent | Callable[[], SessionAgent],
    address: Address,
    *,
    ask_user: bool = False,
    structured: bool = False,
    listening: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP, which is raised again in the end; `listening` receives the URL.

    All clients share an agent; a function makes one for each session. Raises `OSError` for an address that is taken.
    """
    sessions = HttpSessions(agent, ask_user=ask_user) if callable(agent) else SharedSession(agent, ask_user=ask_user)
    served = SupervisorServer(sessions, structured=structured)
    app = RequestGuard(served.http_app(PATH), address)
    ended = asyncio.Event()
    async with served.running(), serving(app, address, lifespan=True) as url:
        with stopped_by_signals(ended.set) as came:
            if listening is not None:
                listening(url + PATH)
            await ended.wait()
    for number in came:
        raise_again(number)
