"""The fixtures of the tests of tools."""

from tests.supervisor.tools.conftest import (
    endpoint,
    fleet_boxes,
    ground,
    make_box,
    mock_stage,
    registry,
    shared_ground,
    shared_stage,
    stage,
)

__all__ = [
    "endpoint",
    "fleet_boxes",
    "ground",
    "make_box",
    "mock_stage",
    "registry",
    "shared_ground",
    "shared_stage",
    "stage",
]
