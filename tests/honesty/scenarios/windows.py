"""Scenarios of popups, workers, and requests and logins that a client intercepts."""

from __future__ import annotations

from tests.honesty.player import Params, Play, Tab
from tests.honesty.scenarios.registry import scenario


async def open_window(play: Play, tab: Tab, expression: str) -> Tab:
    """Open a window by a script, and attach to it."""
    watcher = await play.client()
    await watcher.call("Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "page"}]})
    await tab.call("Runtime.evaluate", {"expression": expression, "userGesture": True})
    await tab.event("Page.windowOpen")
    _, created = await watcher.event("Target.targetCreated", where=lambda params: "openerId" in params["targetInfo"])
    return await play.attach(tab.client, created["params"]["targetInfo"]["targetId"])


@scenario
async def a_popup(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await popup.value("1 + 1")
    await tab.client.call("Target.closeTarget", {"targetId": popup.target})
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def a_popup_without_an_opener(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.open('about:blank', '', 'noopener') === null")
    await popup.value("1 + 1")


@scenario
async def a_popup_without_a_gesture(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value("window.open('about:blank') === null")


@scenario
async def a_popups_dialog_opened_by_its_opener(play: Play) -> None:
    """It is the popup's, and blocks the opener too."""
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await popup.call("Page.enable")
    asked = tab.evaluate("opened.confirm('whose?')")
    await popup.opening()
    await tab.answer_dialog()
    await popup.answer_dialog()
    await tab.client.answer(asked)


async def worker_of(tab: Tab, expression: str) -> str:
    """Return the session of the worker that `expression` starts."""
    tab.client.setup = [("Runtime.enable", {}), ("Runtime.runIfWaitingForDebugger", {})]
    await tab.value(expression)
    _, attached = await tab.client.event("Target.attachedToTarget")
    session: str = attached["params"]["sessionId"]
    await tab.client.event("Runtime.executionContextCreated", on=session)
    await tab.client.event("Inspector.workerScriptLoaded", on=session)
    return session


@scenario
async def a_worker(play: Play) -> None:
    tab = await play.tab("/plain")
    worker = await worker_of(tab, "window.made = new Worker('/worker.js'); 'made'")
    await tab.value("1 + 1", on=worker)
    await tab.client.call("Page.enable", on=worker)
    await tab.value("made.terminate(); 'ended'")
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def a_worker_whose_page_goes(play: Play) -> None:
    tab = await play.tab("/plain")
    await worker_of(tab, "window.made = new Worker('/worker.js'); 'made'")
    await tab.navigate(f"{play.own}/second")


async def paused(tab: Tab, method: str = "Fetch.requestPaused") -> Params:
    """Return the id of the next paused request."""
    return {"requestId": (await tab.event(method))["requestId"]}


@scenario
async def a_request_continued(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    held = await paused(tab)
    await tab.call("Fetch.continueRequest", held)
    await tab.loaded()
    await tab.call("Fetch.continueRequest", held)


@scenario
async def a_dialog_while_a_navigation_is_held(play: Play) -> None:
    tab = await play.tab("/plain")
    asked = tab.evaluate("confirm('stay?')")
    await tab.opening()
    await tab.call("Fetch.enable")
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.closed()
    held = await paused(tab)
    await tab.client.answer(asked)
    await tab.call("Fetch.continueRequest", held)
    await tab.loaded()


@scenario
async def a_login_given(play: Play) -> None:
    """In a browser context of its own, which has no stored login."""
    client = await play.client()
    context = await client.call("Target.createBrowserContext")
    tab = await play.tab("/plain", client=client, context=context["browserContextId"])
    await tab.call("Fetch.enable", {"handleAuthRequests": True, "patterns": [{"urlPattern": "*/login"}]})
    tab.start("Page.navigate", {"url": f"{play.own}/login"})
    await tab.call("Fetch.continueRequest", await paused(tab))
    for password in ("wrong", "secret"):
        asked = await paused(tab, "Fetch.authRequired")
        answer = {"response": "ProvideCredentials", "username": "user", "password": password}
        await tab.call("Fetch.continueWithAuth", {**asked, "authChallengeResponse": answer})
    await tab.loaded()
    await tab.call("Fetch.disable")
    await tab.navigate(f"{play.own}/login")
    await tab.value("location.href")
    await client.call("Target.disposeBrowserContext", context)
    await client.event("Target.detachedFromTarget")


@scenario
async def popups_that_nobody_may_open(play: Play) -> None:
    tab = await play.tab("/plain")
    for text in ("'/second'", "''", "'about:blank', 'name'", "'about:blank', '_blank', 'width=100'"):
        await tab.value(f"window.open({text}) === null")


@scenario
async def a_popup_of_a_page(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('/second'); 'opened'")
    await popup.value("1 + 1")
    await tab.value("opened.closed")


@scenario
async def a_popup_closed_by_its_opener(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await tab.value("opened.close(); 'closing'")
    await popup.client.event("Target.detachedFromTarget")
    await play.until_true(tab, "opened.closed")
    await tab.value("opened.closed")


@scenario
async def a_popup_that_closes_itself(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    popup.evaluate("window.close()")
    await popup.client.event("Target.detachedFromTarget")
    await play.until_true(tab, "opened.closed")
    await tab.value("opened.closed")


@scenario
async def a_popup_closed_by_a_client(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await tab.client.call("Target.closeTarget", {"targetId": popup.target})
    await tab.client.event("Target.detachedFromTarget")
    # The browser tells the client first, and the opener's renderer later.
    await play.until_true(tab, "opened.closed")
    await tab.value("opened.closed")


@scenario
async def a_popup_without_its_opener_left(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await tab.client.event("Target.detachedFromTarget")
    await popup.value("1 + 1")


@scenario
async def a_popups_own_dialog(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await popup.call("Page.enable")
    asked = popup.evaluate("confirm('mine?')")
    await popup.opening()
    await popup.answer_dialog(accept=False)
    await popup.client.answer(asked)


@scenario
async def a_popups_opener_with_a_dialog(play: Play) -> None:
    """They share a renderer: the popup waits."""
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    asked = tab.evaluate("confirm('mine?')")
    await tab.opening()
    waiting = popup.evaluate("1 + 1")
    await tab.answer_dialog()
    await tab.client.answer(asked)
    await popup.client.answer(waiting)


@scenario
async def a_popup_moved_by_its_opener(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await popup.call("Page.enable")
    await tab.value("opened.location = '/second'; 'moved'")
    await popup.events("Page.frameNavigated", "Page.frameStoppedLoading")
    await popup.value("document.title")


@scenario
async def a_popup_with_a_name(play: Play) -> None:
    """A second call with the name gives the same window."""
    tab = await play.tab("/plain")
    await open_window(play, tab, "window.opened = window.open('about:blank', 'named'); 'opened'")
    given = {"expression": "window.open('about:blank', 'named') === opened", "userGesture": True}
    await tab.call("Runtime.evaluate", given)
    await tab.value("opened")


@scenario
async def a_popup_of_a_certain_size(play: Play) -> None:
    tab = await play.tab("/plain")
    expression = "window.opened = window.open('about:blank', '', 'width=300,height=200'); 'opened'"
    popup = await open_window(play, tab, expression)
    await popup.value("1 + 1")


@scenario
async def a_popup_as_a_target(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await tab.client.call("Target.getTargetInfo", {"targetId": popup.target})
    await popup.call("Target.getTargetInfo")
    await popup.call("Page.getFrameTree")


@scenario
async def a_popup_of_a_popup(play: Play) -> None:
    tab = await play.tab("/plain")
    popup = await open_window(play, tab, "window.opened = window.open('about:blank'); 'opened'")
    await popup.call("Page.enable")
    inner = await open_window(play, popup, "window.opened = window.open('about:blank'); 'opened'")
    await inner.value("1 + 1")


@scenario
async def a_worker_that_throws(play: Play) -> None:
    tab = await play.tab("/plain")
    worker = await worker_of(tab, "window.made = new Worker('/worker.js'); 'made'")
    for expression in ("answer", "nowhere", "throw new Error('no')", "typeof window", "console.log('inside')"):
        await tab.value(expression, on=worker)
    for expression in ("alert(1)", "document.title", "self.x = 2; x"):
        await tab.value(expression, on=worker)
    await tab.value("made")
    await tab.value(f"try {{ new Worker('{play.other}/worker.js') }} catch (e) {{ e.name + e.message }}")


@scenario
async def a_worker_refuses_what_is_for_pages(play: Play) -> None:
    tab = await play.tab("/plain")
    worker = await worker_of(tab, "window.made = new Worker('/worker.js'); 'made'")
    for method in (
        "Page.enable",
        "Page.getFrameTree",
        "DOM.enable",
        "Fetch.enable",
        "Inspector.enable",
        "Input.dispatchMouseEvent",
        "Storage.runBounceTrackingMitigations",
        "Emulation.clearGeolocationOverride",
        "Emulation.clearDeviceMetricsOverride",
        "Target.getTargets",
        "Target.getBrowserContexts",
    ):
        await tab.client.call(method, on=worker)
    told = await tab.client.call("Target.getTargetInfo", on=worker)
    await tab.client.call("Target.closeTarget", {"targetId": told["targetInfo"]["targetId"]})
