"""Scenarios of what the author of a test sends in the first hour."""

from __future__ import annotations

from typing import Final

from tests.honesty.player import Play
from tests.honesty.scenarios.registry import Calls, evaluations, scenario, scenarios_of_calls

TABLES: Final[dict[str, Calls]] = {
    "numbers_in_values": evaluations("[NaN, Infinity, -Infinity, -0]", "({a: NaN, b: [1 / 0]})", returnByValue=True),
    "texts_that_are_not_encoded": evaluations(
        "decodeURIComponent('%')", "decodeURIComponent('%ff')", "decodeURIComponent('%41%')"
    ),
    "promises_rejected_by_value": evaluations(
        "Promise.reject(new Error('no'))",
        "Promise.reject({a: 1})",
        "Promise.reject(1)",
        returnByValue=True,
        awaitPromise=True,
    ),
    "promises_rejected_by_reference": evaluations(
        "Promise.reject(new Error('no'))", "Promise.reject({a: 1})", "Promise.reject([1])", awaitPromise=True
    ),
    "cookies_of_no_address": [
        ("Network.clearBrowserCookies", {}),
        ("Network.setCookie", {"name": "a", "value": "1", "domain": "localhost"}),
        ("Network.getCookies", {}),
        ("Network.getCookies", {"urls": []}),
        ("Network.clearBrowserCookies", {}),
    ],
}
scenarios_of_calls(__name__, TABLES)


@scenario
async def created_of_a_size(play: Play) -> None:
    client = await play.client()
    window = {"newWindow": True}
    sizes = ({"width": 300}, {"left": 1}, {"windowState": "maximized"}, {"width": 300, "height": 200})
    for options in (*sizes, {**window, "width": 300, "height": 200}, {**window, "windowState": "maximized"}):
        await client.call("Target.createTarget", {"url": "about:blank", **options})


@scenario
async def tables_in_the_console(play: Play) -> None:
    tab = await play.tab("/plain")
    for table in ("[{a: 1}, {b: 'x'}]", "{a: {b: 1}}", "[[1, 2], [3]]", "[1]", "1"):
        await tab.value(f"console.table({table})")
        await tab.event("Runtime.consoleAPICalled")


@scenario
async def a_response_that_no_script_reads(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Network.enable")
    await tab.value("fetch('/data').then(response => { window.status = response.status })")
    await tab.event("Network.responseReceived")
    await tab.value("fetch('/data').then(response => response.text()).then(text => { window.text = text })")
    await tab.event("Network.responseReceived")
    await tab.event("Network.loadingFinished")
