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
    f"{LOCAL}/empty": Page(),
    f"{LOCAL}/gone": Page(status=404, body="nope"),
    f"{LOCAL}/image": Page(body="<img>", resources=[Resource("/i.png"), Resource("/missing.png")]),
    f"{LOCAL}/i.png": Page(body="png", headers={"Content-Type": "image/png"}),
    f"{LOCAL}/framed": Page(frames=[Frame("/data", "f")]),
    f"{LOCAL}/csp": Page(headers={"Content-Security-Policy": "connect-src 'none'"}),
    f"{LOCAL}/self": Page(headers={"content-security-policy": "img-src *; default-src 'self' http://friend.test/"}),
    f"{LOCAL}/no-sync": Page(headers={"Permissions-Policy": "sync-xhr=()"}),
    f"{REMOTE}/closed": Page(body="secret"),
    f"{REMOTE}/open": Page(body="public", headers={"Access-Control-Allow-Origin": "*"}),
    f"{REMOTE}/theirs": Page(body="theirs", headers={"Access-Control-Allow-Origin": REMOTE}),
    f"{SECURE}/": Page(title="secure"),
    f"{SECURE}/data": Page(body="safe"),
    "http://friend.test/": Page(headers={"Access-Control-Allow-Origin": LOCAL}, body="friend"),
}


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


def test_nothing_is_told_to_those_who_did_not_ask(client: Client, page: str) -> None:
    assert told(visit(client, page, "/gone", domains=())) == []


def test_a_navigation_is_told_with_one_id_from_its_start_to_its_end(client: Client, page: str) -> None:
    got = visit(client, page)

    assert [message.get("method", "reply") for message in got] == [
        "Page.frameStartedNavigating",
        "Page.frameStartedLoading",
        "Network.requestWillBeSent",
        "Network.responseReceived",
        "reply",
        "Runtime.executionContextsCleared",
        "Runtime.executionContextsCleared",
        "Page.frameNavigated",
        "Network.policyUpdated",
        "Network.dataReceived",
        "Runtime.executionContextCreated",
        "Network.loadingFinished",
        "Page.domContentEventFired",
        "Page.loadEventFired",
        "Page.frameStoppedLoading",
    ]
    ids = {message["params"]["requestId"] for message in got if "requestId" in message.get("params", {})}
    assert ids == {got[4]["result"]["loaderId"]}


def test_an_address_where_nobody_listens(client: Client, page: str) -> None:
    assert told(visit(client, page, "http://nobody.test/")) == [
        "requestWillBeSent Document http://nobody.test/",
        "loadingFailed Document net::ERR_CONNECTION_REFUSED",
        "policyUpdated",
    ]


def test_a_page_with_an_error_status_is_shown_and_complained_of(client: Client, page: str) -> None:
    assert told(visit(client, page, "/gone")) == [
        f"requestWillBeSent Document {LOCAL}/gone",
        f"responseReceived Document {LOCAL}/gone 404",
        "policyUpdated",
        "network: Failed to load resource: the server responded with a status of 404 (Not Found)",
        "dataReceived",
        "loadingFinished",
    ]


def test_an_error_status_without_a_body_is_an_error_page(client: Client, page: str) -> None:
    got = visit(client, page, "/nothing-here")

    assert told(got)[1:3] == [
        f"responseReceived Document {LOCAL}/nothing-here 404",
        "loadingFailed Document net::ERR_HTTP_RESPONSE_CODE_FAILURE",
    ]
    reply = next(message for message in got if "result" in message)
    assert reply["result"]["errorText"] == "net::ERR_HTTP_RESPONSE_CODE_FAILURE"


def test_what_a_document_loads_with_itself_is_told_too(client: Client, page: str) -> None:
    lines = told(visit(client, page, "/image"))

    assert lines[5:] == [
        f"requestWillBeSent Image {LOCAL}/i.png",
        f"responseReceived Image {LOCAL}/i.png 200",
        "dataReceived",
        "loadingFinished",
        f"requestWillBeSent Image {LOCAL}/missing.png",
        f"responseReceived Image {LOCAL}/missing.png 404",
        "network: Failed to load resource: the server responded with a status of 404 (Not Found)",
        "loadingFinished",
    ]


