"""Tools while a person has taken the browser over: those that act wait, those that read tell it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct

from cdp_typed.mock import ThreadedMockServer
from supervisor import CDPSupervisor, Config, SupervisorRegistry
from supervisor.tools import Toolbox
from supervisor.tools.framework.tool import Catalogue, ToolContext, tool
from tests.supervisor.tools.conftest import running_in

CATALOGUE = Catalogue()


class NoArguments(Struct, frozen=True):
    """No arguments."""


class Value(Struct, frozen=True):
    """What came of it."""

    value: Any


@tool(toolset="test", catalogue=CATALOGUE)
async def act_twice(context: ToolContext, arguments: NoArguments) -> Value:
    """Begin; a person takes over; go on."""
    await context.supervisor.evaluate("window.pressed = 1")
    context.supervisor.takeover.begin()
    return Value((await context.supervisor.evaluate("window.pressed + 1", timeout_s=5)).value)


@tool(toolset="test", catalogue=CATALOGUE)
def act_blocking(context: ToolContext, arguments: NoArguments) -> Value:
    """The same on a thread."""
    context.blocking.takeover.begin()
    return Value(context.blocking.evaluate("1 + 1", timeout_s=5).value)


@tool(toolset="test", catalogue=CATALOGUE, reads_only=True)
async def look(context: ToolContext, arguments: NoArguments) -> Value:
    """Only look."""
    return Value((await context.supervisor.evaluate("2", timeout_s=5)).value)


class Bench:
    """A toolbox with those tools, and its supervisor."""

    def __init__(self, toolbox: Toolbox, supervisor: CDPSupervisor) -> None:
        self.toolbox = toolbox
        self.supervisor = supervisor

    async def call(self, name: str) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(await self.toolbox.adispatch(name, {}))
        return result


@pytest.fixture
def bench() -> Iterator[Bench]:
    """On the mock."""
    registry = SupervisorRegistry()
    with ThreadedMockServer() as mock:
        config = Config(cdp_url=mock.url)
        with Toolbox(config, registry=registry, catalogue=CATALOGUE, toolsets="all") as toolbox:
            toolbox.dispatch("look", {})
            supervisor = running_in(registry)
            yield Bench(toolbox, supervisor)


@pytest.mark.parametrize("name", ["act_twice", "act_blocking"])
async def test_what_has_begun_is_carried_out_as_a_whole(bench: Bench, name: str) -> None:
    assert await bench.call(name) == {"success": True, "value": 2, "controlled_by_person": True}


async def test_a_tool_that_acts_waits_and_goes_on_when_the_browser_is_given_back(bench: Bench) -> None:
    bench.supervisor.takeover.begin()
    call = asyncio.create_task(bench.call("act_blocking"))
    async with asyncio.timeout(20):
        while [waiter.what for waiter in bench.supervisor.takeover.waiting] != ["act_blocking"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    assert [running.name for running in bench.toolbox.running] == ["act_blocking"]
    bench.supervisor.takeover.end()

    assert (await call)["value"] == 2
    assert bench.toolbox.running == ()


async def test_a_tool_that_waited_in_vain_did_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.tools.framework.toolbox.PERSON_S", 0.01)
    bench.supervisor.takeover.begin()

    assert await bench.call("act_twice") == {
        "success": False,
        "error": "A person controls the browser, and did not give it back in time: act_twice was not carried out. "
        "Try again later. Until then you can look (browser_snapshot).",
        "error_type": "ControlledByPerson",
        "maybe_executed": False,
        "controlled_by_person": True,
    }


async def test_a_tool_that_only_reads_works_and_tells_it(bench: Bench) -> None:
    bench.supervisor.takeover.begin()

    assert await bench.call("look") == {"success": True, "value": 2, "controlled_by_person": True}
    bench.supervisor.takeover.end()
    assert await bench.call("look") == {"success": True, "value": 2}
