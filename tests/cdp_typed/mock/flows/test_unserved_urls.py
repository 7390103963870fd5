"""Addresses to which the mock does not navigate: an error, unless the site has a page there."""

from __future__ import annotations

import pytest

from cdp_typed.mock import Frame, MockBrowser, Page, Site, SiteError
from tests.cdp_typed.mock.raw_client import LOCAL, Client

NO_SCRIPT = "cdp_typed.mock runs no javascript: address: send its script with Runtime.evaluate"
NO_PAGE = "cdp_typed.mock has no pages of the browser's own: navigate to http:, https:, data: or about:blank"


@pytest.mark.parametrize(
    ("url", "refusal"),
    [
        ("javascript:alert(1)", NO_SCRIPT),
        ("JavaScript:void 0", NO_SCRIPT),
        ("chrome://version", NO_PAGE),
        ("devtools://devtools/bundled/inspector.html", NO_PAGE),
        ("data:text/plain,hello", NO_PAGE),
        ("data:,hello", NO_PAGE),
    ],
)
def test_what_is_not_modelled_is_refused_and_the_page_stays(
    client: Client, shown: str, browser: MockBrowser, url: str, refusal: str
) -> None:
    assert client.lines("Page.navigate", {"url": url}, shown) == [f"page refusal of Page.navigate: {refusal}"]
    assert client.lines("Target.createTarget", {"url": url}) == [f"- refusal of Target.createTarget: {refusal}"]
    assert [page.url for page in browser.pages] == [f"{LOCAL}/"]


def test_a_page_of_the_site_is_there_whatever_its_address() -> None:
    client = Client(MockBrowser({"chrome://version/": Page(title="mine"), "mailto:a@b": Page(title="letter")}))

    for url, title in (("chrome://version/", "mine"), ("mailto:a@b", "letter")):
        session = client.attach(str(client.result("Target.createTarget", {"url": url})["targetId"]))
        assert client.evaluate(session, "document.title") == [f"page reply to Runtime.evaluate = {title}"]


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "blob:http://localhost/x", "file:///x", "chrome://version", "data:text/html,x"]
)
@pytest.mark.parametrize("script", ["location.href = '{}'", "location.assign('{}')", "open('{}')"])
def test_a_script_that_goes_there_is_refused(client: Client, shown: str, script: str, url: str) -> None:
    (reply,) = client.lines("Runtime.evaluate", {"expression": script.format(url), "userGesture": True}, shown)

    assert f"MockError: cdp_typed.mock does not know this: a script that navigates to an address of {url[:4]}" in reply


def test_an_iframe_of_a_site_has_no_script_as_its_address() -> None:
    with pytest.raises(SiteError, match="the mock runs no javascript: address"):
        Site({"http://x/": Page(frames=[Frame("javascript:alert(1)")])})


def test_a_document_in_the_address_may_be_encoded(client: Client, page: str) -> None:
    for url in (
        "data:text/html;charset=utf-8;base64,PHRpdGxlPkhpPC90aXRsZT4=",
        "data:text/html,%3Ctitle%3EHi%3C/title%3E",
    ):
        client.send("Page.navigate", {"url": url}, page)
        assert client.evaluate(page, "document.title") == ["page reply to Runtime.evaluate = Hi"]


def test_a_script_that_the_mock_does_not_know_throws_in_a_document_that_a_client_made(
    client: Client, page: str
) -> None:
    said = client.lines("Page.navigate", {"url": "data:text/html,<title>T</title><script>for (;;) {}</script>"}, page)

    assert "page Runtime.exceptionThrown" in said
    assert "page Page.loadEventFired" in said
