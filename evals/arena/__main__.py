"""Plays the tasks of the arena through the servers, and prints the table.

python -m evals.arena [--part] [--server NAME ...] [--] [TASK or APPLICATION ...]
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from evals.agents.mcp_servers import SERVERS, peers
from evals.agents.suite import Player
from evals.arena import miniwob, tasks
from evals.arena.applications.application import Application, NotStarted
from evals.arena.table import render
from evals.arena.task import TASKS, ArenaTask, Place
from evals.tasks.hands import Usage
from evals.tasks.our_hands import OurHands
from evals.tasks.playing import Outcome


def _exit(number: int, frame: object) -> None:
    sys.exit(1)


def main() -> None:
    """Play the tasks that are named, or all. Exits with 1 if our server has not done one."""
    assert tasks.__name__, miniwob.__name__  # they register their tasks
    signal.signal(signal.SIGTERM, _exit)  # so that what was started is ended
    installed = list(SERVERS) if peers().is_dir() else [OurHands.name]
    parser = argparse.ArgumentParser(prog="python -m evals.arena")
    parser.add_argument("--part", action="store_true", help="a short run, through our server alone")
    parser.add_argument("--server", nargs="+", choices=installed)
    parser.add_argument("names", nargs="*", metavar="NAME", help="tasks and applications; all if none")
    options = parser.parse_args()
    servers = options.server or ([OurHands.name] if options.part else installed)
    chosen = [task for task in TASKS.values() if _is_chosen(task, options.names, part=options.part)]
    outcomes = {server: play_tasks(server, chosen) for server in servers}
    print(render(chosen, outcomes))
    sys.exit(not all(outcome.is_done for outcome in outcomes.get(OurHands.name, {}).values()))


def _is_chosen(task: ArenaTask, names: list[str], *, part: bool) -> bool:
    is_named = not names or task.name in names or task.application.name in names
    return is_named and (task.in_part or not part)


def play_tasks(server: str, chosen: list[ArenaTask]) -> dict[str, Outcome]:
    """Play tasks through a server, on applications that are started for it. Returns what came of each, by its name."""
    outcomes: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory() as folder, Player(server, Path(folder)) as player:
        for application in dict.fromkeys(task.application for task in chosen):
            own = [task for task in chosen if task.application is application]
            try:
                with application(Path(tempfile.mkdtemp(dir=folder))) as running:
                    for task in own:
                        outcomes[task.name] = _play_one(player, task, running)
            except NotStarted as error:
                print(f"{player.name:20} {error}", flush=True)
                outcomes |= {task.name: Outcome(False, str(error), Usage()) for task in own}
    return outcomes


def _play_one(player: Player, task: ArenaTask, running: Application) -> Outcome:
    outcome = player.play(lambda browser: Place(task, running, browser))
    usage = outcome.usage
    mark = "done  " if outcome.is_done else "FAILED"
    counts = f"{usage.calls:3} calls {usage.again:2} again {usage.characters:7} chars"
    print(f"{player.name:20} {mark} {counts}  {running.name}: {task.name}", flush=True)
    if outcome.reason:
        print("    " + outcome.reason.replace("\n", "\n    ")[:3000], flush=True)
    return outcome


if __name__ == "__main__":
    main()
