"""Scenarios of sessions: how they end, what a held one sees, and who may handle a dialog."""

from __future__ import annotations

from tests.honesty.player import Play
from tests.honesty.scenarios.registry import scenario


@scenario
async def detached_by_the_target(play: Play) -> None:
    client = await play.client()
    first = await play.tab("/plain", client=client)
    await client.call("Target.detachFromTarget", {"targetId": first.target})
    await client.call("Target.detachFromTarget", {"targetId": first.target})
    await client.call("Target.detachFromTarget", {"targetId": "nowhere"})
    await client.call("Target.detachFromTarget", {})
    second, third = await play.attach(client, first.target), await play.attach(client, first.target)
    await client.call("Target.detachFromTarget", {"targetId": first.target})
    await client.call("Target.detachFromTarget", {"targetId": "nowhere", "sessionId": second.session})
    await client.call("Target.detachFromTarget", {"targetId": first.target})
    await client.call("Target.detachFromTarget", {"targetId": third.target, "sessionId": third.session})


@scenario
async def a_held_oopif(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.client.setup = ()
    tab.start("Page.navigate", {"url": f"{play.own}/with-oopif"})
    _, attached = await tab.client.event("Target.attachedToTarget")
    held: str = attached["params"]["sessionId"]
    frame = attached["params"]["targetInfo"]["targetId"]
    await tab.client.call("Page.enable", on=held)
    await tab.client.call("Runtime.enable", on=held)
    await tab.client.call("Page.getFrameTree", on=held)
    await tab.client.call("Runtime.evaluate", {"expression": "1"}, on=held)
    world = tab.client.start("Page.createIsolatedWorld", {"frameId": frame, "worldName": "w"}, on=held)
    tab.client.start("Runtime.runIfWaitingForDebugger", on=held)
    await tab.client.answer(world)
    await tab.client.event("Page.frameStoppedLoading", on=held)
    await tab.client.call("Page.getFrameTree", on=held)


@scenario
async def page_disabled_under_a_dialog(play: Play) -> None:
    first = await play.tab("/plain")
    second = await play.attach(await play.client(), first.target)
    await second.call("Page.enable")
    asking = first.evaluate("confirm('who?')")
    await first.opening()
    await second.opening()
    disabled = first.start("Page.disable")
    await first.answer_dialog()
    await second.answer_dialog(accept=True)
    await first.client.answer(asking)
    await first.client.answer(disabled)


@scenario
async def page_disabled_and_enabled_under_a_dialog(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.evaluate("confirm('who?')")
    await tab.opening()
    tab.start("Page.disable")
    tab.start("Page.enable")
    await tab.answer_dialog()


@scenario
async def dialogs_with_undefined_texts(play: Play) -> None:
    tab = await play.tab("/plain")
    for call in (
        "prompt('a', undefined)",
        "prompt('a', null)",
        "prompt(undefined)",
        "prompt()",
        "prompt(undefined, 'given')",
        "confirm(undefined)",
        "confirm(null)",
        "alert(undefined)",
        "alert()",
    ):
        asking = tab.evaluate(call)
        await tab.opening()
        await tab.answer_dialog(accept=True)
        await tab.client.answer(asking)
