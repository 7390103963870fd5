"""The server's view of an agent: its tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


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
