"""Scenarios of what the Network domain tells of requests: who causes them, their headers and their cookies."""

from __future__ import annotations

from typing import Final

from tests.honesty.player import SETUP, Params, Play, Tab
from tests.honesty.scenarios.registry import register, scenario

_SENDING: Final = (
    "let x = new XMLHttpRequest(); x.open('{}', '/data', false); x.setRequestHeader('X-A', 'b'); x.send({}); x.status"
)


async def listening(play: Play, path: str = "/plain") -> Tab:
    """Open a tab whose sessions, also those of its OOPIFs, have Network enabled."""
    tab = await play.tab(path)
    tab.client.setup = [("Network.enable", {}), *SETUP]
    await tab.call("Network.enable")
    return tab


async def fetched(tab: Tab, *arguments: str) -> None:
    for argument in arguments:
        expression = f"fetch({argument}).then(r => r.text()).catch(e => e.message)"
        await tab.call("Runtime.evaluate", {"expression": expression, "awaitPromise": True})


@scenario
async def requests_of_scripts(play: Play) -> None:
    tab = await listening(play)
    posted = "'/data', {method: 'POST', body: 'a=1', headers: {'X-A': 'b'}}"
    typed = "'/data', {method: 'PUT', body: '{}', headers: {'Content-Type': 'application/json'}}"
    away = (f"'{play.other}{path}'" for path in ("/open", "/data", "/baking"))
    await fetched(tab, "'/data'", posted, typed, *away, f"'{play.nowhere}/x'")
    for method, body in (("GET", ""), ("POST", "'q'")):
        await tab.value(_SENDING.format(method, body))


@scenario
async def requests_held_with_their_headers(play: Play) -> None:
    tab = await listening(play, "/baking")
    await tab.call("Fetch.enable")
    changed = [{"name": "A", "value": "b"}]
    for argument, changes in (
        ("'/data', {method: 'POST', body: 'a=1', headers: {'X-A': 'b'}}", {"headers": changed}),
        (f"'{play.other}/open'", {}),
    ):
        call = tab.start(
            "Runtime.evaluate", {"expression": f"fetch({argument}).then(r => r.text())", "awaitPromise": True}
        )
        request = (await tab.event("Fetch.requestPaused"))["requestId"]
        await tab.call("Fetch.continueRequest", {"requestId": request, **changes})
        await tab.client.answer(call)
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    request = (await tab.event("Fetch.requestPaused"))["requestId"]
    await tab.call("Fetch.continueRequest", {"requestId": request})
    await tab.loaded()
    await tab.call("Network.clearBrowserCookies")


@scenario
async def requests_that_a_client_answers(play: Play) -> None:
    tab = await listening(play)
    await tab.call("Fetch.enable")
    for method, answer in (
        ("Fetch.fulfillRequest", {"responseCode": 201, "responseHeaders": [{"name": "X-A", "value": "b"}]}),
        ("Fetch.failRequest", {"errorReason": "BlockedByClient"}),
        ("Fetch.failRequest", {"errorReason": "AccessDenied"}),
    ):
        expression = "fetch('/data').then(r => r.text()).catch(e => e.message)"
        call = tab.start("Runtime.evaluate", {"expression": expression, "awaitPromise": True})
        request = (await tab.event("Fetch.requestPaused"))["requestId"]
        await tab.call(method, {"requestId": request, **answer})
        await tab.client.answer(call)


@scenario
async def navigations_with_a_referrer(play: Play) -> None:
    tab = await listening(play)
    for options in (
        {"referrer": f"{play.other}/plain"},
        {"referrer": f"{play.own}/second#x", "referrerPolicy": "noReferrer"},
        {"referrer": f"{play.own}/plain", "referrerPolicy": "origin"},
        {"referrer": f"{play.other}/plain", "referrerPolicy": "unsafeUrl"},
        {"referrer": "nonsense", "transitionType": "generated"},
        {"transitionType": "link"},
    ):
        tab.start("Page.navigate", {"url": f"{play.own}/second", **options})
        await tab.loaded()
        await tab.call("Page.getNavigationHistory")


@scenario
async def navigations_of_clients_and_scripts(play: Play) -> None:
    tab = await listening(play)
    for options in ({}, {"ignoreCache": True}):
        tab.start("Page.reload", options)
        await tab.loaded()
    await tab.navigate(f"{play.own}/moved")
    await tab.navigate(f"{play.other}/plain")
    for expression in ("location.reload()", f"location.href = '{play.own}/second'"):
        tab.evaluate(expression)
        await tab.loaded()
    tab.start("Runtime.evaluate", {"expression": "location.href = '/plain'", "userGesture": True})
    await tab.loaded()


