"""Medians and ratios as a plain text table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence


def seconds_per_call(work: Callable[[], object], calls: int) -> float:
    """Return the mean time of one call of `work`."""
    started = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - started) / calls


def medians(workers: Sequence[Callable[[], object]], *, rounds: int, calls: int) -> list[float]:
    """Return the median time of each worker; the workers take turns, so that noise affects all of them."""
    times: list[list[float]] = [[] for _ in workers]
    for _ in range(rounds):
        for slot, work in zip(times, workers, strict=True):
            slot.append(seconds_per_call(work, calls))
    return [statistics.median(slot) for slot in times]


def render(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with aligned columns; the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)])

    return "\n".join([title, line(header), *(line(row) for row in rows)])
