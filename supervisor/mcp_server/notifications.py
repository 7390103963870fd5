"""Notifies subscribed clients of changed resources, from the supervisor's change feed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourceUpdated

from supervisor.core.vocabulary.values import Change
from supervisor.driver.change_listeners import Listener
from supervisor.facade import CDPSupervisor

from .agent import Agent
from .resources import touched_by

PAUSE_S = 0.1
"""So long further changes are collected: a console may say ten thousand lines a second."""


class Updates:
    """Tells subscribers which resources to read again. Newer clients listen on the bus, older ones name a resource."""

    def __init__(self, agent: Agent) -> None:
        self.bus: InMemorySubscriptionBus = InMemorySubscriptionBus()
        self._agent = agent
        self._changed: set[str] = set()
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._subscribers: dict[tuple[str, str], ServerSession] = {}
        self._followed: tuple[CDPSupervisor, Listener] | None = None

    def subscribe(self, client: str, uri: str, session: ServerSession) -> None:
        """Tell this client of this resource, on the channel of its session that belongs to no request."""
        self._subscribers[client, uri] = session

    def unsubscribe(self, client: str, uri: str) -> None:
        """Tell it no more."""
        self._subscribers.pop((client, uri), None)

    def follow(self) -> None:
        """Listen to the supervisor that there is now. Does nothing when it is the one that was there before."""
        running = self._agent.supervisor
        if running is None or (self._followed is not None and self._followed[0] is running):
            return
        self.close()
        self._followed = (running, running.on_change(self._see))

    def close(self) -> None:
        """Listen to nothing any more."""
        if self._followed is not None:
            self._followed[1].close()
            self._followed = None

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

    def _see(self, change: Change) -> None:
        """On the supervisors' loop thread."""
        touched = touched_by(change.kind)
        if touched:
            self._loop.call_soon_threadsafe(self._note, touched)

    def _note(self, touched: tuple[str, ...]) -> None:
        self._changed.update(touched)
        self._news.set()
