"""The stages with a websocket: a Chromium for all scenarios, one for a scenario that ends it, and a mock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.honesty import stages
from tests.honesty.stages import SocketStage


@pytest.fixture(scope="session")
def chromium_stage() -> Iterator[SocketStage]:
    """The Chromium of all scenarios."""
    with stages.chromium_stage(omnibox=True) as stage:
        yield stage


@pytest.fixture
def doomed_stage() -> Iterator[SocketStage]:
    """A Chromium that the test may end."""
    with stages.chromium_stage(omnibox=False) as stage:
        yield stage


@pytest.fixture
async def mock_socket_stage() -> AsyncIterator[SocketStage]:
    """A mock behind a websocket, for one test."""
    async with stages.mock_socket_stage() as stage:
        yield stage
