"""The sessions of clients, and the one that all share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, Protocol

from mcp.server.subscriptions import ListenHandler

from supervisor.cli.session_agent import SessionAgent
from supervisor.lasting import lasting

from .elicitation import Questions
from .notifications import PAUSE_S, Updates


class ServedSession:
    """An agent, with the subscriptions and the questions that belong to it. Made on the event loop that serves it."""

    def __init__(self, agent: SessionAgent, *, ask_user: bool) -> None:
        self.agent = agent
        self.updates: Updates = Updates(agent)
        self.listen: ListenHandler = ListenHandler(self.updates.bus)
        self.questions: Questions | None = Questions(agent) if ask_user else None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """The agent is started, and notifications are delivered."""
        await self.agent.start()
        delivering = asyncio.create_task(lasting(self.updates.run, PAUSE_S))
        try:
            yield
        finally:
            delivering.cancel()
            with suppress(asyncio.CancelledError):
                await delivering
            await self.agent.unfollow()
            await self.agent.stop()


class ServedSessions(Protocol):
    """Knows the session of every request."""

    async def of(self, client: str) -> ServedSession:
        """Return the session of a client, by its id ("" on stdio). Raises `MCPError` when it has none."""
        ...

    def running(self) -> AbstractAsyncContextManager[Any]:
        """ServedSessions can be had for the length of the block; its end is theirs."""
        ...


class SharedSession:
    """One agent for all clients."""

    def __init__(self, agent: SessionAgent, *, ask_user: bool) -> None:
        self._session = ServedSession(agent, ask_user=ask_user)

    async def of(self, client: str) -> ServedSession:
        """Return the only one."""
        return self._session

    def running(self) -> AbstractAsyncContextManager[Any]:
        """See `ServedSessions`."""
        return self._session.running()
