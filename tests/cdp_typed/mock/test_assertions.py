"""Assertions about a mock's traffic, and their texts of differences."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import Binary, Delay, Drop, Duplicate, Fault, Malformed, MockBrowser, MockServer, WithoutId
from cdp_typed.mock.assertions import assert_no_pending, differences
from cdp_typed.protocol import browser as browsers
from cdp_typed.protocol import page as pages
from cdp_typed.protocol import runtime
from tests.cdp_typed.mock.raw_client import Client

NAVIGATE = pages.Navigate(url="http://a/")


@pytest.mark.parametrize("fault", [Drop(), Malformed(), WithoutId()], ids=lambda fault: type(fault).__name__)
def test_a_call_whose_answer_cannot_be_read_is_pending(fault: Fault, browser: MockBrowser, client: Client) -> None:
    browser.fault(runtime.Enable, fault)
    session = client.attach(browser.pages[0].id)

    client.post("Runtime.enable", {}, session)

    assert [call.method for call in browser.pending] == ["Runtime.enable"]


@pytest.mark.parametrize("fault", [Delay(1), Duplicate(), Binary()], ids=lambda fault: type(fault).__name__)
def test_a_call_whose_answer_is_only_disturbed_is_not(fault: Fault, browser: MockBrowser, client: Client) -> None:
    browser.fault(runtime.Enable, fault)
    session = client.attach(browser.pages[0].id)

    client.post("Runtime.enable", {}, session)

    assert_no_pending(browser)


def test_a_call_that_is_refused_is_answered(browser: MockBrowser, client: Client, page: str) -> None:
    client.error("Foo.bar", {}, page)
    client.error("Page.enable", {}, "NO-SUCH-SESSION")

    assert_no_pending(MockServer(browser))


def test_a_call_that_a_dialog_blocks_is_pending_until_the_dialog_is_answered(
    browser: MockBrowser, client: Client, page: str
) -> None:
    client.send("Runtime.evaluate", {"expression": "alert('x')"}, page)

    with pytest.raises(AssertionError) as failed:
        assert_no_pending(browser)

    first, line = str(failed.value).splitlines()
    assert first == f"1 of {len(browser.calls)} calls have no answer:"
    assert line == "  Runtime.evaluate {'expression': \"alert('x')\"} from connection 1 in session " + page
    client.send("Page.handleJavaScriptDialog", {"accept": True}, page)
    assert_no_pending(browser)


def test_a_call_on_the_connections_own_session_is_named_without_one(browser: MockBrowser, client: Client) -> None:
    browser.hang(browsers.GetVersion)
    client.send("Browser.getVersion")

    with pytest.raises(AssertionError, match=r"\n  Browser\.getVersion \{\} from connection 1$"):
        assert_no_pending(browser)


@pytest.mark.parametrize(
    ("left", "right", "lines"),
    [
        (
            NAVIGATE,
            pages.Navigate(url="http://b/", referrer="r"),
            [
                "Page.navigate == Page.navigate",
                "    url: 'http://a/' != 'http://b/'",
                "    referrer: (not given) != 'r'",
            ],
        ),
        (
            pages.Navigate(url="http://a/", referrer="r"),
            NAVIGATE,
            ["Page.navigate == Page.navigate", "    referrer: 'r' != (not given)"],
        ),
        (
            NAVIGATE,
            pages.Reload(),
            ["Page.navigate == Page.reload", "    Page.navigate {'url': 'http://a/'} != Page.reload {}"],
        ),
        (
            (NAVIGATE, pages.Reload()),
            (NAVIGATE, pages.Reload(ignore_cache=True), NAVIGATE),
            [
                "2 in a tuple == 3 in a tuple",
                "[1] Page.reload",
                "    ignoreCache: (not given) != True",
                "[2] only right: Page.navigate {'url': 'http://a/'}",
            ],
        ),
        (
            [pages.LoadEventFired(timestamp=1.5)],
            (),
            ["1 in a list == 0 in a tuple", "[0] only left: Page.loadEventFired {'timestamp': 1.5}"],
        ),
        (
            (NAVIGATE,),
            [NAVIGATE],
            ["1 in a tuple == 1 in a list", "the messages are equal, the sequences are of two types"],
        ),
    ],
)
def test_messages_are_compared_by_the_fields_that_are_sent(left: Any, right: Any, lines: list[str]) -> None:
    assert differences(left, right) == lines


@pytest.mark.parametrize(("left", "right"), [((), []), ((NAVIGATE,), (1,)), (NAVIGATE, 1), ("a", "b")])
def test_what_is_no_message_is_left_to_pytest(left: Any, right: Any) -> None:
    assert differences(left, right) is None
