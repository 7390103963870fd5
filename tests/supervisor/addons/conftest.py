"""The fixtures of the tests of tools, and of those of commands."""

from tests.supervisor.cli.conftest import mock, run
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
    tools,
)

__all__ = [
    "endpoint",
    "fleet_boxes",
    "ground",
    "make_box",
    "mock",
    "mock_stage",
    "registry",
    "run",
    "shared_ground",
    "shared_stage",
    "stage",
    "tools",
]
