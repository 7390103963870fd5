"""Redirects: one request with one id across all redirects."""

from __future__ import annotations

import pytest

from cdp_typed.mock import Frame, Link, MockBrowser, Page, Resource
from tests.cdp_typed.mock.interception import decide, hold, paused
from tests.cdp_typed.mock.network_lines import evaluate, told, value, visit
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client


def moved(to: str, status: int = 302, **headers: str) -> Page:
    return Page(status=status, headers={"Location": to, **headers})


SITE = {
    f"{LOCAL}/": Page(title="Here"),
    f"{LOCAL}/moved": moved("/"),
    f"{LOCAL}/circle": moved("/circle"),
    f"{LOCAL}/file": moved("file:///"),
    f"{LOCAL}/picture": Page(resources=[Resource("/moved-picture")]),
    f"{LOCAL}/moved-picture": moved("/i.png"),
    f"{LOCAL}/i.png": Page(body="png", headers={"Content-Type": "image/png"}),
    f"{LOCAL}/framed": Page(frames=[Frame(f"{REMOTE}/inner", "f")]),
    f"{LOCAL}/data": Page(body="data", headers={"Content-Type": "text/plain"}),
    f"{LOCAL}/download": Page(elements=[Link("get", "/moved-data", download="x.txt"), Link("lost", "/circle", "y")]),
    f"{LOCAL}/moved-data": moved("/data"),
    f"{LOCAL}/away": moved(f"{REMOTE}/open"),
    f"{REMOTE}/inner": Page(),
    f"{REMOTE}/closed": moved(f"{LOCAL}/data"),
    f"{REMOTE}/open": Page(body="open", headers={"Access-Control-Allow-Origin": "*"}),
    **{f"{LOCAL}/{status}": moved("/data", status) for status in (301, 302, 303, 307, 308)},
}


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


def test_a_navigation_keeps_its_id_and_tells_each_answer(client: Client, page: str) -> None:
    got = visit(client, page, "/moved#part")

    requests = [event["params"] for event in got if event.get("method") == "Network.requestWillBeSent"]
    assert told(got)[:3] == [
        f"requestWillBeSent Document {LOCAL}/moved",
        f"requestWillBeSent Document {LOCAL}/",
        f"responseReceived Document {LOCAL}/ 200",
    ]
    assert len({event["requestId"] for event in requests}) == 1
    assert [event["request"]["urlFragment"] for event in requests] == ["#part", "#part"]
    assert [event.get("redirectResponse", {}).get("status") for event in requests] == [None, 302]
    assert value(evaluate(client, page, "location.href")) == f"{LOCAL}/#part"


def test_the_history_knows_what_was_asked_for(client: Client, page: str) -> None:
    visit(client, page, "/")
    visit(client, page, "/moved")

    entries = client.result("Page.getNavigationHistory", {}, page)["entries"]
    assert [(entry["url"], entry["userTypedURL"]) for entry in entries[1:]] == [
        (f"{LOCAL}/", f"{LOCAL}/"),
        (f"{LOCAL}/", f"{LOCAL}/moved"),
    ]


@pytest.mark.parametrize(("path", "error"), [("/circle", "TOO_MANY_REDIRECTS"), ("/file", "UNSAFE_REDIRECT")])
def test_a_redirect_that_leads_nowhere_is_an_error(client: Client, page: str, path: str, error: str) -> None:
    got = visit(client, page, path)

    reply = next(message["result"] for message in got if "id" in message)
    hops = [line for line in told(got) if line.startswith("requestWillBeSent")]
    assert reply["errorText"] == f"net::ERR_{error}"
    assert len(hops) == (21 if path == "/circle" else 1)


@pytest.mark.parametrize(
    ("method", "status", "second"),
    [
        ("POST", 301, ("GET", None)),
        ("POST", 302, ("GET", None)),
        ("POST", 303, ("GET", None)),
        ("POST", 307, ("POST", "x")),
        ("POST", 308, ("POST", "x")),
        ("PUT", 302, ("PUT", "x")),
        ("PUT", 303, ("GET", None)),
        ("HEAD", 303, ("HEAD", None)),
    ],
)
def test_what_is_asked_for_the_second_time(
    client: Client, page: str, method: str, status: int, second: tuple[str, str | None]
) -> None:
    visit(client, page)
    body = "" if method == "HEAD" else ", body: 'x'"

    got = evaluate(client, page, f"fetch('/{status}', {{method: '{method}'{body}}}).then(r => r.redirected + r.url)")

    again = [event["params"]["request"] for event in got if event.get("method") == "Network.requestWillBeSent"][1]
    assert (again["method"], again.get("postData")) == second
    assert value(got) == f"true{LOCAL}/data"


