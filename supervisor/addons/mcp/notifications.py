"""Notifies subscribed clients of changed resources, from the supervisor's change feed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourceUpdated

from supervisor.cli.session_agent import SessionAgent
from supervisor.core.vocabulary.values import ChangeKind

from .resources import ALL, touched_by

PAUSE_S = 0.1
"""So long further changes are collected: a console may say ten thousand lines a second."""


class Updates:
    """Tells subscribers which resources to read again. Newer clients listen on the bus, older ones name a resource.

    The agent's browser is followed once somebody has subscribed.
    """

    def __init__(self, agent: SessionAgent) -> None:
        self.bus: InMemorySubscriptionBus = InMemorySubscriptionBus()
        self._agent = agent
        self._changed: set[str] = set()
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._subscribers: dict[tuple[str, str], ServerSession] = {}
        self._is_wanted = False
        self._is_paused = False

    async def subscribe(self, client: str, uri: str, session: ServerSession) -> None:
        """Tell this client of this resource, on the channel of its session that belongs to no request."""
        self._subscribers[client, uri] = session
        await self.begin()

    def unsubscribe(self, client: str, uri: str) -> None:
        """Tell it no more."""
        self._subscribers.pop((client, uri), None)

    async def begin(self) -> None:
        """Follow the browser from now on."""
        self._is_wanted = True
        await self.follow()

    async def follow(self) -> None:
        """Follow the browser that there is now, if a client has subscribed to changes."""
        if self._is_wanted and not self._is_paused:
            await self._agent.follow(self._see)

    async def pause(self) -> None:
        """There is no channel to tell anybody on."""
        self._is_paused = True
        await self._agent.unfollow()

    async def resume(self) -> None:
        """There is one again; what changed meanwhile is not known."""
        was_paused, self._is_paused = self._is_paused, False
        await self.follow()
        if was_paused and self._is_wanted:
            self._note(ALL)

    async def run(self) -> None:
        """Deliver, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            changed, self._changed = self._changed, set()
            for uri in sorted(changed):
                await self.bus.publish(ResourceUpdated(uri))
                for session in self._subscribed(uri):
                    await session.send_resource_updated(uri)
            await asyncio.sleep(PAUSE_S)

    def _subscribed(self, uri: str) -> Iterator[ServerSession]:
        return iter([session for (_, wanted), session in self._subscribers.items() if wanted == uri])

    def _see(self, kind: ChangeKind | None) -> None:
        """On any thread."""
        touched = ALL if kind is None else touched_by(kind)
        if touched:
            self._loop.call_soon_threadsafe(self._note, touched)

    def _note(self, touched: tuple[str, ...]) -> None:
        self._changed.update(touched)
        self._news.set()
