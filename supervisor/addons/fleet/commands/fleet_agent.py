"""A task of a fleet as the agent of one session."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from cdp_typed.errors import CDPError
from supervisor.tools.handlers.handler_calls import in_thread

if TYPE_CHECKING:
    from supervisor.addons.fleet import Fleet


class FleetAgent:
    """A separate task, with an id that nobody can guess: it begins with the first call and ends with the session.

    A session that ends without a word leaves it to its lease.
    """

    def __init__(self, fleet: Fleet) -> None:
        self.task_id: str = f"mcp-{secrets.token_urlsafe(18)}"
        self._fleet = fleet

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
        return self._fleet.shortened(name, result)
