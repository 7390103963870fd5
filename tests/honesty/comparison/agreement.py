"""What a scenario's traffic comes to: lanes that are equal, refused by the mock, or different."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Final, Literal, TypeAlias

from tests.honesty.comparison.known_differences import DIFFERENCES
from tests.honesty.comparison.normalise import Lanes, compare, is_refusal, normalised
from tests.honesty.player import Stage, playing
from tests.honesty.scenarios.all_scenarios import SCENARIOS
from tests.honesty.stages import mock_stage

__all__ = ["KINDS", "Agreement", "measure"]

Agreement: TypeAlias = Literal["equal", "refused", "listed", "different"]
KINDS: Final[tuple[Agreement, ...]] = ("equal", "refused", "listed", "different")
SETTLING_S: Final = 2
"""The longest time until the last messages of a scenario, after the last one that it waits for."""


async def measure(name: str, chromium: Stage) -> tuple[Counter[Agreement], str]:
    """Return how many lanes agree, and the differences as text."""
    try:
        async with asyncio.timeout(60), mock_stage() as mock, playing(chromium) as theirs, playing(mock) as ours:
            await SCENARIOS[name](theirs)
            await SCENARIOS[name](ours)
            until = time.monotonic() + SETTLING_S
            while True:
                left, right = normalised(name, ours.trace, mock), normalised(name, theirs.trace, chromium)
                different = compare(left, right, name)
                if not different or time.monotonic() > until:
                    return _counted(name, left, right), different
                await asyncio.sleep(0.02)
    except Exception as failed:  # whatever a scenario raises counts as a difference, and the next one is played
        return Counter({"different": 1}), f"{type(failed).__name__}: {failed} {getattr(failed, '__notes__', '')}"


def _counted(name: str, mock: Lanes, chromium: Lanes) -> Counter[Agreement]:
    return Counter(_agreement(name, lane, mock.get(lane, []), chromium.get(lane, [])) for lane in {*mock, *chromium})


def _agreement(name: str, lane: str, mock: list[str], chromium: list[str]) -> Agreement:
    if any(known.leaves_open(name, lane) for known in DIFFERENCES):
        return "listed"
    if mock == chromium:
        return "equal"
    return "refused" if is_refusal(mock) else "different"
