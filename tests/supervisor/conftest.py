"""Every scenario of the supervisor runs twice: on the mock and on real Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from supervisor import CDPSupervisor
from tests.support.stages import Stage, raise_stage


@pytest.fixture(params=["mock", "chromium"])
def stage(request: pytest.FixtureRequest, no_leaks: None) -> Iterator[Stage]:
    """A browser of the test's own, with the pages of `tests.support.stages`."""
    with raise_stage(request.param) as raised:
        yield raised


@pytest.fixture
def supervisor(stage: Stage) -> Iterator[CDPSupervisor]:
    """A running supervisor on the stage."""
    with CDPSupervisor(stage.cdp_url, call_timeout_s=10) as running:
        yield running
