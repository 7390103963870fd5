"""Plays some tasks through some servers and command lines, and says what came of each.

python -m benchmarks.agents [--suite toolsets] [--server NAME ...] [TASK ...]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.agents.command_lines.starts import COMMAND_LINES
from benchmarks.agents.mcp_servers import SERVERS
from benchmarks.agents.suite import PLAYED, Player
from benchmarks.agents.toolsets.toolset_starts import TOOLSET_SERVERS
from tests.tasks import sheets
from tests.tasks.desk import Room
from tests.tasks.task import LIBRARIES, TASKS
from tests.tasks.toolsets import sheets as toolset_sheets
from tests.tasks.toolsets.task import TOOLSET_TASKS


def main() -> None:
    """Play the tasks that are named, or all."""
    assert sheets.__all__
    assert toolset_sheets.__all__
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agents")
    parser.add_argument("--suite", choices=["default", "toolsets"], default="default")
    parser.add_argument("--server", nargs="+", choices=list(PLAYED), metavar="NAME", help=", ".join(PLAYED))
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="names, or sheets of tasks; all if none")
    options = parser.parse_args()
    is_default = options.suite == "default"
    starts = PLAYED if is_default else TOOLSET_SERVERS
    servers = options.server or ([*SERVERS, *COMMAND_LINES] if is_default else [*TOOLSET_SERVERS])
    tasks = TASKS if is_default else TOOLSET_TASKS
    chosen = [task for task in tasks.values() if not options.tasks or {task.name, task.sheet} & {*options.tasks}]
    with tempfile.TemporaryDirectory() as folder, Room(LIBRARIES, Path(folder)) as room:
        for name in servers:
            with Player(name, room.folder, starts) as player:
                for task in chosen:
                    outcome = player.play_desk(task, room)
                    usage = outcome.usage
                    mark = "done  " if outcome.is_done else "FAILED"
                    print(f"{name:20} {mark} {usage.calls:3} calls {usage.characters:7} chars  {task.name}", flush=True)
                    if outcome.reason:
                        print("    " + outcome.reason.replace("\n", "\n    ")[:3000], flush=True)


if __name__ == "__main__":
    main()
