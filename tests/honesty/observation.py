"""Scenarios played: the lanes of the mock, and the lanes of Chromium once it has sent everything."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from tests.honesty.comparison.normalise import Lanes, compare, normalised
from tests.honesty.comparison.order import disorder
from tests.honesty.player import Stage, playing
from tests.honesty.scenarios.all_scenarios import SCENARIOS
from tests.honesty.stages import mock_stage

SETTLING_S: Final = 5
"""The longest time until the last messages of a scenario, after the last one that it waits for."""
_TURNS: Final = 10
"""The turns of the event loop in which all clients have read the messages of a mock in memory."""


async def lanes_of_mock(name: str) -> Lanes:
    """Return what the mock says. Raises `AssertionError` for an order that Chromium never has."""
    with mock_stage() as stage:
        return await _lanes(name, stage, lambda _: True)


async def lanes_of_chromium(name: str, stage: Stage, expected: Lanes, *, scenario: str = "") -> Lanes:
    """Return what Chromium says: as soon as that is what is expected, or else after `SETTLING_S`.

    `scenario` is its name where the mock expects it, which may refuse calls. Raises `AssertionError` for an order
    that Chromium should never have.
    """
    return await _lanes(name, stage, lambda lanes: compare(expected, lanes, scenario) == "")


async def _lanes(name: str, stage: Stage, is_whole: Callable[[Lanes], bool]) -> Lanes:
    async with playing(stage) as play:
        await SCENARIOS[name](play)
        until = time.monotonic() + SETTLING_S
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        while True:
            lanes = normalised(name, play.trace, stage)
            if is_whole(lanes) or time.monotonic() > until:
                break
            await asyncio.sleep(0.02)
        assert disorder(play.trace) == []
        return lanes
