"""`beforeunload` dialogs, as measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

ACCEPT = {"accept": True}
DISMISS = {"accept": False}


def evaluate(client: Client, session: str, expression: str) -> list[str]:
    return client.lines("Runtime.evaluate", {"expression": expression, "returnByValue": True}, session)


def handle(client: Client, session: str, params: Params) -> list[str]:
    return client.lines("Page.handleJavaScriptDialog", params, session)


def test_a_page_asks_before_it_is_left_only_if_it_was_touched(client: Client, page: str) -> None:
    client.send("Page.navigate", {"url": f"{LOCAL}/asks"}, page)

    lines = client.lines("Page.navigate", {"url": f"{LOCAL}/"}, page)

    assert "page Page.frameNavigated top Navigation" in lines


@pytest.fixture
def asking(client: Client, page: str) -> str:
    """Return a page that opens a `beforeunload` dialog when it is left."""
    client.send("Page.navigate", {"url": f"{LOCAL}/asks"}, page)
    press = {"type": "mousePressed", "x": 5, "y": 5, "button": "left", "clickCount": 1}
    client.result("Input.dispatchMouseEvent", press, page)
    return page


def test_staying_on_a_page_aborts_the_navigation(client: Client, asking: str) -> None:
    assert client.lines("Page.navigate", {"url": f"{LOCAL}/"}, asking) == [
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page Page.javascriptDialogOpening top beforeunload ",
    ]
    assert evaluate(client, asking, "1+1") == []
    assert handle(client, asking, DISMISS) == [
        "page reply to Page.navigate net::ERR_ABORTED",
        "page Page.frameStoppedLoading top",
        "page Page.javascriptDialogClosed top False ",
        "page reply to Page.handleJavaScriptDialog",
        "page reply to Runtime.evaluate = 2",
    ]


def test_leaving_a_page_lets_the_navigation_go_on(client: Client, asking: str) -> None:
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, asking)

    assert handle(client, asking, ACCEPT)[:6] == [
        "page Page.javascriptDialogClosed top True ",
        "page reply to Page.handleJavaScriptDialog",
        "page reply to Page.navigate",
        "page Runtime.executionContextsCleared",
        "page Runtime.executionContextsCleared",
        "page Page.frameNavigated top Navigation",
    ]


def test_closing_asks_too_but_closing_the_target_does_not(browser: MockBrowser, client: Client, asking: str) -> None:
    """Page.close replies at once, and then the dialog opens."""
    assert client.lines("Page.close", {}, asking) == [
        "page reply to Page.close",
        "page Page.javascriptDialogOpening top beforeunload ",
    ]
    assert handle(client, asking, DISMISS) == [
        "page Page.javascriptDialogClosed top False ",
        "page reply to Page.handleJavaScriptDialog",
    ]
    assert client.lines("Target.closeTarget", {"targetId": browser.pages[0].id}) == [
        "- reply to Target.closeTarget",
        "- Target.detachedFromTarget",
    ]


def test_accepting_to_leave_closes_the_page(browser: MockBrowser, client: Client, asking: str) -> None:
    client.send("Page.close", {}, asking)

    assert handle(client, asking, ACCEPT) == [
        "page Page.javascriptDialogClosed top True ",
        "page reply to Page.handleJavaScriptDialog",
        "- Target.detachedFromTarget",
    ]
    assert browser.pages == ()


def test_staying_when_the_page_itself_wanted_to_leave_answers_no_call(
    browser: MockBrowser, client: Client, asking: str
) -> None:
    browser.run(browser.pages[0].id, "location.href = '/'")
    client.take()

    assert handle(client, asking, DISMISS) == [
        "page Page.frameStoppedLoading top",
        "page Page.javascriptDialogClosed top False ",
        "page reply to Page.handleJavaScriptDialog",
    ]
