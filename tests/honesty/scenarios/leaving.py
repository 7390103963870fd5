"""Scenarios of `beforeunload`, and of clients that disconnect while a dialog is open."""

from __future__ import annotations

from tests.honesty.player import Play, Tab
from tests.honesty.scenarios.registry import scenario


async def touch(tab: Tab) -> None:
    """Click, without which a page opens no `beforeunload` dialog."""
    for kind in ("mousePressed", "mouseReleased"):
        await tab.call("Input.dispatchMouseEvent", {"type": kind, "x": 5, "y": 5, "button": "left", "clickCount": 1})


async def asking(play: Play) -> Tab:
    """Open a page that asks, and touch it."""
    tab = await play.tab("/staying")
    await touch(tab)
    return tab


async def gone_to(tab: Tab, path: str) -> None:
    """Wait until the page at this path has loaded."""
    await tab.event("Page.frameNavigated", where=lambda params: params["frame"]["url"].endswith(path))
    await tab.events("Page.loadEventFired", "Page.frameStoppedLoading")


async def stay(play: Play, tab: Tab) -> None:
    """Begin to leave a page, and stay when it asks."""
    leaving = tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.opening()
    await tab.answer_dialog(accept=False)
    await tab.client.answer(leaving)
    await tab.loaded()


@scenario
async def beforeunload_untouched(play: Play) -> None:
    tab = await play.tab("/staying")
    await tab.navigate(f"{play.own}/second")


@scenario
async def beforeunload_after_a_script_as_a_gesture(play: Play) -> None:
    tab = await play.tab("/staying")
    await tab.call("Runtime.evaluate", {"expression": "1 + 1", "userGesture": True})
    await stay(play, tab)


@scenario
async def beforeunload_after_a_function_as_a_gesture(play: Play) -> None:
    tab = await play.tab("/staying")
    value = await tab.call("Runtime.evaluate", {"expression": "({})"})
    given = {"functionDeclaration": "() => 1", "objectId": value["result"]["objectId"], "userGesture": True}
    await tab.call("Runtime.callFunctionOn", given)
    await tab.call("Page.close")
    await tab.opening()
    await tab.answer_dialog(accept=True)
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def a_popup_after_a_script_as_a_gesture(play: Play) -> None:
    """A page that a script as a gesture has touched asks before it is left, but opens no popup later."""
    tab = await play.tab("/staying")
    await tab.call("Runtime.evaluate", {"expression": "window.open('about:blank') === null", "userGesture": True})
    await tab.call("Runtime.evaluate", {"expression": "window.open('about:blank') === null"})


@scenario
async def beforeunload_stay(play: Play) -> None:
    tab = await asking(play)
    await stay(play, tab)


@scenario
async def beforeunload_leave(play: Play) -> None:
    tab = await asking(play)
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.opening()
    await tab.answer_dialog(accept=True)
    await gone_to(tab, "/second")


@scenario
async def beforeunload_close_and_stay(play: Play) -> None:
    tab = await asking(play)
    await tab.call("Page.close")
    await tab.opening()
    await tab.answer_dialog(accept=False)
    await tab.value("document.title")


@scenario
async def beforeunload_close_and_leave(play: Play) -> None:
    tab = await asking(play)
    await tab.call("Page.close")
    await tab.opening()
    await tab.answer_dialog(accept=True)
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def reconnected_while_open(play: Play) -> None:
    """The client that could handle it has disconnected: the page does not respond to the next one."""
    first = await play.tab("/plain")
    first.evaluate("confirm('left alone')")
    await first.opening()
    await first.client.leave()
    second = await play.attach(await play.client(), first.target)
    second.start("Page.enable")
    second.evaluate("1")
    await second.answer_dialog()
    await second.client.call("Target.getTargetInfo", {"targetId": second.target})


@scenario
async def detached_while_open(play: Play) -> None:
    first = await play.tab("/plain")
    first.evaluate("confirm('left alone')")
    await first.opening()
    await first.client.call("Target.detachFromTarget", {"sessionId": first.session})
    again = await play.attach(first.client, first.target)
    await again.answer_dialog()


@scenario
async def another_client_answers_when_one_has_gone(play: Play) -> None:
    first = await play.tab("/plain")
    second = await play.attach(await play.client(), first.target)
    await second.call("Page.enable")
    first.evaluate("confirm('who?')")
    await second.opening()
    await first.opening()
    await first.client.leave()
    await second.answer_dialog()
    await second.closed()
    await second.value("1 + 1")
