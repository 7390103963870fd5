"""Every scenario of the supervisor runs on each stage: on the mock and on real browsers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from supervisor import CDPSupervisor
from tests.support.bridged_scene import Scene, raise_scene
from tests.support.stage_names import REAL_STAGES, STAGES
from tests.support.stages import Stage, raise_stage


@pytest.fixture(params=STAGES)
def stage(request: pytest.FixtureRequest, no_leaks: None) -> Iterator[Stage]:
    """A browser of the test's own, with the pages of `tests.support.stages`."""
    with raise_stage(request.param) as raised:
        yield raised


@pytest.fixture
def soon_unresponsive(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests with a page that answers nothing: it is told from the others after half a second rather than two."""
    monkeypatch.setattr("supervisor.core.targets.SEED_TIMEOUT_S", 0.5)


@pytest.fixture
def supervisor(stage: Stage) -> Iterator[CDPSupervisor]:
    """A running supervisor on the stage."""
    with stage.supervisor(call_timeout_s=10) as running:
        yield running


@pytest.fixture(scope="module", params=REAL_STAGES)
def shared_scene(request: pytest.FixtureRequest) -> Iterator[Scene]:
    """One for all tests of a file, which leave it as it was."""
    with raise_scene(request.param) as raised:
        yield raised


@pytest.fixture
def scene(shared_scene: Scene) -> Scene:
    """The shared one, with nothing counted."""
    for sites in (shared_scene.sites, shared_scene.safe):
        sites.requests.clear()
    shared_scene.proxy.answered = 0
    return shared_scene
