"""The mock behaves like Chromium: each scenario is played on the mock in memory, and compared with its recording."""

from __future__ import annotations

import pytest

from tests.honesty.comparison.normalise import compare
from tests.honesty.observation import lanes_of_mock
from tests.honesty.recordings import recorded
from tests.honesty.scenarios.all_scenarios import SCENARIOS


@pytest.mark.parametrize("name", SCENARIOS)
async def test_the_mock_says_what_chromium_says(name: str) -> None:
    different = compare(await lanes_of_mock(name), recorded(name), name)

    assert different == "", different


def test_there_are_enough_scenarios() -> None:
    assert len(SCENARIOS) >= 288
