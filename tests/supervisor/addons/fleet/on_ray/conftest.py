"""The fixtures with which tests of tools are played over a `Fleet`, in place of those that make a `Toolbox`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.supervisor.addons.fleet.fleet_boxes import FleetBoxes
from tests.support.stages.stages import Stage, raise_stage


@pytest.fixture(scope="session")
def fleet_boxes(ray_address: str) -> Iterator[FleetBoxes]:
    boxes = FleetBoxes()
    yield boxes
    boxes.close()


@pytest.fixture(scope="module", params=("chromium",))
def shared_stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """One browser for the tests of a file."""
    with raise_stage(request.param) as raised:
        yield raised
