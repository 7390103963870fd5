"""The fixtures with which tests of tools are played over a `Fleet`, in place of those that make a `Toolbox`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.addons.fleet import Fleet
from supervisor.tools import Policy
from tests.supervisor.addons.fleet.fleet_boxes import FleetBoxes, FleetRegistry
from tests.supervisor.tools.conftest import MakeBox
from tests.support.stages.stages import Stage, raise_stage


@pytest.fixture(scope="session")
def fleet_boxes(ray_address: str) -> Iterator[FleetBoxes]:
    """The fleets of the tests of tools."""
    boxes = FleetBoxes()
    yield boxes
    boxes.close()


@pytest.fixture
def registry(fleet_boxes: FleetBoxes) -> SupervisorRegistry:
    """What tests ask a registry for."""
    return cast("SupervisorRegistry", FleetRegistry(fleet_boxes))


@pytest.fixture(scope="module", params=("chromium",))
def shared_stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """One browser for the tests of a file."""
    with raise_stage(request.param) as raised:
        yield raised


@pytest.fixture
def make_box(fleet_boxes: FleetBoxes) -> Iterator[MakeBox]:
    """A fleet for a stage, with every tool unless it is told otherwise."""

    def make(stage: Stage, policy: Policy | None = None, toolsets: str = "all", **settings: Any) -> Fleet:
        chosen: dict[str, Any] = {"call_timeout_s": 10, **stage.settings, **settings}
        return fleet_boxes.make(Config(cdp_url=stage.cdp_url, **chosen), policy, toolsets)

    yield make
    fleet_boxes.end_tasks()
