"""Every scenario of the supervisor runs on each stage: on the mock and on real browsers."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

from evals.browsers.starting import Started
from supervisor import CDPSupervisor
from supervisor.core.step import NO_IDENTITY
from tests.support.stages.bridged_scene import Scene, raise_scene
from tests.support.stages.shared_browser import SharedBrowser
from tests.support.stages.stage_names import REAL_STAGES, STAGES
from tests.support.stages.stages import Stage, raise_stage

_FAILED = pytest.StashKey[bool]()
_SPOILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def worker_chromium() -> Iterator[SharedBrowser]:
    """This machine's Chromium for all tests; the other browsers start in the time in which it is emptied."""
    with SharedBrowser("chromium") as shared:
        yield shared


@pytest.fixture(scope="session")
def shared_chromium(worker_chromium: SharedBrowser) -> SharedBrowser:
    """The same, for tests that ask for it: they are marked as tests of a real browser."""
    return worker_chromium


@pytest.fixture(autouse=True)
def emptied_chromium(request: pytest.FixtureRequest, worker_chromium: SharedBrowser) -> Iterator[Started | None]:
    """The worker's Chromium, for tests on that stage. It is there before `no_leaks` looks, and goes if a test fails."""
    is_on_it = isinstance(item := request.node, pytest.Function) and _stage_of(item) == "chromium"
    yield worker_chromium.empty() if is_on_it else None
    if is_on_it and item.stash.get(_SPOILED, False):
        worker_chromium.discard()


def _stage_of(item: pytest.Function) -> object:
    return item.callspec.params.get("stage") if hasattr(item, "callspec") else None


@pytest.fixture(params=STAGES)
def stage(request: pytest.FixtureRequest, emptied_chromium: Started | None, no_leaks: None) -> Iterator[Stage]:
    """A browser that is or looks new, with the pages of `tests.support.stages.stages`."""
    with raise_stage(request.param, browser=emptied_chromium) as raised:
        yield raised


@pytest.fixture
def soon_unresponsive(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests with a page that answers nothing: it is told from the others after half a second rather than two."""
    monkeypatch.setattr("supervisor.core.pages.sessions.SETUP_TIMEOUT_S", 0.5)


@pytest.fixture(autouse=True)
def nothing_left_out(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail if the core raised on an input, which it only logs. A test that expects it ends with `caplog.clear()`."""
    yield
    said = [record.getMessage() for record in caplog.get_records("call")]
    assert [text for text in said if "was left out" in text and NO_IDENTITY not in text] == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether a test failed, and whether it may have left a browser in any state, for its fixtures."""
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    item.stash[_SPOILED] = item.stash.get(_SPOILED, False) or not report.passed
    return report


@pytest.fixture
def supervisor(stage: Stage, request: pytest.FixtureRequest) -> Iterator[CDPSupervisor]:
    """A running supervisor on the stage. After a test that passed, its snapshot has to be what the browser has."""
    with stage.supervisor(call_timeout_s=10) as running:
        yield running
        if request.node.stash.get(_FAILED, False):
            running.stop()


@pytest.fixture(scope="module", params=REAL_STAGES)
def shared_scene(request: pytest.FixtureRequest) -> Iterator[Scene]:
    """One for all tests of a file, which leave it as it was."""
    with raise_scene(request.param) as raised:
        yield raised


@pytest.fixture
def scene(shared_scene: Scene) -> Iterator[Scene]:
    """The shared one, with nothing counted; on embedders, which a native dialog stops, one of the test's own."""
    if shared_scene.kind.startswith("qt"):
        with raise_scene(shared_scene.kind) as raised:
            yield raised
        return
    for sites in (shared_scene.sites, shared_scene.safe):
        sites.requests.clear()
    shared_scene.proxy.answered = 0
    yield shared_scene
