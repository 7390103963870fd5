"""Scenarios of the events that follow when a session enables a domain or resizes a page."""

from __future__ import annotations

from typing import Final

from tests.honesty.player import Params, Play
from tests.honesty.scenarios.registry import Calls, scenario, scenarios_of_calls

_SMALL: Final[Params] = {"width": 300, "height": 400, "deviceScaleFactor": 2, "mobile": False}

TABLES: Final[dict[str, Calls]] = {
    "pages_of_a_set_size": [
        ("Emulation.setDeviceMetricsOverride", _SMALL),
        ("Emulation.setDeviceMetricsOverride", _SMALL),
        ("Emulation.setDeviceMetricsOverride", {**_SMALL, "mobile": True}),
    ],
    "a_size_that_is_taken_back": [
        ("Emulation.setDeviceMetricsOverride", _SMALL),
        ("Emulation.clearDeviceMetricsOverride", {}),
        ("Emulation.clearDeviceMetricsOverride", {}),
    ],
    "preloading_that_is_enabled": [("Preload.enable", {}), ("Preload.enable", {}), ("Preload.disable", {})],
}
scenarios_of_calls(__name__, TABLES)


@scenario
async def profiles_of_pages_that_are_left(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("HeapProfiler.enable")
    await tab.navigate(f"{play.own}/with-local")
    await tab.navigate(f"{play.other}/plain")
    tab.start("Page.reload")
    await tab.loaded()


@scenario
async def the_security_of_documents(play: Play) -> None:
    tab = await play.tab()
    for _ in range(2):
        await tab.call("Security.enable")
    await tab.navigate(f"{play.own}/with-oopif", oopifs=1)
    await tab.value("location.hash = 'a'")
    await tab.value("history.pushState(1, '')")
    tab.client.forget()
    for url in (f"{play.nowhere}/x", "data:text/html,x", "about:blank", f"{play.own}/plain"):
        await tab.navigate(url)
    tab.start("Page.navigate", {"url": f"{play.own}/no-content"})
    await tab.loaded()
    tab.start("Page.reload")
    await tab.loaded()
    await tab.call("Security.disable")
    await tab.navigate(f"{play.own}/second")
    await tab.call("Security.enable")


@scenario
async def statuses_of_documents_in_the_log(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Log.enable")
    for path in ("/nothing", "/login"):
        await tab.navigate(play.own + path)
    await tab.navigate(f"{play.nowhere}/x")


@scenario
async def documents_in_their_addresses(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Network.enable")
    await tab.call("Fetch.enable")
    for url in ("data:text/html,<title>A</title>", "data:text/html;charset=utf-8;base64,YQ==", "about:blank"):
        await tab.navigate(url)


@scenario
async def responses_for_another_origin(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Network.enable")
    for path in ("/open", "/theirs", "/data"):
        expression = f"fetch('{play.other}{path}').then(r => r.text()).catch(e => e.message)"
        await tab.call("Runtime.evaluate", {"expression": expression, "awaitPromise": True})


@scenario
async def domains_that_tell_of_a_navigation(play: Play) -> None:
    tab = await play.tab("/plain")
    for domain in ("DOM", "CSS", "Accessibility"):
        await tab.call(f"{domain}.enable")
    await tab.navigate(f"{play.own}/second")


@scenario
async def a_worker_with_its_request(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Network.enable")
    await tab.value("new Worker('/worker.js'); 1")
    await tab.client.event("Inspector.workerScriptLoaded")


@scenario
async def positions_in_scripts(play: Play) -> None:
    tab = await play.tab("/throwing")
    for expression in (
        "1;\n  throw new Error('below')",
        "window.inner = () => { throw new Error('deep') }; inner()",
        "throw new Error('named')\n//# sourceURL=named.js",
    ):
        await tab.value(expression)


@scenario
async def back_to_documents_without_an_address(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate("data:text/html,x")
    await tab.navigate(f"{play.own}/second")
    entries = (await tab.call("Page.getNavigationHistory"))["entries"]
    for entry in (entries[2], entries[0]):
        tab.start("Page.navigateToHistoryEntry", {"entryId": entry["id"]})
        await tab.loaded()
