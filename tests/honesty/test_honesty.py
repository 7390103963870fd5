"""The mock says what Chromium says: each scenario is played on both, and the traffic compared."""

from __future__ import annotations

import pytest

from tests.honesty.normal import Lanes, compare, normalised
from tests.honesty.order import disorder
from tests.honesty.player import Stage, playing
from tests.honesty.scenes import FATAL, SCENES


async def play(name: str, stage: Stage) -> Lanes:
    """The traffic of a scenario on a stage."""
    async with playing(stage) as opened:
        await SCENES[name](opened)
        trace = list(opened.trace)
    assert disorder(trace) == []
    return normalised(name, trace, stage)


@pytest.mark.parametrize("name", [name for name in SCENES if name not in FATAL])
async def test_the_mock_says_what_chromium_says(name: str, mock_stage: Stage, chromium_stage: Stage) -> None:
    found = await difference(name, mock_stage, chromium_stage)

    assert found == "", found


@pytest.mark.parametrize("name", sorted(FATAL))
async def test_the_mock_ends_where_chromium_ends(name: str, mock_stage: Stage, doomed_stage: Stage) -> None:
    found = await difference(name, mock_stage, doomed_stage)

    assert found == "", found


async def difference(name: str, mock: Stage, chromium: Stage) -> str:
    """What is not the same on both; nothing, as it should be."""
    theirs = await play(name, chromium)
    ours = await play(name, mock)
    return compare(ours, theirs)


def test_there_are_enough_scenarios() -> None:
    assert len(SCENES) >= 40
