"""Assertions about a mock's traffic, and their texts of differences."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import Binary, Delay, Drop, Duplicate, Fault, Malformed, MockBrowser, MockServer, WithoutId
from cdp_typed.mock.assertions import absence, assert_no_pending, assert_received, differences
from cdp_typed.protocol import browser as browsers
from cdp_typed.protocol import page as pages
from cdp_typed.protocol import runtime, target
from tests.cdp_typed.mock.raw_client import Client

NAVIGATE = pages.Navigate(url="http://a/")


UNREADABLE: tuple[Fault, ...] = (Drop(), Malformed(), WithoutId())
DISTURBED: tuple[Fault, ...] = (Delay(1), Duplicate(), Binary())


@pytest.mark.parametrize("fault", [*UNREADABLE, *DISTURBED], ids=lambda fault: type(fault).__name__)
def test_a_call_is_pending_if_its_answer_cannot_be_read(fault: Fault, browser: MockBrowser, client: Client) -> None:
    browser.fault(runtime.Enable, fault)
    session = client.attach(browser.pages[0].id)

    client.post("Runtime.enable", {}, session)

    assert [call.method for call in browser.pending] == (["Runtime.enable"] if fault in UNREADABLE else [])


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


def test_calls_that_were_received_in_this_order_are_asserted(browser: MockBrowser, client: Client, page: str) -> None:
    client.send("Page.navigate", {"url": "http://localhost/"}, page)
    client.send("Page.reload", {}, page)

    assert_received(browser, pages.Navigate(url="http://localhost/"), pages.Reload())
    assert_received(MockServer(browser), pages.Reload())
    with pytest.raises(AssertionError, match=r"^Page\.navigate .* was not received after call \d+\nreceived, "):
        assert_received(browser, pages.Reload(), pages.Navigate(url="http://localhost/"))


def test_of_a_call_that_is_missing_the_one_most_like_it_is_told_and_all_that_was_received(
    browser: MockBrowser, client: Client, page: str
) -> None:
    for url in ("http://a/", "http://localhost/same"):
        client.send("Page.navigate", {"url": url, "referrer": "r"}, page)

    with pytest.raises(AssertionError) as failed:
        assert_received(browser, pages.Navigate(url="http://a/"))

    first, nearly, field, received, *calls = str(failed.value).splitlines()
    assert first == "Page.navigate {'url': 'http://a/'} was not received"
    assert nearly == (
        f"nearly: Page.navigate {{'url': 'http://a/', 'referrer': 'r'}} from connection 1 in session {page}"
    )
    assert field == "    referrer: 'r' != (not given)"
    assert received == f"received, {len(browser.calls)} in all:"
    assert [line.split()[0] for line in calls] == [call.method for call in browser.calls]


def test_of_many_calls_the_last_ones_are_told(browser: MockBrowser, client: Client) -> None:
    for _ in range(25):
        client.send("Browser.getVersion")

    with pytest.raises(AssertionError) as failed:
        assert_received(browser, browsers.GetVersion(), pages.Reload())

    lines = str(failed.value).splitlines()
    assert lines[:3] == ["Page.reload {} was not received after call 1", "received, 25 in all:", "    (5 earlier ones)"]
    assert len(lines) == 23


def test_a_method_with_a_similar_name_is_told(browser: MockBrowser, client: Client) -> None:
    client.send("Target.getTargets")

    with pytest.raises(AssertionError, match=r"not received\nnearly: Target\.getTargets\nreceived, 1 in all:\n"):
        assert_received(browser, target.GetTargetInfo())
    with pytest.raises(AssertionError, match=r"^Page\.reload \{\} was not received\nnothing was received$"):
        assert_received(MockBrowser(), pages.Reload())


def test_a_difference_from_what_was_received_tells_the_calls(browser: MockBrowser, client: Client, page: str) -> None:
    client.send("Page.navigate", {"url": "http://b/"}, page)

    lines = differences(browser.received(pages.Navigate), [NAVIGATE])
    other_way_round = differences([NAVIGATE], browser.received("Page.navigate"))

    call = f"Page.navigate {{'url': 'http://b/'}} from connection 1 in session {page}"
    assert lines is not None
    assert lines[:4] == [
        "1 in a tuple == 1 in a list",
        "[0] Page.navigate",
        "    url: 'http://b/' != 'http://a/'",
        f"received, {len(browser.calls)} in all:",
    ]
    assert lines[-1] == f"    {call}"
    assert other_way_round is not None
    assert other_way_round[-1] == f"    {call}"


def test_nothing_received_of_a_command_tells_what_was_received_instead(browser: MockBrowser, client: Client) -> None:
    client.send("Target.getTargets")

    lines = differences(browser.received(target.GetTargetInfo), (target.GetTargetInfo(),))

    assert lines == [
        "0 in a tuple == 1 in a tuple",
        "[0] only right: Target.getTargetInfo {}",
        "nearly: Target.getTargets",
        "received, 1 in all:",
        "    Target.getTargets {} from connection 1",
    ]


def test_a_call_that_is_not_among_the_received_ones_is_told_with_them(browser: MockBrowser, client: Client) -> None:
    client.send("Target.getTargets")

    assert absence(target.GetTargetInfo(), browser.received(target.GetTargetInfo)) == [
        "Target.getTargetInfo {} in 0 received of Target.getTargetInfo",
        "nearly: Target.getTargets",
        "received, 1 in all:",
        "    Target.getTargets {} from connection 1",
    ]
    assert absence(target.GetTargetInfo(), (target.GetTargets(),)) is None
    assert absence(5, browser.received(target.GetTargets)) is None


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
