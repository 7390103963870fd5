"""Times of workers that take turns, and ratios as a plain text table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence


def seconds_per_call(work: Callable[[], object], calls: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the mean time of one call of `work`."""
    started = clock()
    for _ in range(calls):
        work()
    return (clock() - started) / calls


def medians(
    workers: Sequence[Callable[[], object]],
    *,
    rounds: int,
    calls: int,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Return the median time of each worker; the workers take turns, so that noise affects all of them."""
    return [statistics.median(times) for times in _by_turns(workers, rounds, calls, clock)]


def least_processor_times(workers: Sequence[Callable[[], object]], *, rounds: int, calls: int) -> list[float]:
    """Return the least processor time of each worker, because other programs only add to it; they take turns."""
    return [min(times) for times in _by_turns(workers, rounds, calls, time.process_time)]


def _by_turns(
    workers: Sequence[Callable[[], object]], rounds: int, calls: int, clock: Callable[[], float]
) -> list[tuple[float, ...]]:
    times = [[seconds_per_call(work, calls, clock) for work in workers] for _ in range(rounds)]
    return list(zip(*times, strict=True))


def render(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with aligned columns; the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)])

    return "\n".join([title, line(header), *(line(row) for row in rows)])
