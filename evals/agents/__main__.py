"""Plays some tasks through some servers and command lines, says what came of each, and prints their table.

python -m evals.agents [--suite toolsets] [--server NAME ...] [--outcomes FILE] [TASK ...]

`--outcomes` writes each outcome to a file at once, as a line of JSON.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import IO

from evals.agents.command_lines.starts import COMMAND_LINES
from evals.agents.mcp_servers import SERVERS
from evals.agents.report import Played, failures_of, servers_table, shells_table
from evals.agents.suite import PLAYED, Player
from evals.agents.toolsets.toolset_report import render
from evals.agents.toolsets.toolset_starts import TOOLSET_SERVERS
from evals.tasks import sheets
from evals.tasks.desk import Room
from evals.tasks.playing import Outcome
from evals.tasks.task import LIBRARIES, TASKS, Task
from evals.tasks.toolsets import sheets as toolset_sheets
from evals.tasks.toolsets.task import TOOLSET_TASKS


def main() -> None:
    """Play the tasks that are named, or all."""
    assert sheets.__all__
    assert toolset_sheets.__all__
    parser = argparse.ArgumentParser(prog="python -m evals.agents")
    parser.add_argument("--suite", choices=["default", "toolsets"], default="default")
    parser.add_argument("--server", nargs="+", choices=list(PLAYED), metavar="NAME", help=", ".join(PLAYED))
    parser.add_argument("--outcomes", type=Path, metavar="FILE")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="names, or sheets of tasks; all if none")
    options = parser.parse_args()
    is_default = options.suite == "default"
    starts = PLAYED if is_default else TOOLSET_SERVERS
    servers = options.server or ([*SERVERS, *COMMAND_LINES] if is_default else [*TOOLSET_SERVERS])
    tasks = TASKS if is_default else TOOLSET_TASKS
    chosen = [task for task in tasks.values() if not options.tasks or {task.name, task.sheet} & {*options.tasks}]
    played: dict[str, Played] = {}
    with ExitStack() as stack:
        room = stack.enter_context(Room(LIBRARIES, Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        log = None if options.outcomes is None else stack.enter_context(options.outcomes.open("w", buffering=1))
        for name in servers:
            with Player(name, room.folder, starts) as player:
                outcomes = {task.name: _played(player, task, room, log) for task in chosen}
                played[name] = outcomes, player.definitions
    if options.suite == "toolsets":
        print(render(played))
    else:
        shells = {name: played[name] for name in played if name not in SERVERS}
        tables = ((servers_table, {name: played[name] for name in played if name in SERVERS}), (shells_table, shells))
        print(*(table(of) for table, of in tables if of), sep="\n\n")
    print(*failures_of(tasks, played), sep="\n")


def _played(player: Player, task: Task, room: Room, log: IO[str] | None) -> Outcome:
    outcome = player.play_desk(task, room)
    usage = outcome.usage
    mark = "done  " if outcome.is_done else "FAILED"
    print(f"{player.name:20} {mark} {usage.calls:3} calls {usage.characters:7} chars  {task.name}", flush=True)
    if outcome.reason:
        print("    " + outcome.reason.replace("\n", "\n    ")[:3000], flush=True)
    if log is not None:
        log.write(json.dumps({"name": player.name, "task": task.name, **asdict(outcome)}) + "\n")
    return outcome


if __name__ == "__main__":
    main()