def test_an_iframe_that_arrives_leaves_the_bodies_of_its_page(client: Client, page: str) -> None:
    got = visit(client, page, "/framed")
    request = next(
        message["params"]["requestId"] for message in got if message.get("method") == "Network.responseReceived"
    )

    assert client.result("Network.getResponseBody", {"requestId": request}, page)["body"] == ""


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


@pytest.mark.parametrize(
    ("source", "expected", "lines"),
    [
        (
            "fetch('/data').then(r => r.json()).then(r => r.length)",
            1,
            [
                f"requestWillBeSent Fetch {LOCAL}/data",
                f"responseReceived Fetch {LOCAL}/data 200",
                "dataReceived",
                "loadingFinished",
            ],
        ),
        (
            "fetch('/empty').then(r => r.ok)",
            True,
            [
                f"requestWillBeSent Fetch {LOCAL}/empty",
                f"responseReceived Fetch {LOCAL}/empty 200",
                "loadingFinished",
            ],
        ),
        (
            "fetch('/nothing').then(r => r.status + r.statusText + r.url)",
            f"404Not Found{LOCAL}/nothing",
            [
                f"requestWillBeSent Fetch {LOCAL}/nothing",
                f"responseReceived Fetch {LOCAL}/nothing 404",
                "network: Failed to load resource: the server responded with a status of 404 (Not Found)",
                "loadingFinished",
            ],
        ),
        (
            "fetch('http://nobody.test/').catch(e => e.message)",
            "Failed to fetch",
            [
                "requestWillBeSent Fetch http://nobody.test/",
                "loadingFailed Fetch net::ERR_CONNECTION_REFUSED",
                "network: Failed to load resource: net::ERR_CONNECTION_REFUSED",
            ],
        ),
        (
            SEND.format("/data"),
            "[1]",
            [
                f"requestWillBeSent XHR {LOCAL}/data",
                f"responseReceived XHR {LOCAL}/data 200",
                "dataReceived",
                "loadingFinished",
            ],
        ),
    ],
)
def test_requests_of_scripts_are_told(
    client: Client, page: str, source: str, expected: object, lines: list[str]
) -> None:
    visit(client, page)

    got = evaluate(client, page, source)

    assert (value(got), told(got)) == (expected, lines)


def test_an_iframes_document_is_told_on_the_session_of_its_page(client: Client, page: str) -> None:
    assert f"requestWillBeSent Document {LOCAL}/data" in told(visit(client, page, "/framed"))


def test_an_iframe_that_is_removed_at_once_asks_for_nothing(client: Client, page: str) -> None:
    visit(client, page, "/framed")
    source = "document.getElementById('f').src = '/gone'; document.getElementById('f').remove()"

    assert told(evaluate(client, page, source)) == []


# -- what may not be asked or read -------------------------------------------------------------------------------------


def test_an_answer_for_others_is_not_read(client: Client, page: str) -> None:
    visit(client, page)

    got = evaluate(client, page, f"fetch('{REMOTE}/closed').catch(e => e.name)")

    assert value(got) == "TypeError"
    assert told(got) == [
        f"requestWillBeSent Fetch {REMOTE}/closed",
        f"javascript: Access to fetch at '{REMOTE}/closed' from origin '{LOCAL}' has been blocked by CORS policy: "
        "No 'Access-Control-Allow-Origin' header is present on the requested resource.",
        "loadingFailed Fetch net::ERR_FAILED",
        "network: Failed to load resource: net::ERR_FAILED",
    ]
    failed = next(message for message in got if message.get("method") == "Network.loadingFailed")
    assert failed["params"]["corsErrorStatus"] == {"corsError": "MissingAllowOriginHeader", "failedParameter": ""}