@scenario
async def iframes_with_their_requests(play: Play) -> None:
    tab = await listening(play)
    await tab.navigate(f"{play.own}/with-relative")
    frame = (await tab.event("Page.frameAttached"))["frameId"]
    tab.client.forget()
    tab.evaluate("document.getElementById('near').src = '/second'")
    await tab.loaded(frame)
    tab.start("Page.navigate", {"url": f"{play.own}/plain", "frameId": frame})
    await tab.loaded(frame)


@scenario
async def iframes_of_iframes_with_their_requests(play: Play) -> None:
    tab = await listening(play)
    await tab.navigate(f"{play.own}/nested", oopifs=2)


@scenario
async def cookies_that_are_sent_and_kept_back(play: Play) -> None:
    tab = await listening(play)
    await tab.call("Runtime.disable")
    for name, options in _COOKIES.items():
        await tab.call("Network.setCookie", {"name": name, "value": "1", "url": play.own, **options})
    await tab.navigate(f"{play.own}/baking")
    await fetched(tab, "'/deep/baking'")
    await tab.navigate(f"{play.other}/with-own-image")
    await fetched(tab, f"'{play.own}/open'")
    tab.evaluate(f"location.href = '{play.own}/second'")
    await tab.loaded()
    await tab.call("Network.getCookies", {"urls": [play.own]})
    await tab.call("Network.clearBrowserCookies")


_COOKIES: Final[dict[str, Params]] = {
    "plain": {},
    "lax": {"sameSite": "Lax"},
    "strict": {"sameSite": "Strict"},
    "open": {"sameSite": "None", "secure": True},
    "deep": {"path": "/deep"},
}


@scenario
async def cookies_that_a_response_may_not_set(play: Play) -> None:
    tab = await listening(play)
    for number in range(6):
        await fetched(tab, f"'/baking-badly/{number}'")
    await tab.call("Network.getCookies", {"urls": [play.own]})
    await tab.call("Network.clearBrowserCookies")


def _showing(path: str) -> None:
    async def a_document(play: Play) -> None:
        tab = await listening(play)
        await tab.call("Runtime.disable")
        await tab.navigate(f"{play.own}{path}")
        document = (await tab.event("Network.requestWillBeSent"))["requestId"]
        await tab.call("Network.getResponseBody", {"requestId": document})

    register(f"a_document_at{path.replace('/', '_').replace('-', '_')}", __name__, a_document)


for _path in ("/second", "/with-image", "/with-style", "/with-script"):
    _showing(_path)


@scenario
async def documents_that_are_no_html(play: Play) -> None:
    tab = await play.tab("/plain")
    for path in ("/data", "/numbers"):
        await tab.navigate(play.own + path)
    await tab.call("Page.getFrameTree")


@scenario
async def requests_without_a_cache(play: Play) -> None:
    tab = await listening(play)
    await tab.call("Network.setCacheDisabled", {"cacheDisabled": True})
    await tab.navigate(f"{play.own}/second")
    tab.start("Page.reload")
    await tab.loaded()
    await fetched(tab, "'/data'", "'/data', {method: 'POST', body: 'a'}")
    await tab.call("Network.setCacheDisabled", {"cacheDisabled": False})
    await fetched(tab, "'/data'")


@scenario
async def an_error_page_with_its_requests(play: Play) -> None:
    tab = await listening(play)
    await tab.navigate(f"{play.nowhere}/x")
    await tab.navigate(f"{play.own}/nothing")


@scenario
async def responses_that_a_client_replaces(play: Play) -> None:
    tab = await listening(play)
    await tab.call("Fetch.enable", {"patterns": [{"requestStage": "Response"}]})
    answers: dict[str, Params] = {
        "Fetch.fulfillRequest": {"responseCode": 203, "responseHeaders": [{"name": "X-A", "value": "b"}]},
        "Fetch.continueResponse": {"responseCode": 202, "responseHeaders": []},
    }
    for method, answer in answers.items():
        expression = "fetch('/data').then(r => r.text())"
        call = tab.start("Runtime.evaluate", {"expression": expression, "awaitPromise": True})
        request = (await tab.event("Fetch.requestPaused"))["requestId"]
        await tab.call(method, {"requestId": request, **answer})
        await tab.client.answer(call)
