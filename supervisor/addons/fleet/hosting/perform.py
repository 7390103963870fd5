"""Executes the calls of a `RemoteSupervisor` on the host."""

from __future__ import annotations

import inspect
from typing import Any

from supervisor.addons.fleet.remote import RemoteSupervisor
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.policy import Policy
from supervisor.tools.raw_commands.checks import check_command

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


async def perform(
    supervisor: AsyncSupervisor, method: str, args: tuple[Any, ...], kwargs: dict[str, Any], policy: Policy
) -> Any:
    """Call a method or read a property of the supervisor; its errors are passed on.

    Raises `AttributeError` for a name that a `RemoteSupervisor` does not have, and `PolicyRefused` for a file that the
    policy forbids, and for a raw command that it forbids or that reaches further than the pages of the task.
    """
    if method not in METHODS:
        raise AttributeError(f"RemoteSupervisor has no method {method!r}")
    if method == "send":
        given = {name: value for name, value in kwargs.items() if name != "timeout_s"}
        await check_command(supervisor, policy, *args, **given)
    if method == "choose_files" and not isinstance(args[0], str):
        for path in args[0]:
            policy.check_file(str(path))
    member = getattr(supervisor, method)
    given = member(*args, **kwargs) if callable(member) else member
    return await given if inspect.isawaitable(given) else given
