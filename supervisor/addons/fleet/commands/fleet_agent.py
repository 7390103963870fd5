"""A task of a fleet as the agent of one session."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from cdp_typed.errors import CDPError
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.status import Status
from supervisor.tools.handlers.handler_calls import in_thread

if TYPE_CHECKING:
    from supervisor.addons.fleet import Fleet
    from supervisor.cli.session_agent import OnChangeKind

_log = logging.getLogger("supervisor.mcp_server.agent")


class FleetAgent:
    """A separate task, with an id that nobody can guess: it begins with the first call and ends with the session.

    A session that ends without a word leaves it to its lease.
    """

    def __init__(self, fleet: Fleet) -> None:
        self.task_id: str = f"mcp-{secrets.token_urlsafe(18)}"
        self._fleet = fleet
        self._remote = fleet.supervisor(self.task_id)
        self._lock = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Nothing: a client that only lists tools needs no browser."""

    async def stop(self) -> None:
        """End the task: its pages are closed, its cookies and storage are gone."""
        with suppress(CDPError):  # it never began, or its fleet has ended
            await in_thread(partial(self._fleet.end_task, self.task_id))

    def definitions(self, *, structured: bool) -> list[dict[str, Any]]:
        """The tools of the fleet."""
        return self._fleet.definitions("mcp", self.task_id, structured=structured)

    def as_content(self, name: str, result: Mapping[str, Any]) -> list[dict[str, Any]]:
        """See `Fleet.as_content`."""
        return self._fleet.as_content(name, result, "mcp")

    async def call(self, name: str, arguments: object) -> dict[str, Any]:
        """Call a tool on the host of the task."""
        given = self._fleet.without_foreign(name, arguments)
        result: dict[str, Any] = json.loads(await self._fleet.adispatch(name, given, self.task_id))
        return result

    async def snapshot(self) -> SupervisorSnapshot | None:
        """Return the snapshot of the task's supervisor, which is started if need be."""
        return await self._remote.snapshot()

    async def status(self) -> Status:
        """Return the state of the task's supervisor."""
        return await self._remote.status()

    def without_secrets(self, value: Any) -> Any:
        """See `Fleet.without_secrets`."""
        return self._fleet.without_secrets(value, self.task_id)

    async def follow(self, on_change_kind: OnChangeKind) -> None:
        """Follow the task's supervisor, wherever it is; that counts as a call, and keeps the task."""
        async with self._lock:
            if self._following is not None and not self._following.done():
                return
            try:
                cursor = (await self._remote.snapshot()).cursor
            except CDPError as error:
                _log.warning("changes cannot be followed: %s", error)
            else:
                self._following = asyncio.create_task(self._follow_changes(cursor, on_change_kind))

    async def unfollow(self) -> None:
        """Follow it no more."""
        async with self._lock:
            following, self._following = self._following, None
            if following is not None:
                following.cancel()
                with suppress(asyncio.CancelledError):
                    await following

    async def _follow_changes(self, cursor: int, on_change_kind: OnChangeKind) -> None:
        """Tell of changes until the task loses its browser; the next call begins anew."""
        try:
            async for change in self._remote.changes(cursor):
                on_change_kind(change.kind)
        except (CDPError, TimeoutError) as error:
            _log.warning("changes are no longer followed: %s", error)
        on_change_kind(None)