def test_an_answer_for_everybody_is_read_and_one_for_another_origin_is_not(client: Client, page: str) -> None:
    visit(client, page)

    assert value(evaluate(client, page, SEND.format(f"{REMOTE}/open"))) == "public"
    got = evaluate(client, page, SEND.format(f"{REMOTE}/theirs"))
    assert "has a value 'http://127.0.0.1' that is not equal to the supplied origin." in told(got)[1]
    assert str(value(got)).startswith("NetworkError: Failed to execute 'send' on 'XMLHttpRequest'")


def test_a_document_without_an_origin_asks_in_the_name_of_null(client: Client, page: str) -> None:
    client.enable(page, "Network")

    got = evaluate(client, page, f"fetch('{REMOTE}/open').then(r => r.text())")

    assert value(got) == "public"
    assert got[0]["params"]["request"]["headers"] == {"Origin": "null"}


@pytest.mark.parametrize(
    ("shown", "source", "complaints"),
    [
        (
            "/csp",
            SEND.format("/data"),
            [
                f"security: Connecting to '{LOCAL}/data' violates the following Content Security Policy directive: "
                "\"connect-src 'none'\". The action has been blocked."
            ],
        ),
        (
            "/csp",
            "fetch('/data')",
            [
                f"security: Connecting to '{LOCAL}/data' violates the following Content Security Policy directive: "
                "\"connect-src 'none'\". The action has been blocked.",
                f"javascript: Fetch API cannot load {LOCAL}/data. Refused to connect because it violates the "
                "document's Content Security Policy.",
            ],
        ),
        (
            "/no-sync",
            SEND.format("/data"),
            ["violation: Permissions policy violation: Synchronous requests are disabled by permissions policy."],
        ),
        (
            f"{SECURE}/",
            SEND.format("http://bridge.invalid/"),
            [
                f"security: Mixed Content: The page at '{SECURE}/' was loaded over HTTPS, but requested an insecure "
                "XMLHttpRequest endpoint 'http://bridge.invalid/'. This request has been blocked; the content must be "
                "served over HTTPS."
            ],
        ),
    ],
)
def test_a_request_that_a_policy_forbids_never_reaches_anybody(
    client: Client, page: str, shown: str, source: str, complaints: list[str]
) -> None:
    """Not even a client that intercepts every request."""
    visit(client, page, shown)
    client.enable(page, "Fetch")

    got = evaluate(client, page, source)

    assert told(got) == complaints
    assert "exceptionDetails" in got[-1]["result"]


def test_policies_let_through_what_they_name(client: Client, page: str) -> None:
    visit(client, page, "/self")

    assert value(evaluate(client, page, SEND.format("/data"))) == "[1]"
    assert value(evaluate(client, page, SEND.format("http://friend.test/"))) == "friend"
    assert told(evaluate(client, page, f"fetch('{REMOTE}/open')"))[0].startswith("security: Connecting to")


def test_a_page_of_https_may_ask_its_own_kind(client: Client, page: str) -> None:
    visit(client, page, f"{SECURE}/")

    assert value(evaluate(client, page, SEND.format("/data"))) == "safe"


def test_a_client_may_bypass_the_policy_of_documents_that_come_later(client: Client, page: str) -> None:
    visit(client, page, "/csp")
    client.result("Page.setBypassCSP", {"enabled": True}, page)
    assert told(evaluate(client, page, "fetch('/data')"))[0].startswith("security:")

    client.send("Page.reload", {}, page)
    assert value(evaluate(client, page, SEND.format("/data"))) == "[1]"


def test_complaints_are_repeated_to_those_who_enable_log_later(browser: MockBrowser, client: Client, page: str) -> None:
    visit(client, page, "/gone")
    evaluate(client, page, "console.log('not a complaint')")
    late = client.attach(browser.pages[0].id, "late")

    assert told(client.send("Log.enable", {}, late)) == [
        "network: Failed to load resource: the server responded with a status of 404 (Not Found)"
    ]
    assert told(client.send("Log.enable", {}, late)) == []
