"""A task of a fleet as the agent of an MCP session, without Ray."""

from __future__ import annotations

from typing import Any

from supervisor.addons.fleet.commands.fleet_agent import FleetAgent


def test_the_ids_of_tasks_cannot_be_guessed() -> None:
    no_fleet: Any = None  # none is asked before the first call

    ids = {FleetAgent(no_fleet).task_id for _ in range(100)}

    assert (len(ids), {len(task_id) for task_id in ids}) == (100, {28})
