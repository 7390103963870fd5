"""Frames between processes, with events in the order that was measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import Frame, MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client


def navigate(client: Client, page: str, path: str) -> list[str]:
    return client.lines("Page.navigate", {"url": f"{LOCAL}{path}"}, page)


def test_taking_auto_attach_back_detaches_and_lets_the_iframe_go(client: Client, page: str) -> None:
    navigate(client, page, "/cross")
    client.attached("frame")
    off = {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": True}

    assert client.lines("Target.setAutoAttach", off, page) == [
        "page Target.detachedFromTarget",
        "page reply to Target.setAutoAttach",
        "page Page.frameDetached frame swap",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]


def test_an_oopif_that_goes_says_nothing_of_its_own_frames() -> None:
    """Its renderer ends as a whole; only an OOPIF in it is detached with an event."""
    pages = {
        f"{LOCAL}/": Page(frames=[Frame(f"{REMOTE}/middle", "f")]),
        f"{REMOTE}/middle": Page(frames=[Frame(f"{REMOTE}/inner", "g"), Frame(f"{LOCAL}/inner", "h")]),
        f"{REMOTE}/inner": Page(),
        f"{LOCAL}/inner": Page(),
    }
    browser = MockBrowser(pages)
    client = Client(browser)
    session = client.attach(browser.pages[0].id)
    client.enable(session, "Page")
    client.auto_attach(session)
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)
    middle = client.attached("middle")
    client.enable(middle, "Page", "Runtime")
    client.send("Runtime.runIfWaitingForDebugger", {}, middle)
    client.frames[browser.frame_named("h")] = "inner"

    browser.remove_frame(browser.frame_named("f"))

    assert client.taken() == [
        "page Page.frameSubtreeWillBeDetached middle",
        "middle Page.frameDetached inner remove",
        "page Page.frameDetached middle remove",
        "page Target.detachedFromTarget",
    ]


@pytest.mark.parametrize("what", ["reload", "crash", "close"])
def test_a_page_takes_every_kind_of_frame_with_it(what: str) -> None:
    """A local one, an OOPIF, and a nested one of the page's own site."""
    pages = {
        f"{LOCAL}/": Page(frames=[Frame("/child", "near"), Frame(f"{REMOTE}/middle", "f")]),
        f"{LOCAL}/child": Page(),
        f"{REMOTE}/middle": Page(frames=[Frame(f"{LOCAL}/child", "g")]),
    }
    browser = MockBrowser(pages)
    top = browser.pages[0].id
    client = Client(browser)
    session = client.attach(top)
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)
    before = {name: browser.frame_named(name) for name in ("near", "f", "g")}

    match what:
        case "reload":
            client.send("Page.reload", {}, session)
        case "crash":
            browser.crash(top)
        case _:
            browser.close_page(top)

    assert not set(before.values()) & (browser.state.frames.keys() | browser.state.targets.keys())


def test_a_frame_is_removed_once(client: Client, page: str) -> None:
    navigate(client, page, "/same")

    lines = client.evaluate(page, "window.f = document.getElementById('f'); f.remove(); f.remove()")

    assert sum("frameDetached" in line for line in lines) == 1


def test_a_script_for_new_documents_runs_at_once_if_it_is_asked_to(client: Client, page: str) -> None:
    asked = {"source": "window.now = 1", "runImmediately": True}
    client.result("Page.addScriptToEvaluateOnNewDocument", asked, page)

    assert client.result("Runtime.evaluate", {"expression": "now"}, page)["result"]["value"] == 1
