"""Fixtures of the tests of tools: a task on a stage, and every tool."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

from cdp_typed.protocol import target
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from tests.support.stages.playground import Playground, playground_of_its_own
from tests.support.stages.stage_names import STAGES
from tests.support.stages.stages import Stage, open_as_another_client, raise_stage, send_as_another_client

Call: TypeAlias = Callable[..., dict[str, Any]]


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
    send_as_another_client(shared_stage, *(target.CloseTarget(target_id=target_id) for target_id in old))
    yield shared_stage


@pytest.fixture
def registry() -> Iterator[SupervisorRegistry]:
    """A registry of the test's own; its supervisors end with the test."""
    registry = SupervisorRegistry()
    yield registry
    registry.stop_all()


@pytest.fixture
def mock_stage(no_leaks: None) -> Iterator[Stage]:
    """The mock alone."""
    with raise_stage("mock") as raised:
        yield raised


MakeBox: TypeAlias = Callable[..., Toolbox]


@pytest.fixture
def make_box(registry: SupervisorRegistry) -> MakeBox:
    """A toolbox for a stage, with every tool unless it is told otherwise."""

    def make(stage: Stage, policy: Policy | None = None, toolsets: str = "all", **settings: Any) -> Toolbox:
        chosen: dict[str, Any] = {"call_timeout_s": 10, **stage.settings, **settings}
        config = Config(cdp_url=stage.cdp_url, **chosen)
        return Toolbox(config, registry=registry, toolsets=toolsets, policy=policy)

    return make


def calls(box: Toolbox) -> Call:
    """`call(name, **arguments)` -> the parsed result."""

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        text = box.dispatch(name, arguments)
        assert text.isascii()
        payload: dict[str, Any] = json.loads(text)
        assert isinstance(payload["success"], bool)
        return payload

    return call


@pytest.fixture(scope="module")
def shared_ground() -> Iterator[Playground]:
    """A browser for all tests of a file."""
    with playground_of_its_own() as ground:
        yield ground


@pytest.fixture
async def ground(shared_ground: Playground) -> Playground:
    """The playground, without a dialog of the test before."""
    for dialog in shared_ground.supervisor.snapshot().pending_dialogs:
        await shared_ground.supervisor.respond_to_dialog("dismiss", dialog_id=dialog.id)
    return shared_ground
