"""The tables of the servers and of the command lines."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from benchmarks import table
from evals.agents.command_lines.cdp_agent_hands import CdpAgentHands
from evals.agents.command_lines.starts import COMMAND_LINES
from evals.agents.mcp_servers import SERVERS, peers
from evals.agents.suite import Player
from evals.agents.toolsets.toolset_report import play_toolsets, render
from evals.tasks import sheets
from evals.tasks.desk import Room
from evals.tasks.our_hands import OurHands
from evals.tasks.playing import Outcome
from evals.tasks.task import LIBRARIES, TASKS, Task
from evals.tasks.toolsets.task import TOOLSET_TASKS

Played: TypeAlias = "tuple[Mapping[str, Outcome], int]"
HEADER = ("", "done", "failed", "calls", "characters", "of lists", "snapshot", "click", "definitions")
SHELL_HEADER = ("", "done", "failed", "lines", "commands", "characters", "skill", "wall", "processor", "click")


def report() -> str:
    """Play every task through every server and command line, and return the tables and what failed."""
    are_installed = peers().is_dir()
    servers = _play(list(SERVERS) if are_installed else [OurHands.name])
    shells = _play(list(COMMAND_LINES) if are_installed else [CdpAgentHands.name])
    toolsets = play_toolsets(with_peers=are_installed)
    notes = [] if are_installed else ["The others are not installed; `make agents` does that."]
    failures = failures_of(TASKS, {**servers, **shells}) + failures_of(TOOLSET_TASKS, toolsets)
    return "\n".join([servers_table(servers), "", shells_table(shells), "", render(toolsets), *notes, "", *failures])


def _play(names: list[str]) -> dict[str, Played]:
    """The outcome of each task, and the characters that a model reads before the first one."""
    played: dict[str, Played] = {}
    with tempfile.TemporaryDirectory() as folder, Room(LIBRARIES, Path(folder)) as room:
        for name in names:
            with Player(name, room.folder) as player:
                played[name] = {task.name: player.play_desk(task, room) for task in TASKS.values()}, player.definitions
    return played


def _common(played: Mapping[str, Played]) -> list[str]:
    return [
        task for task in TASKS if all(task in outcomes and outcomes[task].is_done for outcomes, _ in played.values())
    ]


def servers_table(played: Mapping[str, Played]) -> str:
    """The table of the MCP servers."""
    common = _common(played)
    title = (
        f"{len(TASKS)} tasks in {len(sheets.__all__)} sheets; calls and characters of the {len(common)} that all have "
        "done, and the characters of long lists among them; medians of a snapshot and a click in ms; characters of the "
        "definitions of the tools"
    )
    rows = [_row(name, outcomes, common, definitions) for name, (outcomes, definitions) in played.items()]
    return table.render(title, HEADER, rows)


def shells_table(played: Mapping[str, Played]) -> str:
    """The table of the command lines."""
    common = _common(played)
    title = (
        f"{len(TASKS)} tasks; lines for the shell, commands in them and characters of the {len(common)} that all have "
        "done; characters of the skill or help, which are read once; wall and processor time of a command, and the "
        "median of a click, in ms"
    )
    rows = [_shell_row(name, outcomes, common, skill) for name, (outcomes, skill) in played.items()]
    return table.render(title, SHELL_HEADER, rows)


def _row(name: str, outcomes: Mapping[str, Outcome], common: list[str], definitions: int) -> tuple[str, ...]:
    done = sum(outcome.is_done for outcome in outcomes.values())
    usages = [outcomes[task].usage for task in common]
    calls, characters = sum(usage.calls for usage in usages), sum(usage.characters for usage in usages)
    of_lists = sum(outcomes[task].usage.characters for task in common if TASKS[task].sheet == "lists")
    figures = done, len(outcomes) - done, calls, characters, of_lists
    times = (_median(outcomes, kind) for kind in ("snapshot", "click"))
    return name, *(f"{figure:,}" for figure in figures), *times, f"{definitions:,}"


def _shell_row(name: str, outcomes: Mapping[str, Outcome], common: list[str], skill: int) -> tuple[str, ...]:
    done = sum(outcome.is_done for outcome in outcomes.values())
    usages = [outcomes[task].usage for task in common]
    calls, commands = sum(usage.calls for usage in usages), sum(usage.commands for usage in usages)
    characters = sum(usage.characters for usage in usages) + skill
    figures = done, len(outcomes) - done, calls, commands, characters, skill
    wall = sum(second for usage in usages for seconds in usage.seconds.values() for second in seconds)
    times = (seconds * 1000 / commands for seconds in (wall, sum(usage.processor_s for usage in usages)))
    return name, *(f"{figure:,}" for figure in figures), *(f"{ms:.0f}" for ms in times), _median(outcomes, "click")


def _median(outcomes: Mapping[str, Outcome], kind: str) -> str:
    """In milliseconds, over the tasks that were done."""
    done = [outcome.usage for outcome in outcomes.values() if outcome.is_done]
    seconds = [second for usage in done for second in usage.seconds.get(kind, [])]
    return f"{statistics.median(seconds) * 1000:.0f}" if seconds else "-"


def failures_of(tasks: Mapping[str, Task], played: Mapping[str, Played]) -> list[str]:
    """A line for each task that a server has not done."""
    lines: list[str] = []
    for task in tasks:
        results = {name: outcomes[task] for name, (outcomes, _) in played.items() if task in outcomes}
        failed = {name: outcome.reason for name, outcome in results.items() if not outcome.is_done}
        if failed:
            lines.append(f"{task}: {tasks[task].goal}")
            lines.extend(f"    {name}: {' '.join(reason.split())[:160]}" for name, reason in failed.items())
    return lines
