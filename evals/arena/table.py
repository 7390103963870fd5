"""The table of the arena."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks import table
from evals.arena.applications.miniwob import MiniWoB
from evals.arena.task import ArenaTask
from evals.tasks.hands import Usage
from evals.tasks.playing import Outcome

__all__ = ["render"]

HEADER = ("", "done", "failed", "calls", "characters", "looked again", "false successes")


def render(tasks: Sequence[ArenaTask], outcomes: Mapping[str, Mapping[str, Outcome]]) -> str:
    """A table for the applications, one for MiniWoB++, and a line for each failure."""
    of_benchmark = [task for task in tasks if task.application is MiniWoB]
    of_applications = [task for task in tasks if task.application is not MiniWoB]
    parts = [_table(title, group, outcomes) for title, group in
             (("tasks in applications", of_applications), ("tasks of MiniWoB++", of_benchmark)) if group]  # fmt: skip
    return "\n\n".join([*parts, "\n".join(_failures(tasks, outcomes))])


def _table(title: str, tasks: Sequence[ArenaTask], outcomes: Mapping[str, Mapping[str, Outcome]]) -> str:
    common = [task.name for task in tasks if all(results[task.name].is_done for results in outcomes.values())]
    head = f"{len(tasks)} {title}; calls, characters and second looks of the {len(common)} that all have done"
    rows = [_row(server, [results[task.name] for task in tasks], [results[name].usage for name in common])
            for server, results in outcomes.items()]  # fmt: skip
    return table.render(head, HEADER, rows)


def _row(server: str, results: Sequence[Outcome], usages: Sequence[Usage]) -> tuple[str, ...]:
    done = sum(outcome.is_done for outcome in results)
    figures = (
        done,
        len(results) - done,
        sum(usage.calls for usage in usages),
        sum(usage.characters for usage in usages),
        sum(usage.again for usage in usages),
        sum(outcome.is_false_success for outcome in results),
    )
    return server, *(f"{figure:,}" for figure in figures)


def _failures(tasks: Sequence[ArenaTask], outcomes: Mapping[str, Mapping[str, Outcome]]) -> list[str]:
    """A line for each task that a server has not done."""
    lines: list[str] = []
    for task in tasks:
        failed = {server: results[task.name] for server, results in outcomes.items() if not results[task.name].is_done}
        if failed:
            lines.append(f"{task.application.name}, {task.name}: {task.goal}")
            lines.extend(
                f"    {server}: {' '.join(outcome.reason.split())[:160]}" for server, outcome in failed.items()
            )
    return lines
