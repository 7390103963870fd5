"""A task of a fleet as the agent of an MCP session, without Ray."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
from mcp import MCPError

from supervisor.addons.fleet.commands.fleet_agent import FleetAgent
from supervisor.addons.mcp.resources import read_resource
from supervisor.core.vocabulary.errors import SupervisorError
from supervisor.core.vocabulary.values import Change, ChangeKind
from tests.supervisor.addons.mcp.test_http_sessions import until


class LosingFleet:
    """A fleet whose tasks lose their browser at the second look."""

    def __init__(self, *kinds: ChangeKind) -> None:
        self.kinds = kinds
        self.looks = 0

    def supervisor(self, task_id: str) -> LosingFleet:
        return self

    async def snapshot(self) -> Any:
        self.looks += 1
        if self.looks == 3:
            raise SupervisorError("the fleet is full of secrets")
        return _At()

    async def changes(self, since: int) -> AsyncIterator[Change]:
        assert since == 7
        for kind in self.kinds:
            yield Change(seq=8, at=0.0, kind=kind, subject="d-1", text="")
        raise SupervisorError("lost")

    def end_task(self, task_id: str) -> None:
        raise SupervisorError(f"the fleet has no task {task_id}")

    def without_secrets(self, value: Any, task_id: str) -> Any:
        return str(value).replace("secrets", "[redacted]")


class _At:
    cursor = 7


async def test_a_task_that_is_lost_is_told_of_and_followed_again_when_that_is_asked_for(no_leaks: None) -> None:
    kinds: list[ChangeKind | None] = []
    fleet = LosingFleet("dialog_opened")
    agent = FleetAgent(cast(Any, fleet))
    await agent.follow(kinds.append)
    await until(lambda: kinds == ["dialog_opened", None])
    await agent.follow(kinds.append)
    await until(lambda: kinds == ["dialog_opened", None] * 2)

    await agent.follow(kinds.append)
    await agent.unfollow()
    await agent.stop()
    assert (fleet.looks, len(kinds)) == (3, 4)


async def test_a_resource_that_cannot_be_had_is_an_error_without_secrets() -> None:
    fleet = LosingFleet()
    fleet.looks = 2
    with pytest.raises(MCPError, match=r"^the fleet is full of \[redacted\]$"):
        await read_resource(FleetAgent(cast(Any, fleet)), "cdp://status")


def test_the_ids_of_tasks_cannot_be_guessed() -> None:
    ids = {FleetAgent(cast(Any, LosingFleet())).task_id for _ in range(100)}

    assert (len(ids), {len(task_id) for task_id in ids}) == (100, {28})
