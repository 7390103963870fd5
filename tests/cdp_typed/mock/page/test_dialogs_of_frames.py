"""Dialogs of iframes, with events in the order that was measured on Chromium 156, and its crashes."""

from __future__ import annotations

import pytest

from cdp_typed.mock import Hangup, MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params


def test_an_oopif_that_leaves_its_process_keeps_its_dialog_open(
    browser: MockBrowser, client: Client, page: str, oopif: str
) -> None:
    """Detached at once, no Closed; the document comes after the answer."""
    client.evaluate(oopif, "confirm('x')")

    browser.navigate_frame(browser.frame_named("f"), f"{LOCAL}/child")

    assert client.taken() == [
        "page Page.frameRequestedNavigation frame scriptInitiated",
        "frame Page.frameStartedNavigating frame differentDocument",
        "frame Page.frameStartedLoading frame",
        "page Target.detachedFromTarget",
    ]
    assert client.answer_dialog(page) == [
        "page Page.javascriptDialogClosed frame True ",
        "page reply to Page.handleJavaScriptDialog",
        "page Page.frameAttached frame",
        "page Page.frameNavigated frame Navigation",
        "page Runtime.executionContextCreated",
        "page Page.frameStoppedLoading frame",
    ]


def test_a_dialog_outlives_the_process_that_asked(client: Client, page: str, oopif: str) -> None:
    """No Closed until it is handled."""
    client.evaluate(oopif, "confirm('x')")

    assert client.lines("Page.crash", {}, oopif) == ["frame Inspector.targetCrashed"]
    assert client.answer_dialog(page) == [
        "page reply to Page.handleJavaScriptDialog",
        "page Page.javascriptDialogClosed frame True ",
    ]


def test_a_dialog_of_the_dead_is_dismissed_and_nothing_goes_on(
    browser: MockBrowser, client: Client, page: str, oopif: str
) -> None:
    client.evaluate(oopif, "confirm('x')")
    client.post("Page.crash", {}, oopif)
    client.take()

    browser.dismiss_dialogs()

    assert client.taken() == ["page Page.javascriptDialogClosed frame False "]
    assert client.evaluate(oopif, "1") == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Page.handleJavaScriptDialog", {"accept": True}),
        ("Page.navigate", {"url": f"{LOCAL}/"}),
        ("Page.reload", {}),
        ("Page.close", {}),
    ],
)
def test_touching_a_dialog_whose_iframe_was_removed_ends_the_browser(
    browser: MockBrowser, client: Client, page: str, oopif: str, method: str, params: Params
) -> None:
    """A segmentation fault of the whole browser."""
    client.evaluate(oopif, "confirm('x')")
    browser.remove_frame(browser.frame_named("f"))
    browser.sent.clear()

    client.post(method, params, page)

    assert browser.sent[-1] == Hangup(1)
    assert browser.state.dead


@pytest.mark.parametrize("touch", ["a dialog of the page", "the end of its target"])
def test_covering_or_closing_it_ends_the_browser_too(
    browser: MockBrowser, client: Client, page: str, oopif: str, touch: str
) -> None:
    client.evaluate(oopif, "confirm('x')")
    browser.remove_frame(browser.frame_named("f"))
    client.take()

    if touch == "a dialog of the page":
        assert client.evaluate(page, "alert(1)") == ["page Page.javascriptDialogOpening top alert 1"]
    else:
        assert client.lines("Target.closeTarget", {"targetId": browser.pages[0].id}) == []

    assert browser.state.dead


def test_a_dialog_that_nobody_could_answer_goes_with_its_iframe(
    browser: MockBrowser, client: Client, page: str, oopif: str
) -> None:
    client.result("Page.disable", {}, page)
    client.evaluate(oopif, "confirm('x')")
    assert len(browser.dialogs) == 1

    browser.remove_frame(browser.frame_named("f"))

    assert list(browser.dialogs) == []
    assert not browser.state.dead


def test_the_dialog_of_a_page_stays_when_an_iframe_goes(
    browser: MockBrowser, client: Client, page: str, oopif: str
) -> None:
    client.evaluate(page, "confirm('x')")

    browser.remove_frame(browser.frame_named("f"))

    assert [(dialog.message, dialog.frame_detached) for dialog in browser.dialogs] == [("x", False)]


def test_detaching_the_page_first_makes_closing_safe(
    browser: MockBrowser, client: Client, page: str, oopif: str
) -> None:
    client.evaluate(oopif, "confirm('x')")
    client.result("Target.detachFromTarget", {"sessionId": page})

    client.result("Target.closeTarget", {"targetId": browser.pages[0].id})

    assert not browser.state.dead
