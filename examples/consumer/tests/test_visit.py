"""Tests of a program that drives a browser; the fixtures come with cdp-typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from page_visit import PageNotLoaded, Visit, note, visit

from cdp_typed import CommandTimeout, ConnectionLost
from cdp_typed.mock import Drop, Page, ThreadedMockServer
from cdp_typed.mock.assertions import assert_no_pending
from cdp_typed.mock.samples import samples
from cdp_typed.protocol import page
from cdp_typed.pytest_plugin import BrowserUnderTest

SHOP = "http://shop.test/"


@pytest.fixture
def cdp_site() -> dict[str, Page]:
    return {SHOP: Page(title="Shop", script="alert('Cookies?')")}


@pytest.mark.usefixtures("cdp_no_leaks")
def test_title_and_dialogs_are_noted(cdp_browser: BrowserUnderTest) -> None:
    """Runs twice: on the mock, and on a real browser."""
    assert visit(cdp_browser.http_url, SHOP) == Visit("Shop", ("alert: Cookies?",))


def test_the_page_is_visited_once_and_nothing_is_left_unanswered(cdp_mock: ThreadedMockServer) -> None:
    visit(cdp_mock.address, SHOP)

    assert cdp_mock.browser.received(page.Navigate) == (page.Navigate(url=SHOP),)
    assert cdp_mock.browser.received(page.HandleJavaScriptDialog) == (page.HandleJavaScriptDialog(accept=False),)
    assert_no_pending(cdp_mock)


def test_a_page_that_is_not_there_is_an_error_in_the_browsers_words(cdp_mock: ThreadedMockServer) -> None:
    with pytest.raises(PageNotLoaded, match="net::ERR_CONNECTION_REFUSED"):
        visit(cdp_mock.address, "http://nowhere.test/")


def test_a_browser_that_does_not_answer_is_given_up(cdp_mock: ThreadedMockServer) -> None:
    cdp_mock.browser.fault(page.Navigate, Drop())

    with pytest.raises(CommandTimeout, match=r"Page\.navigate"):
        visit(cdp_mock.address, SHOP, timeout=0.3)


def test_a_browser_that_dies_is_an_error_at_once(cdp_mock: ThreadedMockServer) -> None:
    def die(params: dict[str, object]) -> dict[str, object]:
        cdp_mock.browser.close(None)
        return {}

    cdp_mock.browser.on(page.Enable, die)

    with pytest.raises(ConnectionLost):
        visit(cdp_mock.address, SHOP)


@given(samples(page.JavascriptDialogOpening))
def test_any_dialog_is_one_line(dialog: page.JavascriptDialogOpening) -> None:
    assert note(dialog).startswith(f"{dialog.type}: ")
    assert len(note(dialog).splitlines()) <= 1
