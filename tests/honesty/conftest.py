"""The two stages: one Chromium for all scenarios, and a mock for each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.honesty import stages
from tests.honesty.player import Stage


@pytest.fixture(scope="session")
def chromium_stage() -> Iterator[Stage]:
    """The Chromium of all scenarios."""
    with stages.chromium_stage(omnibox=True) as stage:
        yield stage


@pytest.fixture
def doomed_stage() -> Iterator[Stage]:
    """A Chromium that the test may end."""
    with stages.chromium_stage(omnibox=False) as stage:
        yield stage


@pytest.fixture
async def mock_stage() -> AsyncIterator[Stage]:
    """A mock of its own."""
    async with stages.mock_stage() as stage:
        yield stage