def test_what_a_document_loads_with_itself_is_followed(client: Client, page: str) -> None:
    got = visit(client, page, "/picture")

    assert f"responseReceived Image {LOCAL}/i.png 200" in told(got)
    assert got[-1]["method"] == "Page.frameStoppedLoading"


def test_a_site_that_is_asked_by_redirect_hears_who_asks(client: Client, page: str) -> None:
    visit(client, page)

    got = evaluate(client, page, "fetch('/away').then(r => r.text())")

    requests = [event["params"]["request"] for event in got if event.get("method") == "Network.requestWillBeSent"]
    assert [event["headers"].get("Origin") for event in requests] == [None, LOCAL]
    assert value(got) == "open"


def test_whether_a_request_is_of_the_same_site_counts_every_document_around(
    client: Client, page: str, browser: MockBrowser
) -> None:
    visit(client, page, "/framed")
    inner = client.attached("frame")
    client.enable(inner, "Network", "Page")
    got = client.send("Runtime.runIfWaitingForDebugger", {}, inner)
    got += evaluate(client, inner, f"fetch('{REMOTE}/open').then(r => r.text())")

    same = [event["params"]["request"]["isSameSite"] for event in client.inbox if "requestWillBeSent" in str(event)]
    assert same == [True, False, False]


def test_a_download_by_a_link_is_followed_to_its_end(client: Client, page: str) -> None:
    visit(client, page, "/download")

    evaluate(client, page, "document.getElementById('get').click()")
    evaluate(client, page, "document.getElementById('lost').click()")

    begun = [event["params"]["url"] for event in client.inbox if event.get("method") == "Page.downloadWillBegin"]
    assert begun[0] == f"{LOCAL}/data"


def test_a_client_may_answer_in_the_place_of_a_redirect(client: Client, page: str) -> None:
    hold(client, page, patterns=[{"requestStage": "Response"}])
    client.send("Page.navigate", {"url": f"{LOCAL}/moved"}, page)

    decide(client, page, "fulfillRequest", responseCode=200, body="PHRpdGxlPk1pbmU8L3RpdGxlPg==")

    assert value(evaluate(client, page, "document.title + location.href")) == f"Mine{LOCAL}/moved"


def test_a_client_may_fail_it_and_then_it_leads_nowhere(client: Client, page: str) -> None:
    hold(client, page, patterns=[{"requestStage": "Response"}])
    client.send("Page.navigate", {"url": f"{LOCAL}/moved"}, page)

    got = decide(client, page, "failRequest", errorReason="Failed")

    assert "page Page.frameStoppedLoading top" in got
    assert paused(client)["request"]["url"] == f"{LOCAL}/moved"


def test_a_held_redirect_names_what_it_was_before(client: Client, page: str) -> None:
    visit(client, page)
    hold(client, page)
    evaluate(client, page, "fetch('/moved-data').then(r => r.text())")
    before = paused(client)["requestId"]

    decide(client, page, "continueRequest")

    assert paused(client)["redirectedRequestId"] == before
    assert paused(client)["requestId"] == before.removesuffix("0") + "1"


def test_a_redirect_that_the_script_may_not_read_is_not_followed(client: Client, page: str) -> None:
    visit(client, page)

    got = evaluate(client, page, f"fetch('{REMOTE}/closed').catch(error => error.message)")

    assert [line.partition(" ")[0] for line in told(got)] == [
        "requestWillBeSent",
        "javascript:",
        "loadingFailed",
        "network:",
    ]
    assert value(got) == "Failed to fetch"


def test_a_redirect_has_no_body_and_cannot_be_turned(client: Client, page: str) -> None:
    hold(client, page, patterns=[{"requestStage": "Response"}])
    client.send("Page.navigate", {"url": f"{LOCAL}/moved"}, page)

    (refused,) = decide(client, page, "getResponseBody")
    decide(client, page, "continueResponse", responseCode=200, responseHeaders=[])

    assert "Can only get response body on requests captured after headers received." in refused
    assert paused(client)["request"]["url"] == f"{LOCAL}/"
