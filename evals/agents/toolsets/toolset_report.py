"""The table of the tasks for the toolsets."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks import table
from evals.agents.suite import Player
from evals.agents.toolsets.toolset_starts import TOOLSET_SERVERS
from evals.tasks.desk import Room
from evals.tasks.our_hands import OurHands
from evals.tasks.playing import Outcome
from evals.tasks.task import LIBRARIES
from evals.tasks.toolsets import sheets
from evals.tasks.toolsets.task import TOOLSET_TASKS

__all__ = ["play_toolsets", "render"]

Outcomes = Mapping[str, Outcome]


def play_toolsets(*, with_peers: bool) -> dict[str, tuple[Outcomes, int]]:
    """Play every task through the servers with all their groups; the outcomes, and the size of the definitions."""
    played: dict[str, tuple[Outcomes, int]] = {}
    with tempfile.TemporaryDirectory() as folder, Room(LIBRARIES, Path(folder)) as room:
        for name in TOOLSET_SERVERS if with_peers else [OurHands.name]:
            with Player(name, room.folder, TOOLSET_SERVERS) as player:
                outcomes = {task.name: player.play_desk(task, room) for task in TOOLSET_TASKS.values()}
                played[name] = outcomes, player.definitions
    return played


def render(played: Mapping[str, tuple[Outcomes, int]]) -> str:
    """Two tables: what each server has done of each kind, and its calls and characters. Some tasks may be left out."""
    tasks = [task for task in TOOLSET_TASKS.values() if all(task.name in outcomes for outcomes, _ in played.values())]
    kinds = [(sheet, [task.name for task in tasks if task.sheet == sheet]) for sheet in sheets.__all__]
    done = [
        (kind, str(len(names)), *(str(_done(outcomes, names)) for outcomes, _ in played.values()))
        for kind, names in kinds
        if names
    ]
    all_names = [task.name for task in tasks]
    everything = (
        "all",
        str(len(all_names)),
        *(str(_done(outcomes, all_names)) for outcomes, _ in played.values()),
    )
    common = [name for name in all_names if all(outcomes[name].is_done for outcomes, _ in played.values())]
    title = (
        f"done only by a script; calls and characters of the {len(common)} tasks that all have done; characters of the "
        "definitions of the tools"
    )
    return "\n\n".join(
        [
            table.render("tasks done, by kind", ("", "tasks", *played), [*done, everything]),
            table.render(
                title,
                ("", "by script", "calls", "characters", "definitions"),
                [_costs(name, outcomes, common, size) for name, (outcomes, size) in played.items()],
            ),
        ]
    )


def _done(outcomes: Outcomes, names: list[str]) -> int:
    return sum(outcomes[name].is_done for name in names)


def _costs(name: str, outcomes: Outcomes, common: list[str], definitions: int) -> tuple[str, ...]:
    by_script = sum(outcome.is_done and "script" in outcome.usage.seconds for outcome in outcomes.values())
    usages = [outcomes[task].usage for task in common]
    figures = by_script, sum(usage.calls for usage in usages), sum(usage.characters for usage in usages), definitions
    return name, *(f"{figure:,}" for figure in figures)
