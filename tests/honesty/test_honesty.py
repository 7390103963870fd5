"""The mock behaves like Chromium: each scenario is played on both, and the traffic compared."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import pytest

from tests.honesty.comparison.normalise import compare, normalised
from tests.honesty.comparison.order import disorder
from tests.honesty.player import Stage, playing
from tests.honesty.scenarios.all_scenarios import FATAL, SCENARIOS

SETTLING_S: Final = 5
"""The longest time until the last messages of a scenario, after the last one that it waits for."""


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in FATAL])
async def test_the_mock_says_what_chromium_says(name: str, mock_stage: Stage, chromium_stage: Stage) -> None:
    different = await difference(name, mock_stage, chromium_stage)

    assert different == "", different


@pytest.mark.parametrize("name", sorted(FATAL))
async def test_the_mock_ends_where_chromium_ends(name: str, mock_stage: Stage, doomed_stage: Stage) -> None:
    different = await difference(name, mock_stage, doomed_stage)

    assert different == "", different


async def test_a_nameless_cookie_that_would_be_read_as_a_named_one(mock_stage: Stage, chromium_stage: Stage) -> None:
    """Chromium 150 takes such a cookie, 156 refuses it; the mock does as the newer one."""
    cookie = {"name": "", "value": "a=b", "url": "http://x.test/"}
    refusal = {"code": -32602, "message": "Sanitizing cookie failed"}
    async with playing(chromium_stage) as theirs, playing(mock_stage) as ours:
        chromium_says = await (await theirs.tab("/plain")).call("Network.setCookie", cookie)
        mock_says = await (await ours.tab("/plain")).call("Network.setCookie", cookie)

    assert chromium_says in ({"success": True}, refusal)
    assert mock_says == refusal


async def difference(name: str, mock: Stage, chromium: Stage) -> str:
    """Return the difference of the traffic, once both browsers have sent everything; normally empty."""
    async with playing(chromium) as theirs, playing(mock) as ours:
        await SCENARIOS[name](theirs)
        await SCENARIOS[name](ours)
        until = time.monotonic() + SETTLING_S
        while different := compare(normalised(name, ours.trace, mock), normalised(name, theirs.trace, chromium), name):
            if time.monotonic() > until:
                return different
            await asyncio.sleep(0.02)
    assert disorder(ours.trace) == disorder(theirs.trace) == []
    return ""


def test_there_are_enough_scenarios() -> None:
    assert len(SCENARIOS) >= 288
