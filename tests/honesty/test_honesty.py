"""The mock says what Chromium says: each scenario is played on both, and the traffic compared."""

from __future__ import annotations

import pytest

from tests.honesty.normal import Lanes, compare, normalised
from tests.honesty.player import Stage, playing
from tests.honesty.scenes import SCENES


async def play(name: str, stage: Stage) -> Lanes:
    """The traffic of a scenario on a stage."""
    async with playing(stage) as opened:
        await SCENES[name](opened)
        trace = list(opened.trace)
    return normalised(name, trace, stage)


@pytest.mark.parametrize("name", SCENES)
async def test_the_mock_says_what_chromium_says(name: str, mock_stage: Stage, chromium_stage: Stage) -> None:
    theirs = await play(name, chromium_stage)
    ours = await play(name, mock_stage)

    difference = compare(ours, theirs)
    assert not difference, f"{name}:\n{difference}"


def test_there_are_enough_scenarios() -> None:
    assert len(SCENES) >= 40
