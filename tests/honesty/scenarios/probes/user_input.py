"""Scenarios of mouse events: what is refused, what they set off, and where nobody hears them."""

from __future__ import annotations

from typing import Any, Final

from tests.honesty.player import Params, Play, Tab
from tests.honesty.scenarios.registry import Calls, scenario, scenarios_of_calls

POINT: Final[Params] = {"x": 5, "y": 5}
MOUSE: Final = "Input.dispatchMouseEvent"


def mouse(kind: str, **more: Any) -> tuple[str, Params]:
    """Return a mouse event at a point of the page."""
    return MOUSE, {"type": kind, **POINT, **more}


CALLS: Final[dict[str, Calls]] = {
    "mouse_moves": [mouse("mouseMoved"), mouse("mouseMoved", buttons=1), mouse("mouseMoved", button="none")],
    "mouse_presses": [
        mouse("mousePressed", button="left", clickCount=1),
        mouse("mouseReleased", button="left", clickCount=1),
        mouse("mousePressed", button="right", clickCount=1),
        mouse("mouseReleased", button="right", clickCount=1),
    ],
    "mouse_presses_without_a_button": [mouse("mousePressed"), mouse("mouseReleased")],
    "mouse_presses_of_every_button": [
        mouse(kind, button=button, clickCount=1)
        for button in ("middle", "back", "forward", "none")
        for kind in ("mousePressed", "mouseReleased")
    ],
    "mouse_events_of_no_kind": [mouse("mouseSqueezed"), mouse(""), mouse("mousedown")],
    "mouse_events_of_no_button": [mouse("mousePressed", button="fourth"), mouse("mousePressed", button="")],
    "mouse_events_without_a_place": [
        (MOUSE, {"type": "mouseMoved"}),
        (MOUSE, {"type": "mouseMoved", "x": 5}),
        (MOUSE, {"type": "mouseMoved", "x": "5", "y": 5}),
    ],
    "mouse_events_outside": [
        (MOUSE, {"type": "mouseMoved", "x": -5, "y": -5}),
        (MOUSE, {"type": "mousePressed", "x": 9000, "y": 9000, "button": "left", "clickCount": 1}),
        (MOUSE, {"type": "mouseReleased", "x": 9000, "y": 9000, "button": "left", "clickCount": 1}),
    ],
    "mouse_events_of_a_pen": [mouse("mouseMoved", pointerType="pen"), mouse("mouseMoved", pointerType="finger")],
    "mouse_events_with_modifiers": [mouse("mouseMoved", modifiers=8), mouse("mouseMoved", modifiers="8")],
    "mouse_wheels_without_a_way": [mouse("mouseWheel"), mouse("mouseWheel", deltaX=1), mouse("mouseWheel", deltaY=1)],
    "mouse_events_with_fractions": [
        (MOUSE, {"type": "mouseMoved", "x": 5.5, "y": 0.25}),
        mouse("mousePressed", button="left", clickCount=1.5),
        mouse("mousePressed", button="left", clickCount="1"),
    ],
    "mouse_presses_twice": [
        mouse(kind, button="left", clickCount=count) for count in (1, 2) for kind in ("mousePressed", "mouseReleased")
    ],
    "mouse_releases_alone": [mouse("mouseReleased", button="left", clickCount=1), mouse("mouseReleased")],
}
scenarios_of_calls(__name__, CALLS)


async def click(tab: Tab, y: int = 5) -> None:
    """Press and release the left button."""
    for kind in ("mousePressed", "mouseReleased"):
        await tab.call(MOUSE, {"type": kind, "x": 5, "y": y, "button": "left", "clickCount": 1})


@scenario
async def mouse_events_for_an_oopif(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    for method, params in (mouse("mouseMoved"), mouse("mousePressed", button="left", clickCount=1)):
        await tab.client.call(method, params, on=tab.frames[0])


@scenario
async def mouse_events_for_the_browser(play: Play) -> None:
    client = await play.client()
    await client.call(*mouse("mouseMoved"))


@scenario
async def a_link_that_is_clicked(play: Play) -> None:
    tab = await play.tab("/links")
    await click(tab)
    await tab.events("Page.frameNavigated", "Page.frameStoppedLoading")
    await tab.value("document.title")


@scenario
async def a_link_into_the_page_that_is_clicked(play: Play) -> None:
    tab = await play.tab("/links")
    await click(tab, 25)
    await tab.event("Page.navigatedWithinDocument")
    await tab.value("location.href")


@scenario
async def a_link_that_a_script_clicks(play: Play) -> None:
    tab = await play.tab("/links")
    await tab.value("document.getElementById('near').click(); 'clicked'")
    await tab.events("Page.frameNavigated", "Page.frameStoppedLoading")


@scenario
async def a_click_beside_every_link(play: Play) -> None:
    tab = await play.tab("/links")
    await click(tab, 205)
    await tab.value("location.href")


@scenario
async def a_file_input_that_is_clicked(play: Play) -> None:
    tab = await play.tab("/form")
    await tab.call("Page.setInterceptFileChooserDialog", {"enabled": True})
    for y in (5, 25):
        await click(tab, y)
        await tab.event("Page.fileChooserOpened")
    await tab.call("Log.enable")
    await tab.value("document.getElementById('one').click()")
    await tab.event("Log.entryAdded")
    await tab.call("Page.setInterceptFileChooserDialog", {"enabled": False})


@scenario
async def files_for_what_is_no_input(play: Play) -> None:
    tab = await play.tab("/form")
    for params in ({}, {"nodeId": 0}, {"nodeId": 77777}, {"backendNodeId": 77777}, {"objectId": "x"}):
        await tab.call("DOM.setFileInputFiles", {"files": [], **params})
    await tab.call("DOM.setFileInputFiles", {"files": "x"})
    nodes = {"/links": "document.getElementById('near')", "/with-local": "document.getElementById('local')"}
    others = {"/plain": "({a: 1})", "/second": "[1]", "/inner": "new Error('no')"}
    for path, expression in (nodes | others).items():
        await tab.navigate(play.own + path)
        held = (await tab.value(expression))["result"]["result"]["objectId"]
        await tab.call("DOM.setFileInputFiles", {"files": [], "objectId": held})


@scenario
async def a_click_as_a_gesture_for_popups(play: Play) -> None:
    """Without it the popup blocker answers; a click counts for a while."""
    tab = await play.tab("/plain")
    await tab.value("window.open('about:blank') === null")
    await click(tab)
    await tab.value("'clicked'")
