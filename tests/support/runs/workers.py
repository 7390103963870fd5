"""The distribution of tests over several workers: the units that stay on one worker, and the order of the units."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

import pytest
from xdist.remote import Producer  # pyright: ignore[reportMissingTypeStubs] # it has types, and does not say so
from xdist.scheduler import LoadScopeScheduling  # pyright: ignore[reportMissingTypeStubs] # the same

from tests.support.stages.stage_names import FURTHER_STAGES, STAGES

__all__ = ["ByUnit", "Producer", "begin_with_the_longest", "number_of_workers", "repeated", "sendable", "unit_of"]

_FIRST_PARTS = {"evals/beside/test_beside.py": 2}
"""The number of parts of a parameter's name that identify its unit; units can be played on different workers."""


_RAY = "/on_ray/"
"""Tests in folders of this name share one Ray cluster, whose start takes longer than most of them.

Those of the command line expect no other fleet there, and come first by their path.
"""

_STAGE_PARAMETERS = ("stage", "shared_stage", "shared_scene")


class ByUnit(LoadScopeScheduling):  # type: ignore[misc] # mypy takes it for untyped
    """Gives each worker whole units, in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: Producer | None) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


def unit_of(nodeid: str) -> str:
    """The tests that one worker plays: those of a file, on each stage apart.

    What a file's tests share, a browser or a chain of pages, is made once for each unit. Those on Ray are all one unit.
    """
    file, _, rest = nodeid.partition("::")
    parts = rest.partition("[")[2].removesuffix("]").split("-")
    if _RAY in file:
        return _RAY
    if file in _FIRST_PARTS:
        return f"{file}[{'-'.join(parts[: _FIRST_PARTS[file]])}]"
    return f"{file}[{parts[0]}]" if parts[0] in STAGES else file


def repeated(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Scenarios on `FURTHER_STAGES` with all parameters but the first."""
    seen: set[tuple[str, object]] = set()
    repetitions: list[pytest.Item] = []
    for item in items:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        stage = next((parameters[name] for name in _STAGE_PARAMETERS if name in parameters), None)
        if stage in FURTHER_STAGES:
            scenario = item.nodeid.partition("[")[0], stage
            if scenario in seen:
                repetitions.append(item)
            seen.add(scenario)
    return repetitions


def begin_with_the_longest(items: list[pytest.Item]) -> None:
    """Put first what may take long by its own word, then what starts browsers, so that no worker ends alone."""
    units = [unit_of(item.nodeid) for item in items]
    sizes = Counter(units)
    patience: Counter[str] = Counter()
    browsers: Counter[str] = Counter()
    for item, unit in zip(items, units, strict=True):
        marker = item.get_closest_marker("timeout")
        patience[unit] = max(patience[unit], marker.args[0] if marker is not None else 0)
        browsers[unit] += item.get_closest_marker("chromium") is not None
    ranks = {unit: (-patience[unit], -browsers[unit], -sizes[unit], unit) for unit in sizes}
    items.sort(key=lambda item: ranks[unit_of(item.nodeid)])


def number_of_workers() -> int:
    """More than cores, because a test with a browser waits at times."""
    return len(os.sched_getaffinity(0)) + 2


Told: TypeAlias = str | int | float | dict[str, "Told"] | list["Told"] | tuple["Told", ...] | None


def sendable(report: Told) -> Told:
    """A report whose texts a worker can send: what tests log and print may have surrogates, which UTF-8 has not."""
    match report:
        case str():
            return report.encode(errors="backslashreplace").decode()
        case dict():
            return {key: sendable(value) for key, value in report.items()}
        case list() | tuple():
            return [sendable(value) for value in report]
        case _:
            return report
