"""Scenarios of the options of the Target domain."""

from __future__ import annotations

from typing import Any, Final

from tests.honesty.player import AUTO_ATTACH, Play
from tests.honesty.scenarios.registry import Calls, scenario, scenarios_of_calls

PAGES: Final = [{"type": "page"}]

CALLS: Final[dict[str, Calls]] = {
    "targets_named_wrongly_on_a_page": [
        ("Target.attachToTarget", {"targetId": "x", "flatten": True}),
        ("Target.getTargetInfo", {"targetId": "x"}),
        ("Target.closeTarget", {"targetId": "x"}),
        ("Target.activateTarget", {"targetId": "x"}),
        ("Target.detachFromTarget", {"sessionId": "x"}),
        ("Target.createBrowserContext", {}),
    ],
    "targets_of_a_page_itself": [("Target.getTargetInfo", {}), ("Target.getBrowserContexts", {})],
    "auto_attach_with_wrong_options": [
        ("Target.setAutoAttach", {**AUTO_ATTACH, "flatten": "yes"}),
        ("Target.setAutoAttach", {"autoAttach": False, "waitForDebuggerOnStart": False, "filter": PAGES}),
        ("Target.setAutoAttach", {**AUTO_ATTACH, "filter": {}}),
    ],
    "auto_attach_on_twice": [("Target.setAutoAttach", AUTO_ATTACH), ("Target.setAutoAttach", AUTO_ATTACH)],
    "discovery_on_a_page": [
        ("Target.setDiscoverTargets", {"discover": False, "filter": PAGES}),
        ("Target.setDiscoverTargets", {"discover": False}),
        ("Target.setDiscoverTargets", {}),
    ],
}
scenarios_of_calls(__name__, CALLS)


@scenario
async def asked_of_the_browser_wrongly(play: Play) -> None:
    client = await play.client()
    wrong: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Target.setDiscoverTargets", {"discover": False, "filter": PAGES}),
        ("Target.setAutoAttach", {**AUTO_ATTACH, "autoAttach": False, "filter": PAGES}),
        ("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": True}),
        ("Target.setAutoAttach", {**AUTO_ATTACH, "filter": [{"type": "tab"}, {"type": "page"}]}),
        ("Target.createTarget", {"url": "about:blank", "browserContextId": "x"}),
        ("Target.disposeBrowserContext", {"browserContextId": "x"}),
    )
    for method, params in wrong:
        await client.call(method, params)


@scenario
async def created_with_wrong_options(play: Play) -> None:
    client = await play.client()
    wrong: tuple[dict[str, Any], ...] = (
        {"url": "about:blank", "browserContextId": "x"},
        {"url": None},
        {"url": "about:blank", "width": "x"},
        {"url": "about:blank", "newWindow": 1},
        {"url": "about:blank", "background": "no"},
    )
    for params in wrong:
        await client.call("Target.createTarget", params)


@scenario
async def created_in_the_background(play: Play) -> None:
    client = await play.client()
    created = await client.call("Target.createTarget", {"url": "about:blank", "background": True})
    tab = await play.attach(client, created["targetId"])
    await tab.value("1 + 1")


@scenario
async def created_as_a_tab_or_hidden(play: Play) -> None:
    client = await play.client()
    wrong: tuple[dict[str, Any], ...] = (
        {"forTab": True, "hidden": True},
        {"hidden": True, "newWindow": True},
        {"hidden": True, "background": False},
    )
    for params in wrong:
        await client.call("Target.createTarget", {"url": "about:blank", **params})
    await client.call("Target.createTarget", {"url": "about:blank", "forTab": True})
    await client.call("Target.createTarget", {"url": "about:blank", "hidden": True})


@scenario
async def attached_without_flat_sessions(play: Play) -> None:
    """The replies of such a session come inside of events."""
    tab = await play.tab("/plain")
    await tab.client.call("Target.attachToTarget", {"targetId": tab.target, "flatten": "x"})


