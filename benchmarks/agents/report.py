"""The table of the servers."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks import table
from benchmarks.agents.mcp_servers import SERVERS, peers
from benchmarks.agents.suite import Player
from tests.tasks import sheets
from tests.tasks.desk import Room
from tests.tasks.our_hands import OurHands
from tests.tasks.playing import Outcome
from tests.tasks.task import LIBRARIES, TASKS

HEADER = ("", "done", "failed", "calls", "characters", "of lists", "snapshot", "click", "definitions")


def report() -> str:
    """Play every task through every server, and return the table and what failed."""
    names = list(SERVERS) if peers().is_dir() else [OurHands.name]
    outcomes: dict[str, dict[str, Outcome]] = {}
    definitions: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, Room(LIBRARIES, Path(folder)) as room:
        for name in names:
            with Player(name, room.folder) as player:
                outcomes[name] = {task.name: player.play_desk(task, room) for task in TASKS.values()}
                definitions[name] = player.definitions
    common = [task for task in TASKS if all(outcomes[name][task].is_done for name in names)]
    title = (
        f"{len(TASKS)} tasks in {len(sheets.__all__)} sheets; calls and characters of the {len(common)} that "
        f"{'all have' if len(names) > 1 else 'it has'} done, and the characters of long lists among "
        "them; medians of a snapshot and a click in ms; characters of the definitions of the tools"
    )
    rows = [_row(name, outcomes[name], common, definitions[name]) for name in names]
    notes = [] if len(names) > 1 else ["The other servers are not installed; `make agents` does that."]
    return "\n".join([table.render(title, HEADER, rows), *notes, "", *_failures(outcomes)])


def _row(name: str, outcomes: Mapping[str, Outcome], common: list[str], definitions: int) -> tuple[str, ...]:
    done = sum(outcome.is_done for outcome in outcomes.values())
    usages = [outcomes[task].usage for task in common]
    calls, characters = sum(usage.calls for usage in usages), sum(usage.characters for usage in usages)
    of_lists = sum(outcomes[task].usage.characters for task in common if TASKS[task].sheet == "lists")
    figures = done, len(outcomes) - done, calls, characters, of_lists
    times = (_median(outcomes, kind) for kind in ("snapshot", "click"))
    return name, *(f"{figure:,}" for figure in figures), *times, f"{definitions:,}"


def _median(outcomes: Mapping[str, Outcome], kind: str) -> str:
    """In milliseconds, over the tasks that were done."""
    done = [outcome.usage for outcome in outcomes.values() if outcome.is_done]
    seconds = [second for usage in done for second in usage.seconds.get(kind, [])]
    return f"{statistics.median(seconds) * 1000:.0f}" if seconds else "-"


def _failures(outcomes: Mapping[str, Mapping[str, Outcome]]) -> list[str]:
    """A line for each task that a server has not done."""
    lines: list[str] = []
    for task in TASKS:
        failed = {name: results[task].reason for name, results in outcomes.items() if not results[task].is_done}
        if failed:
            lines.append(f"{task}: {TASKS[task].goal}")
            lines.extend(f"    {name}: {' '.join(reason.split())[:160]}" for name, reason in failed.items())
    return lines
