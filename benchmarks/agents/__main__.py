"""Plays some tasks through some servers and command lines, and says what came of each.

python -m benchmarks.agents [--server NAME ...] [TASK ...]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.agents.command_lines.starts import COMMAND_LINES
from benchmarks.agents.mcp_servers import SERVERS
from benchmarks.agents.suite import PLAYED, Player
from tests.tasks import sheets
from tests.tasks.desk import Room
from tests.tasks.task import LIBRARIES, TASKS


def main() -> None:
    """Play the tasks that are named, or all."""
    assert sheets.__all__
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agents")
    parser.add_argument("--server", nargs="+", choices=list(PLAYED), default=[*SERVERS, *COMMAND_LINES])
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="names, or sheets of tasks; all if none")
    options = parser.parse_args()
    chosen = [task for task in TASKS.values() if not options.tasks or {task.name, task.sheet} & {*options.tasks}]
    with tempfile.TemporaryDirectory() as folder, Room(LIBRARIES, Path(folder)) as room:
        for name in options.server:
            with Player(name, room.folder) as player:
                for task in chosen:
                    outcome = player.play_desk(task, room)
                    usage = outcome.usage
                    mark = "done  " if outcome.is_done else "FAILED"
                    print(f"{name:20} {mark} {usage.calls:3} calls {usage.characters:7} chars  {task.name}", flush=True)
                    if outcome.reason:
                        print("    " + outcome.reason.replace("\n", "\n    ")[:3000], flush=True)


if __name__ == "__main__":
    main()
