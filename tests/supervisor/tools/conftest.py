"""Fixtures of the tests of tools: a task on a stage, and every tool."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeAlias, cast

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import target
from supervisor import CDPSupervisor, Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from supervisor.tools.framework.base_toolbox import BaseToolbox
from tests.supervisor.tools.desk import Desk
from tests.support.servers.sites import Sites
from tests.support.stages.playground import Playground, playground
from tests.support.stages.shared_browser import SharedBrowser
from tests.support.stages.stage_names import STAGES
from tests.support.stages.stages import Stage, open_as_another_client, raise_stage, send_as_another_client

Call: TypeAlias = Callable[..., dict[str, Any]]

OVER_FLEET = os.environ.get("CDP_TYPED_TOOLBOX") == "fleet"
"""`make fleet-tools`: a `Fleet` takes the place of `Toolbox` wherever a test has it made."""

NOT_OVER_FLEET = pytest.mark.skipif(OVER_FLEET, reason="a supervisor of a fleet is never without the fleet's policy")


@pytest.fixture(scope="module", params=STAGES)
def shared_stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """One browser for the tests of a file: to start one for each takes longer than all that they do."""
    with raise_stage(request.param) as raised:
        yield raised


@pytest.fixture
def stage(shared_stage: Stage) -> Iterator[Stage]:
    """The file's browser, with one empty page that is new; one of its own on embedders, which a dialog may stop."""
    if shared_stage.is_embedder:
        with raise_stage(shared_stage.kind) as raised:
            yield raised
        return
    (before,) = send_as_another_client(shared_stage, target.GetTargets())
    old = [info.target_id for info in before.target_infos if info.type == "page"]
    open_as_another_client(shared_stage, "about:blank")
    for target_id in old:
        with suppress(CommandError):  # the last test disposed of its browser context, and it may close just now
            send_as_another_client(shared_stage, target.CloseTarget(target_id=target_id))
    yield shared_stage


_FLEET_BOXES = "tests.supervisor.addons.fleet.fleet_boxes"


@pytest.fixture(scope="module")
def fleet_boxes(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The fleets that take the place of toolboxes, if so; those of a file end with it, after its browser."""
    if not OVER_FLEET:
        yield None
        return
    request.getfixturevalue("ray_address")
    boxes = import_module(_FLEET_BOXES).FleetBoxes()  # imports Ray, which takes a second
    yield boxes
    boxes.close()


@pytest.fixture
def registry(fleet_boxes: Any) -> Iterator[SupervisorRegistry]:
    """A registry of the test's own; its supervisors end with the test."""
    if fleet_boxes is not None:
        yield cast("SupervisorRegistry", import_module(_FLEET_BOXES).FleetRegistry(fleet_boxes))
        return
    registry = SupervisorRegistry()
    yield registry
    registry.stop_all()


@pytest.fixture
def endpoint(shared_chromium: SharedBrowser) -> str:
    """The address of the worker's Chromium, which is empty."""
    return shared_chromium.empty().ws_url


@pytest.fixture
def mock_stage(no_leaks: None) -> Iterator[Stage]:
    """The mock alone."""
    with raise_stage("mock") as raised:
        yield raised


MakeBox: TypeAlias = Callable[..., BaseToolbox]


@pytest.fixture
def make_box(request: pytest.FixtureRequest, registry: SupervisorRegistry, fleet_boxes: Any) -> Iterator[MakeBox]:
    """A toolbox for a stage, with every tool unless it is told otherwise."""

    def make(stage: Stage, policy: Policy | None = None, toolsets: str = "all", **settings: Any) -> BaseToolbox:
        chosen: dict[str, Any] = {"call_timeout_s": 10, **stage.settings, **settings}
        config = Config(cdp_url=stage.cdp_url, **chosen)
        if fleet_boxes is not None:
            fleet: BaseToolbox = fleet_boxes.make(config, policy, toolsets)
            return fleet
        return Toolbox(config, registry=registry, toolsets=toolsets, policy=policy)

    yield make
    if fleet_boxes is not None:
        fleet_boxes.end_tasks()
        if "no_leaks" in request.fixturenames:
            fleet_boxes.close()


def calls(box: BaseToolbox) -> Call:
    """`call(name, **arguments)` -> the parsed result."""

    def call(name: str, /, **arguments: Any) -> dict[str, Any]:
        text = box.dispatch(name, arguments)
        assert text.isascii()
        payload: dict[str, Any] = json.loads(text)
        assert isinstance(payload["success"], bool)
        return payload

    return call


Tools: TypeAlias = Callable[..., Call]


@pytest.fixture
def tools(endpoint: str, registry: SupervisorRegistry) -> Tools:
    """`tools(policy, **settings)`: the calls of all tools on the worker's Chromium, which is empty at first."""

    def under(policy: Policy | None = None, **settings: Any) -> Call:
        config = Config(cdp_url=endpoint, **({"call_timeout_s": 20} | settings))
        return calls(Toolbox(config, registry=registry, toolsets="all", policy=policy))

    return under


def running_in(registry: SupervisorRegistry) -> CDPSupervisor:
    """The supervisor behind the tools."""
    running = registry.get("default")
    assert running is not None
    return running


@pytest.fixture(scope="module")
def shared_ground(request: pytest.FixtureRequest, shared_chromium: SharedBrowser) -> Iterator[Playground]:
    """The worker's Chromium for all tests of a file; it goes if one fails."""
    failed_before = request.session.testsfailed
    with playground(shared_chromium.empty().ws_url) as ground:
        yield ground
    if request.session.testsfailed > failed_before:
        shared_chromium.discard()


@pytest.fixture(scope="module")
def desk(request: pytest.FixtureRequest, shared_chromium: SharedBrowser) -> Iterator[Desk]:
    """All tools on the worker's Chromium, for all tests of a file; it goes if one fails."""
    failed_before, registry = request.session.testsfailed, SupervisorRegistry()
    config = Config(cdp_url=shared_chromium.empty().ws_url, call_timeout_s=20, dialog_storm_limit=1_000)
    with Sites() as sites:
        yield Desk(calls(Toolbox(config, registry=registry, toolsets="all")), sites, registry)
        registry.stop_all()
    if request.session.testsfailed > failed_before:
        shared_chromium.discard()


@pytest.fixture
async def ground(shared_ground: Playground) -> Playground:
    """The playground, without a dialog of the test before."""
    for dialog in shared_ground.supervisor.snapshot().pending_dialogs:
        await shared_ground.supervisor.respond_to_dialog("dismiss", dialog_id=dialog.id)
    return shared_ground
