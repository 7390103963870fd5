"""The toolbox that the server serves, and the supervisor behind it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from cdp_typed.errors import CDPError, LaunchError
from supervisor.config import Config, Settings
from supervisor.facade import CDPSupervisor
from supervisor.registry import SUPERVISOR_REGISTRY, SupervisorRegistry
from supervisor.tools import Toolbox

TASK = "mcp"
START_S = 45.0
"""Seconds for the start at the beginning: a browser may be launched first, which takes 30 s at most."""
STEP_S = 0.1
"""The seconds between two looks at the state of a start."""

_log = logging.getLogger("supervisor.mcp_server.agent")


class Agent:
    """One toolbox and one supervisor, shared by all clients of the server, with all dialogs of its browser.

    `toolbox` has to be made with the same `config` and `registry`. Without `connects_at_start`, the first
    call that needs the browser connects: a person may have to allow each connection.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        config: Config,
        registry: SupervisorRegistry = SUPERVISOR_REGISTRY,
        *,
        connects_at_start: bool = True,
    ) -> None:
        self.toolbox = toolbox
        self._connects_at_start = connects_at_start
        self._config = config
        self._registry = registry
        self._starting: asyncio.Task[None] | None = None
        self._is_stopping = False

    async def start(self) -> None:
        """Begin to connect to the browser, and return at once: calls wait for it. The log reports a browser that cannot
        be reached, and each call tries it again. Without `connects_at_start`, the first call that needs the browser
        connects.
        """
        if self._connects_at_start:
            self._starting = asyncio.create_task(self._connect())

    async def _connect(self) -> None:
        settings = cast(Settings, {name: getattr(self._config, name) for name in Settings.__annotations__})
        start = partial(self._registry.get_or_start, TASK, self._config.cdp_url, start_timeout_s=START_S, **settings)
        try:
            started = await asyncio.to_thread(start)
        except CDPError as error:
            if not self._is_stopping:
                # With all that a browser printed.
                _log.warning("%s", error.__cause__ if isinstance(error, LaunchError) else error)
        else:
            await self.toolbox.guard(started)

    async def _connected(self) -> None:
        """Return when the start has ended, or waits for a person to allow it: the call joins that question."""
        while self._starting is not None and not self._starting.done():
            if self._registry.status(TASK).state == "waiting_for_person":
                return
            await asyncio.wait({self._starting}, timeout=STEP_S)

    async def stop(self) -> None:
        """Disconnect from the browser."""
        self._is_stopping = True
        while True:  # a start that begins at this moment is not stopped by the first time
            await asyncio.to_thread(self._registry.stop, TASK)
            if self._starting is None or (await asyncio.wait({self._starting}, timeout=STEP_S))[0]:
                return

    @property
    def supervisor(self) -> CDPSupervisor | None:
        """The supervisor of the moment; another one after a connection that was lost for good."""
        return self._registry.get(TASK)

    def definitions(self, *, structured: bool) -> list[dict[str, Any]]:
        """The tools that can be used now."""
        return self.toolbox.definitions("mcp", TASK, structured=structured)

    def as_content(self, name: str, result: Mapping[str, Any]) -> list[dict[str, Any]]:
        """See `Toolbox.as_content`."""
        return self.toolbox.as_content(name, result, "mcp")

    async def call(self, name: str, arguments: object) -> dict[str, Any]:
        """Call a tool and return its result as `Toolbox.adispatch` does, shortened for hosts."""
        await self._connected()
        given = self.toolbox.without_foreign(name, arguments)
        result: dict[str, Any] = json.loads(await self.toolbox.adispatch(name, given, TASK))
        return self.toolbox.shortened(name, result)
