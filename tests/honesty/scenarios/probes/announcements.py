"""Scenarios of what a session is told because it has enabled a domain, or because a client has resized a page."""

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
