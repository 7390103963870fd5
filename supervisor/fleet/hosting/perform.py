"""Executes the calls of a `RemoteSupervisor` on the host."""

from __future__ import annotations

import inspect
from typing import Any

from supervisor.aio import AsyncSupervisor
from supervisor.fleet.remote import RemoteSupervisor

METHODS = frozenset(name for name in vars(RemoteSupervisor) if not name.startswith("_"))
"""The methods and properties that a `RemoteSupervisor` may call."""

READING = frozenset(
    {
        "calls",
        "changes_since",
        "console_since",
        "frames",
        "is_running",
        "snapshot",
        "status",
        "wait_for",
        "wait_for_change",
    }
)
"""The methods that change nothing in the browser."""


async def perform(supervisor: AsyncSupervisor, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a method or read a property of the supervisor; its errors are passed on. Raises `AttributeError` for a name
    that a `RemoteSupervisor` does not have.
    """
    if method not in METHODS:
        raise AttributeError(f"RemoteSupervisor has no method {method!r}")
    member = getattr(supervisor, method)
    given = member(*args, **kwargs) if callable(member) else member
    return await given if inspect.isawaitable(given) else given
