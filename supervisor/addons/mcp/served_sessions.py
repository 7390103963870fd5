"""The sessions of clients, and the one that all share."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

from supervisor.cli.session_agent import SessionAgent

from .elicitation import Questions


class ServedSession:
    """An agent, with the questions that belong to it."""

    def __init__(self, agent: SessionAgent, *, ask_user: bool) -> None:
        self.agent = agent
        self.questions: Questions | None = Questions(agent) if ask_user else None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """The agent is started."""
        await self.agent.start()
        try:
            yield
        finally:
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
