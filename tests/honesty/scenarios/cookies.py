"""Scenarios of cookies of clients, pages and sites."""

from __future__ import annotations

from typing import Final

from tests.honesty.player import Params, Play, Tab
from tests.honesty.scenarios.registry import scenario

NOT_TO_BE: Final[list[Params]] = [
    {"name": "a"},
    {"name": "a", "url": "about:blank"},
    {"name": "a", "domain": "x.test", "sourcePort": 0},
    {"name": "a", "url": "http://x.test:81/", "sourcePort": 80},
    {"name": "a", "url": "https://x.test/", "sourceScheme": "NonSecure"},
    {"name": "a;b", "url": "http://x.test/"},
    {"name": "a=b", "url": "http://x.test/"},
    {"name": " a", "url": "http://x.test/"},
    {"name": "", "value": "", "url": "http://x.test/"},
    {"name": "a", "value": "a;b", "url": "http://x.test/"},
    {"name": "a", "value": " a", "url": "http://x.test/"},
    {"name": "a", "value": "x" * 4096, "url": "http://x.test/"},
    {"name": "a", "domain": "..x.test"},
    {"name": "a", "url": "http://x.test/", "path": "nowhere"},
    {"name": "__Host-a", "url": "https://x.test/", "path": "/a"},
    {"name": "__Secure-a", "url": "http://x.test/"},
    {"name": "a", "url": "http://x.test/", "sameSite": "None"},
]
KEPT: Final[list[Params]] = [
    {"name": "", "url": "http://x.test/"},
    {"name": "plain", "url": "http://x.test/a/b"},
    {"name": "deep", "url": "http://x.test/", "path": "/a", "httpOnly": True, "sameSite": "Strict"},
    {"name": "safe", "url": "https://x.test/", "priority": "High"},
    {"name": "all", "domain": ".x.test", "secure": True, "sameSite": "None"},
    {"name": "mine", "domain": "X.Test:80"},
    {"name": "short", "domain": ".localhost"},
    {"name": "port", "url": "http://x.test:81/", "sourcePort": 81, "sourceScheme": "Secure"},
    {"name": "long", "url": "http://x.test/", "expires": 32503680000},
    {"name": "gone", "url": "http://x.test/", "expires": 1},
    {"name": "session", "url": "http://x.test/", "expires": -5},
    {"name": "__Host-a", "url": "https://x.test/"},
]


async def put(tab: Tab, given: Params) -> Params:
    return await tab.call("Network.setCookie", {"value": "v", **given})


@scenario
async def cookies_that_cannot_be(play: Play) -> None:
    tab = await play.tab("/plain")
    good = {"name": "good", "value": "v", "url": "http://x.test/"}
    for given in NOT_TO_BE:
        await put(tab, given)
        await tab.call("Network.setCookies", {"cookies": [good, {"value": "v", **given}]})
    await tab.call("Network.deleteCookies", {"name": "a"})
    await tab.call("Network.deleteCookies", {"name": "a", "url": "x"})
    await tab.call("Storage.getCookies", {"browserContextId": "nowhere"})
    await tab.client.call("Storage.getCookies", {"browserContextId": "nowhere"})
    await tab.client.call("Network.getCookies")
    await tab.call("Network.getAllCookies")
    await tab.call("Network.clearBrowserCookies")  # the good ones, which the next scenario in this browser would meet


@scenario
async def cookies_of_clients(play: Play) -> None:
    tab = await play.tab("/plain")
    for given in KEPT:
        await put(tab, given)
    for url in ("http://x.test/", "https://x.test/a/b", "https://sub.x.test/ab", "ws://x.test/a", "file:///", play.own):
        await tab.call("Network.getCookies", {"urls": [url]})
    await tab.call("Network.getAllCookies")
    for place in ({"url": "http://x.test/q"}, {"domain": "x.test", "path": "/a"}, {"domain": ".x.test"}):
        for name in ("plain", "deep", "all"):
            await tab.call("Network.deleteCookies", {"name": name, **place})
    await tab.client.call("Storage.getCookies")
    await tab.call("Network.clearBrowserCookies")
    await tab.call("Storage.getCookies")


@scenario
async def cookies_of_scripts(play: Play) -> None:
    tab = await play.tab("/plain")
    for text in (
        "a=1",
        "b=2; path=/; secure; samesite=strict",
        "a=3",
        "deep=1; path=/elsewhere",
        "nameless",
        "x=1; httponly",
        "x=1; domain=x.test",
        "x=1; samesite=none",
        "__Host-x=1",
        "y=1; max-age=x",
        "gone=1; max-age=0",
        "old=1; expires=Wed, 21 Oct 2015 07:28:00 GMT",
        "=",
    ):
        await tab.value(f"document.cookie = '{text}'")
    await tab.value("document.cookie")
    await tab.value("document.cookie = 'a=; max-age=-1'; document.cookie")
    await tab.call("Network.getCookies")
    for address in ("about:blank", "data:text/html,<title>x</title>"):
        await tab.navigate(address)
        await tab.value("try { document.cookie } catch (error) { error.name + error.message }")
        await tab.value("try { document.cookie = 'a=1' } catch (error) { error.name + error.message }")
    await tab.call("Network.clearBrowserCookies")


@scenario
async def cookies_of_sites(play: Play) -> None:
    tab = await play.tab()
    for path in ("/baking", "/baking-and-moving", "/deep/baking"):
        await tab.navigate(play.own + path)
        await tab.call("Network.getCookies")
        await tab.value("document.cookie")
    await tab.value("document.cookie = 'from=script'")
    await tab.call("Network.getAllCookies")
    await tab.call("Network.clearBrowserCookies")


@scenario
async def cookies_of_a_third_party(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    inner = tab.frames[0]
    mores: list[Params] = [{"sameSite": "None", "secure": True}, {"sameSite": "Lax"}, {}]
    for more in mores:
        await put(tab, {"name": f"n{len(more)}", "url": play.other, **more})
    await tab.value("document.cookie", on=inner)
    await tab.value("document.cookie = 'x=1; samesite=none; secure'", on=inner)
    await tab.call("Network.getCookies")
    await tab.client.call("Network.getCookies", on=inner)
    await tab.call("Network.clearBrowserCookies")


@scenario
async def cookies_of_browser_contexts(play: Play) -> None:
    client = await play.client()
    context = (await client.call("Target.createBrowserContext"))["browserContextId"]
    inside, outside = await play.tab("/plain", client=client, context=context), await play.tab("/plain", client=client)
    await put(inside, {"name": "inside", "url": play.own})
    await put(outside, {"name": "outside", "url": play.own})
    for tab in (inside, outside):
        await tab.call("Network.getCookies")
        await tab.call("Storage.getCookies")
    given = [{"name": "more", "value": "2", "url": play.own}]
    await client.call("Storage.setCookies", {"browserContextId": context, "cookies": given})
    await client.call("Storage.getCookies", {"browserContextId": context})
    await client.call("Storage.clearCookies", {"browserContextId": context})
    await inside.value("document.cookie")
    await outside.value("document.cookie")
    await inside.call("Storage.getCookies", {"browserContextId": context})
    await client.call("Storage.clearCookies")
    await outside.value("document.cookie")
    await client.call("Target.disposeBrowserContext", {"browserContextId": context})
