"""An action makes its world and its objects once, and releases them, on real Chromium."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import Command
from cdp_typed.errors import CommandError
from cdp_typed.protocol import runtime
from supervisor.aio import AsyncSupervisor
from supervisor.tools.page.element_errors import StaleRef
from supervisor.tools.page.object_groups import holding
from supervisor.tools.page.page_frames import find, run, run_on
from tests.supervisor.tools.acts import clicked
from tests.support.stages.playground import Playground

PAGE = "<button onclick='window.hits = (window.hits || 0) + 1'>Press</button>"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methods of the commands that a supervisor sends for its callers."""
    methods: list[str] = []
    send = AsyncSupervisor.send

    async def noting(self: AsyncSupervisor, command: Command[object], *given: object, **named: object) -> object:
        methods.append(command.METHOD)
        return await send(self, command, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(AsyncSupervisor, "send", noting)
    return methods


async def test_a_click_makes_one_world_and_one_object(ground: Playground, sent: list[str]) -> None:
    await ground.open(PAGE)
    ref = await ground.ref('button "Press"')
    sent.clear()

    async with holding(ground.supervisor):
        await clicked(ground, ref)
        await clicked(ground, ref)

    made = ["Page.createIsolatedWorld", "DOM.resolveNode", "Runtime.releaseObjectGroup"]
    assert {method: sent.count(method) for method in made} == dict.fromkeys(made, 1)
    assert await ground.value("hits") == 2


async def test_objects_are_released_at_the_end_of_an_action_and_made_again_if_they_were_before(
    ground: Playground,
) -> None:
    await ground.open(PAGE)
    element = find(ground.supervisor, await ground.ref('button "Press"'))

    async with holding(ground.supervisor) as held:
        await run_on(ground.supervisor, element, "function() { return 0 }")
        await ground.supervisor.send(runtime.ReleaseObjectGroup(object_group=held.name))
        assert await run_on(ground.supervisor, element, "function() { return this.textContent }") == "Press"
        (object_id,) = held.nodes.values()

    with pytest.raises(CommandError, match="Could not find object"):
        await ground.supervisor.send(runtime.CallFunctionOn(function_declaration="() => 1", object_id=object_id))


async def test_an_action_ends_if_nothing_is_released(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that a script keeps busy for ever answers nothing."""
    await ground.open(PAGE)
    element, send = find(ground.supervisor, await ground.ref('button "Press"')), AsyncSupervisor.send

    async def never_releasing(
        self: AsyncSupervisor, command: Command[object], *given: object, **named: object
    ) -> object:
        if isinstance(command, runtime.ReleaseObjectGroup):
            await asyncio.Event().wait()
        return await send(self, command, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(AsyncSupervisor, "send", never_releasing)
    async with asyncio.timeout(20):
        async with holding(ground.supervisor):
            assert await run_on(ground.supervisor, element, "function() { return this.isConnected }") is True


async def test_an_action_runs_its_scripts_in_the_document_that_came_meanwhile(ground: Playground) -> None:
    await ground.open(PAGE)
    element = find(ground.supervisor, await ground.ref('button "Press"'))

    async with holding(ground.supervisor):
        await run(ground.supervisor, element.frame.frame_id, "globalThis.mark = 1")
        await run_on(ground.supervisor, element, "function() { return 0 }")
        await ground.open("<title>Next</title>" + PAGE)

        seen = await run(ground.supervisor, element.frame.frame_id, "[document.title, globalThis.mark]")
        assert seen == ["Next", None]
        with pytest.raises(StaleRef):
            await run_on(ground.supervisor, element, "function() { return 0 }")
