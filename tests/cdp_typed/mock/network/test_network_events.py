"""The Network and Log domains of the mock: the events of requests, and what security policies block."""

from __future__ import annotations

import pytest

from cdp_typed.mock import Frame, MockBrowser, Page, Resource
from tests.cdp_typed.mock.network_lines import SEND, evaluate, told, value, visit
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

SECURE = "https://secure.test"
SITE = {
    f"{LOCAL}/": Page(title="blank", body="<p>hello"),
    f"{LOCAL}/data": Page(body="[1]", headers={"Content-Type": "application/json"}),
    f"{LOCAL}/gone": Page(status=404, body="nope"),
    f"{LOCAL}/image": Page(body="<img>", resources=[Resource("/i.png"), Resource("/missing.png")]),
    f"{LOCAL}/i.png": Page(body="png", headers={"Content-Type": "image/png"}),
    f"{LOCAL}/framed": Page(frames=[Frame("/data", "f")]),
    f"{LOCAL}/heard": Page(resources=[Resource("/i.png", "Font"), Resource("/i.png", "Media")]),
    "http://plain.test/": Page(),
    f"{REMOTE}/open": Page(body="public", headers={"Access-Control-Allow-Origin": "*"}),
    f"{SECURE}/": Page(title="secure"),
}


@pytest.mark.parametrize(
    ("url", "state"),
    [("http://shop.test/", "insecure"), ("http://a.localhost:1/", "secure"), (f"{SECURE}/", "secure")],
)
def test_a_response_is_secure_over_https_or_from_this_machine(url: str, state: str) -> None:
    browser = MockBrowser({url: Page()})
    client = Client(browser)
    page = client.attach(browser.pages[0].id)
    client.enable(page, "Network")

    got = client.send("Page.navigate", {"url": url}, page)

    (response,) = [message["params"]["response"] for message in got if "response" in message.get("params", {})]
    assert response["securityState"] == state


def test_bodies_can_be_read_until_their_document_is_replaced(client: Client, page: str) -> None:
    got = visit(client, page, "/image")
    ids = [message["params"]["requestId"] for message in got if message.get("method") == "Network.requestWillBeSent"]

    assert client.result("Network.getResponseBody", {"requestId": ids[0]}, page) == {
        "body": "<img>",
        "base64Encoded": False,
    }
    assert client.result("Network.getResponseBody", {"requestId": ids[1]}, page) == {
        "body": "cG5n",
        "base64Encoded": True,
    }
    visit(client, page)
    assert client.error("Network.getResponseBody", {"requestId": ids[1]}, page) == {
        "code": -32000,
        "message": "No resource with given identifier found",
    }


def test_an_iframe_that_is_removed_at_once_asks_for_nothing(client: Client, page: str) -> None:
    visit(client, page, "/framed")
    source = "document.getElementById('f').src = '/gone'; document.getElementById('f').remove()"

    assert told(evaluate(client, page, source)) == []


def test_a_document_without_an_origin_asks_in_the_name_of_null(client: Client, page: str) -> None:
    client.enable(page, "Network")

    got = evaluate(client, page, f"fetch('{REMOTE}/open').then(r => r.text())")

    assert value(got) == "public"
    (sent,) = [message for message in got if message.get("method") == "Network.requestWillBeSentExtraInfo"]
    assert sent["params"]["headers"]["Origin"] == "null"


def test_an_insecure_request_of_a_secure_page_never_reaches_anybody(client: Client, page: str) -> None:
    """Not even a client that intercepts every request."""
    visit(client, page, f"{SECURE}/")
    client.enable(page, "Fetch")

    got = evaluate(client, page, SEND.format("http://bridge.invalid/"))

    assert told(got) == [
        f"security: Mixed Content: The page at '{SECURE}/' was loaded over HTTPS, but requested an insecure "
        "XMLHttpRequest endpoint 'http://bridge.invalid/'. This request has been blocked; the content must be "
        "served over HTTPS."
    ]
    assert "exceptionDetails" in got[-1]["result"]


def test_complaints_are_repeated_to_those_who_enable_log_later(browser: MockBrowser, client: Client, page: str) -> None:
    visit(client, page, "/gone")
    evaluate(client, page, "console.log('not a complaint')")
    late = client.attach(browser.pages[0].id, "late")

    assert told(client.send("Log.enable", {}, late)) == [
        "network: Failed to load resource: the server responded with a status of 404 (Not Found)"
    ]
    assert told(client.send("Log.enable", {}, late)) == []


def test_a_font_is_preloaded_and_a_medium_is_asked_for_from_its_first_byte(client: Client, page: str) -> None:
    got = visit(client, page, "/heard")

    sent = [message["params"]["request"] for message in got if message.get("method") == "Network.requestWillBeSent"]
    wire = [message["params"] for message in got if message.get("method") == "Network.requestWillBeSentExtraInfo"]
    assert [request.get("isLinkPreload") for request in sent] == [None, True, None]
    assert [request["initialPriority"] for request in sent] == ["VeryHigh", "High", "Low"]
    assert [request["headers"].get("Origin") for request in sent] == [None, LOCAL, None]
    assert [request["headers"].get("Range") for request in sent] == [None, None, "bytes=0-"]
    assert [told["headers"]["Sec-Fetch-Dest"] for told in wire] == ["document", "font", "audio"]
    assert wire[2]["headers"]["Accept-Encoding"] == "identity"


def test_a_site_that_chrome_does_not_trust_is_told_less(client: Client, page: str) -> None:
    got = visit(client, page, "http://plain.test/")

    (wire,) = [message["params"] for message in got if message.get("method") == "Network.requestWillBeSentExtraInfo"]
    assert sorted(wire["headers"]) == [
        "Accept", "Accept-Encoding", "Accept-Language", "Connection", "Host", "Upgrade-Insecure-Requests", "User-Agent",
    ]  # fmt: skip
    assert wire["headers"]["Accept-Encoding"] == "gzip, deflate"
    frame = next(message for message in got if message.get("method") == "Page.frameNavigated")["params"]["frame"]
    assert frame["domainAndRegistry"] == "plain.test"


def test_a_request_that_needs_a_preflight_is_refused(browser: MockBrowser, client: Client, page: str) -> None:
    visit(client, page)

    evaluate(client, page, f"fetch('{REMOTE}/open', {{method: 'PUT', body: 'x'}})")

    assert [refusal.text for refusal in browser.refusals] == [
        f"cdp_typed.mock sends no preflight requests, and so not this request: {REMOTE}/open"
    ]