@scenario
async def attached_twice(play: Play) -> None:
    tab = await play.tab("/plain")
    again = await play.attach(tab.client, tab.target)
    for each in (tab, again):
        await each.value("1 + 1")
    await tab.client.call("Target.detachFromTarget", {"sessionId": again.session})
    await tab.value("2")


@scenario
async def attached_again_after_leaving(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.client.leave()
    later = await play.attach(await play.client(), tab.target)
    await later.value("document.title")


@scenario
async def closed_twice(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await tab.client.event("Target.detachedFromTarget")
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await tab.client.call("Target.getTargetInfo", {"targetId": tab.target})
    await tab.client.call("Target.attachToTarget", {"targetId": tab.target, "flatten": True})
    await tab.call("Runtime.evaluate", {"expression": "1"})


@scenario
async def closed_on_its_own_session(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.start("Target.closeTarget", {"targetId": tab.target})
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def closed_while_another_client_watches(play: Play) -> None:
    tab = await play.tab("/plain")
    watcher = await play.attach(await play.client(), tab.target)
    await watcher.call("Page.enable")
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await tab.client.event("Target.detachedFromTarget")
    await watcher.client.event("Target.detachedFromTarget")


@scenario
async def activated(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.client.call("Target.activateTarget", {"targetId": tab.target})
    await tab.call("Page.bringToFront")


@scenario
async def told_about_an_oopif(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.client.call("Target.getTargetInfo", on=tab.frames[0])
    await tab.client.call("Target.getTargetInfo", {"targetId": tab.target}, on=tab.frames[0])


@scenario
async def an_oopif_that_is_detached(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.call("Target.detachFromTarget", {"sessionId": tab.frames[0]})
    await tab.client.call("Runtime.evaluate", {"expression": "1"}, on=tab.frames[0])


@scenario
async def an_oopif_that_the_browser_session_detaches(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.client.call("Target.detachFromTarget", {"sessionId": tab.frames[0]})
    await tab.value("1", on=tab.frames[0])


@scenario
async def an_oopif_that_is_closed(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    info = await tab.client.call("Target.getTargetInfo", on=tab.frames[0])
    await tab.client.call("Target.closeTarget", {"targetId": info["targetInfo"]["targetId"]})


@scenario
async def contexts_made_and_disposed(play: Play) -> None:
    client = await play.client()
    context = (await client.call("Target.createBrowserContext"))["browserContextId"]
    await client.call("Target.disposeBrowserContext", {"browserContextId": context})
    await client.call("Target.disposeBrowserContext", {"browserContextId": context})
    await client.call("Target.createTarget", {"url": "about:blank", "browserContextId": context})
    await client.call("Target.disposeBrowserContext", {"browserContextId": "x"})
    await client.call("Target.disposeBrowserContext")


@scenario
async def a_context_disposed_under_its_page(play: Play) -> None:
    client = await play.client()
    context = (await client.call("Target.createBrowserContext"))["browserContextId"]
    await play.tab("/staying", client=client, context=context)
    await client.call("Target.disposeBrowserContext", {"browserContextId": context})
    await client.event("Target.detachedFromTarget")


@scenario
async def a_context_disposed_under_its_dialog(play: Play) -> None:
    client = await play.client()
    context = (await client.call("Target.createBrowserContext"))["browserContextId"]
    tab = await play.tab("/plain", client=client, context=context)
    tab.evaluate("confirm('stay?')")
    await tab.opening()
    await client.call("Target.disposeBrowserContext", {"browserContextId": context})
    await client.event("Target.detachedFromTarget")


@scenario
async def discovered_as_it_changes(play: Play) -> None:
    watcher = await play.client()
    await watcher.call("Target.setDiscoverTargets", {"discover": True, "filter": PAGES})
    tab = await play.tab("/plain")
    await tab.value("document.title = 'Another'")
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await watcher.event("Target.targetDestroyed", where=lambda params: params["targetId"] == tab.target)
