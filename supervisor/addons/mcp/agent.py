"""The toolbox that the server serves, and the supervisor behind it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any, cast

from cdp_typed.errors import CDPError
from supervisor.cli.session_agent import OnChangeKind
from supervisor.config import Config, Settings
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.driver.change_listeners import Listener
from supervisor.facade import CDPSupervisor
from supervisor.registry import SUPERVISOR_REGISTRY, SupervisorRegistry
from supervisor.status import Status
from supervisor.tools import Toolbox
from supervisor.tools.framework.redaction import Redactor, secrets_in

TASK = "mcp"
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
        self._followed: tuple[CDPSupervisor, Listener] | None = None
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect to the browser. The log reports a browser that cannot be reached: each call tries it again.

        Returns without a connection while the browser asks a person to allow it: the first call that needs the browser
        joins that question. Without `connects_at_start`, that call connects.
        """
        if not self._connects_at_start:
            return
        self._starting = asyncio.create_task(self._connect())
        while self._registry.status(TASK).state != "waiting_for_person":
            if (await asyncio.wait({self._starting}, timeout=STEP_S))[0]:
                break

    async def _connect(self) -> None:
        settings = cast(Settings, {name: getattr(self._config, name) for name in Settings.__annotations__})
        try:
            started = await asyncio.to_thread(self._registry.get_or_start, TASK, self._config.cdp_url, **settings)
        except CDPError as error:
            _log.warning("%s", error)
        else:
            await self.toolbox.guard(started)

    async def stop(self) -> None:
        """Disconnect from the browser."""
        await asyncio.to_thread(self._registry.stop, TASK)
        if self._starting is not None:
            await self._starting

    @property
    def supervisor(self) -> CDPSupervisor | None:
        """The supervisor of the moment; another one after a connection that was lost for good."""
        return self._registry.get(TASK)

    async def snapshot(self) -> SupervisorSnapshot | None:
        """Return the current snapshot, or None without a connection."""
        running = self.supervisor
        try:
            return running.snapshot() if running is not None else None
        except NotRunning:
            return None

    async def status(self) -> Status:
        """Return the state of the supervisor."""
        return self._registry.status(TASK)

    def definitions(self, *, structured: bool) -> list[dict[str, Any]]:
        """The tools that can be used now."""
        return self.toolbox.definitions("mcp", TASK, structured=structured)

    def as_content(self, name: str, result: Mapping[str, Any]) -> list[dict[str, Any]]:
        """See `Toolbox.as_content`."""
        return self.toolbox.as_content(name, result, "mcp")

    async def call(self, name: str, arguments: object) -> dict[str, Any]:
        """Call a tool and return its result as `Toolbox.adispatch` does."""
        given = self.toolbox.without_foreign(name, arguments)
        result: dict[str, Any] = json.loads(await self.toolbox.adispatch(name, given, TASK))
        return result

    def without_secrets(self, value: Any) -> Any:
        """A JSON value without the credentials of the endpoint, and without what the policy hides."""
        return Redactor(secrets_in(self._config), self.toolbox.policy.redact).value(value)

    async def follow(self, on_change_kind: OnChangeKind) -> None:
        """Listen to the supervisor that there is now. Does nothing when it is the one that was there before."""
        running = self.supervisor
        if running is None or (self._followed is not None and self._followed[0] is running):
            return
        await self.unfollow()
        self._followed = running, running.on_change(lambda change: on_change_kind(change.kind))

    async def unfollow(self) -> None:
        """Listen to nothing any more."""
        if self._followed is not None:
            self._followed[1].close()
            self._followed = None
