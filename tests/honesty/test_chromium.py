"""The recordings are true: each scenario is played on Chromium, and compared with its recording."""

from __future__ import annotations

import pytest

from tests.honesty.comparison.normalise import compare
from tests.honesty.observation import lanes_of_chromium
from tests.honesty.player import Params, Stage, playing
from tests.honesty.recordings import command_for, read, recorded
from tests.honesty.scenarios.all_scenarios import DOMAINS, FATAL, SCENARIOS
from tests.honesty.stages import mock_stage


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in FATAL])
async def test_chromium_says_what_is_recorded(name: str, chromium_stage: Stage) -> None:
    different = await difference(name, chromium_stage)

    assert different == "", different


@pytest.mark.parametrize("name", sorted(FATAL))
async def test_chromium_ends_where_it_is_recorded(name: str, doomed_stage: Stage) -> None:
    different = await difference(name, doomed_stage)

    assert different == "", different


async def difference(name: str, chromium: Stage) -> str:
    """Return the difference between Chromium and its recording, and how to record it again; normally empty."""
    known = recorded(name)
    different = compare(await lanes_of_chromium(name, chromium, known), known, sides=("Chromium", "recording"))
    version = read(DOMAINS[name]).version
    return different and f"{different}\nrecorded on Chromium {version}; {command_for(name)} records it again"


async def test_a_nameless_cookie_that_would_be_read_as_a_named_one(chromium_stage: Stage) -> None:
    """Chromium 150 takes such a cookie, 156 refuses it; the mock does as the newer one."""
    refusal = {"code": -32602, "message": "Sanitizing cookie failed"}
    chromium_says = await _put_a_nameless_cookie(chromium_stage)
    with mock_stage() as mock:
        mock_says = await _put_a_nameless_cookie(mock)

    assert chromium_says in ({"success": True}, refusal)
    assert mock_says == refusal


async def _put_a_nameless_cookie(stage: Stage) -> Params:
    async with playing(stage) as play:
        tab = await play.tab("/plain")
        return await tab.call("Network.setCookie", {"name": "", "value": "a=b", "url": "http://x.test/"})
