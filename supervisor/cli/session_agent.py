"""The server's view of an agent: tools, and the state of a browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from supervisor.core.vocabulary.values import ChangeKind, SupervisorSnapshot
from supervisor.status import Status

OnChangeKind: TypeAlias = Callable[[ChangeKind | None], None]
"""Receives the kind of each change; None: some were missed. Called on any thread."""


class SessionAgent(Protocol):
    """The tools and the browser of one session of a client, or of all sessions."""

    async def start(self) -> None:
        """Begin; the log and the calls that follow report a failure."""

    async def stop(self) -> None:
        """End; what was started for it ends, too."""

    def definitions(self, *, structured: bool) -> list[dict[str, Any]]:
        """The tools that can be used now, in the form of MCP."""
        ...

    def as_content(self, name: str, result: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The result of a tool as content blocks of MCP: text for a model, and pictures."""
        ...

    async def call(self, name: str, arguments: object) -> dict[str, Any]:
        """Call a tool and return its result; cancelling this ends the call."""
        ...

    async def snapshot(self) -> SupervisorSnapshot | None:
        """Return the current snapshot, or None without a connection. Raises `CDPError` when it cannot be had."""
        ...

    async def status(self) -> Status:
        """Return the state of the supervisor. Raises `CDPError` when it cannot be had."""
        ...

    def without_secrets(self, value: Any) -> Any:
        """A JSON value without the credentials of the endpoint, and without what the policy hides."""
        ...

    async def follow(self, on_change_kind: OnChangeKind) -> None:
        """Tell of every change of the browser from now on; does nothing when that is being done already."""

    async def unfollow(self) -> None:
        """Tell of nothing any more."""
