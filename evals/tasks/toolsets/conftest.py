"""Our tools in this process, with all toolsets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest

from evals.tasks.desk import Room
from evals.tasks.our_hands import clear_up
from evals.tasks.raw_cdp import RawBrowser
from evals.tasks.toolsets.our_hands import PAGE_TOOLS, OurToolsetHands, variables
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.support.browsers import launched


@pytest.fixture(scope="module")
def browser_url() -> Iterator[str]:
    """A browser whose pages may offer tools."""
    with launched(args=[PAGE_TOOLS]) as browser:
        yield browser.ws_url


@pytest.fixture(scope="module")
def our_hands(browser_url: str, room: Room) -> Iterator[OurToolsetHands]:
    """Our tools, by a toolbox in this process; their states lie in the folder of the room."""
    registry = SupervisorRegistry()
    toolbox = Toolbox(Config(cdp_url=browser_url), registry=registry, toolsets="all")

    def call(name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        result = json.loads(toolbox.dispatch(name, json.loads(json.dumps(arguments))))
        return toolbox.as_text(name, result), not result["success"]

    with pytest.MonkeyPatch.context() as patch:
        for variable, value in variables(room.folder).items():
            patch.setenv(variable, value)
        yield OurToolsetHands(call, frozenset(tool.name for tool in toolbox.available()))
    registry.stop_all()


@pytest.fixture
def hands(our_hands: OurToolsetHands, judge: RawBrowser) -> Iterator[OurToolsetHands]:
    """The same, with one tab, no dialog, no routes and no emulation."""
    yield our_hands
    clear_up(our_hands, judge)
    our_hands.undo()
