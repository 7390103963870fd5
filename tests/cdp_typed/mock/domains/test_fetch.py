"""Fetch in the mock: the requests that pause, the effect of each answer, and the calls that wait meanwhile."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.interception import ASKING, SITE, coded, decide, evaluate, hold, paused
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"patterns": [], "handleAuthRequests": True}, "Can't specify empty patterns with handleAuth set"),
        ({"patterns": [{"requestStage": "Request"}], "handleAuthRequests": "yes"}, "Invalid parameters"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(client: Client, page: str, params: Params, message: str) -> None:
    assert client.error("Fetch.enable", params, page)["message"] == message


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("fulfillRequest", {"responseCode": 99}, "Invalid http status code or phrase"),
        ("fulfillRequest", {"responseCode": 200, "body": "!!"}, "Invalid parameters"),
        ("continueRequest", {"postData": "!!"}, "Invalid parameters"),
        ("getResponseBody", {}, "Can only get response body on HeadersReceived pattern matched requests."),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_and_the_request_stays_held(
    client: Client, shown: str, method: str, params: Params, message: str
) -> None:
    hold(client, shown)
    evaluate(client, shown, ASKING)

    assert decide(client, shown, method, **params) == [f"page refusal of Fetch.{method}: {message}"]
    assert decide(client, shown, "continueRequest")[-1] == "page reply to Runtime.evaluate = [1]"


def test_an_answer_of_the_wrong_kind_is_the_last_that_is_taken(client: Client, shown: str) -> None:
    """Measured: the request is neither answered nor let go, not even by disabling."""
    hold(client, shown)
    evaluate(client, shown, ASKING)
    answer = {"authChallengeResponse": {"response": "Default"}}

    refused = decide(client, shown, "continueWithAuth", **answer)
    assert refused == ["page refusal of Fetch.continueWithAuth: authChallengeResponse not expected."]
    for call in ("continueRequest", "continueResponse"):
        refused = decide(client, shown, call)
        assert refused == [f"page refusal of Fetch.{call}: Invalid state for continueInterceptedRequest"]
    assert client.lines("Fetch.disable", {}, shown) == ["page reply to Fetch.disable"]


def test_the_request_is_named_as_in_the_network_domain(client: Client, shown: str) -> None:
    client.enable(shown, "Network")
    hold(client, shown)

    sent, *_ = client.send("Runtime.evaluate", {"expression": ASKING}, shown)

    assert paused(client)["networkId"] == sent["params"]["requestId"]


def test_nothing_is_held_for_somebody_else(browser: MockBrowser, client: Client, shown: str) -> None:
    hold(client, shown)
    other = client.attach(browser.pages[0].id, "other")
    hold(client, other, patterns=[{"urlPattern": "*/nothing"}])
    evaluate(client, shown, ASKING)

    assert decide(client, other, "continueRequest") == [
        "other refusal of Fetch.continueRequest: Invalid InterceptionId."
    ]


def test_a_held_request_tells_what_chrome_tells(browser: MockBrowser, client: Client, shown: str) -> None:
    hold(client, shown)
    evaluate(client, shown, "fetch('/data', {method: 'POST', body: 'q=1', headers: {'X-A': 'b'}})")

    told = paused(client)

    assert told.pop("requestId").startswith("interception-job-")
    assert told == {
        "request": {
            "url": f"{LOCAL}/data",
            "method": "POST",
            "headers": {"X-A": "b", "Origin": LOCAL, "Referer": f"{LOCAL}/"},
            "postData": "q=1",
            "hasPostData": True,
            "postDataEntries": [{"bytes": "cT0x"}],
            "initialPriority": "High",
            "referrerPolicy": "strict-origin-when-cross-origin",
        },
        "frameId": browser.pages[0].id,
        "resourceType": "XHR",
    }


@pytest.mark.parametrize(
    ("pattern", "held"),
    [
        ({}, True),
        ({"urlPattern": "*/d?ta"}, True),
        ({"urlPattern": "*/d\\?ta"}, False),
        ({"urlPattern": "http://localhost/"}, False),
        ({"resourceType": "XHR"}, True),
        ({"resourceType": "Image"}, False),
    ],
)
def test_patterns_choose_what_is_held(client: Client, shown: str, pattern: Params, held: bool) -> None:
    hold(client, shown, patterns=[pattern])

    assert (evaluate(client, shown, ASKING) == ["page Fetch.requestPaused top"]) == held


def test_a_navigation_is_answered_in_the_place_of_the_site(client: Client, shown: str) -> None:
    """The client's body is the document: its title and its inline scripts."""
    hold(client, shown)
    assert client.lines("Page.navigate", {"url": f"{LOCAL}/"}, shown) == [
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page Fetch.requestPaused top",
    ]
    html = "<title>mine</title><script>window.made = 'up'</script>"
    headers = [{"name": "Content-Type", "value": "text/html"}]

    assert decide(client, shown, "fulfillRequest", responseCode=200, responseHeaders=headers, body=coded(html)) == [
        "page reply to Fetch.fulfillRequest",
        "page reply to Page.navigate",
        "page Runtime.executionContextsCleared",
        "page Runtime.executionContextsCleared",
        "page Page.frameNavigated top Navigation",
        "page Runtime.executionContextCreated",
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]
    assert evaluate(client, shown, "document.title + window.made") == ["page reply to Runtime.evaluate = mineup"]


def test_a_call_to_the_renderer_waits_for_the_document_and_one_to_the_browser_does_not(
    client: Client, shown: str
) -> None:
    hold(client, shown)
    client.send("Page.navigate", {"url": f"{LOCAL}/image"}, shown)

    assert evaluate(client, shown, "document.title") == []
    assert client.lines("Page.getNavigationHistory", {}, shown) == ["page reply to Page.getNavigationHistory"]
    assert "page reply to Runtime.evaluate = image" in decide(client, shown, "continueRequest")


# The texts were read from Chromium 156, reason by reason.
@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("Failed", "net::ERR_FAILED"),
        ("TimedOut", "net::ERR_TIMED_OUT"),
        ("NameNotResolved", "net::ERR_NAME_NOT_RESOLVED"),
        ("BlockedByClient", "net::ERR_BLOCKED_BY_CLIENT"),
    ],
)
def test_a_navigation_that_fails_shows_an_error_page(client: Client, shown: str, reason: str, text: str) -> None:
    hold(client, shown)
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, shown)

    lines = decide(client, shown, "failRequest", errorReason=reason)

    assert lines[:2] == ["page reply to Fetch.failRequest", f"page reply to Page.navigate {text}"]
    assert client.result("Page.getFrameTree", {}, shown)["frameTree"]["frame"]["unreachableUrl"] == f"{LOCAL}/"


def test_an_aborted_navigation_leaves_the_old_document(client: Client, shown: str) -> None:
    hold(client, shown)
    client.send("Page.navigate", {"url": f"{LOCAL}/image"}, shown)

    assert decide(client, shown, "failRequest", errorReason="Aborted") == [
        "page reply to Fetch.failRequest",
        "page reply to Page.navigate net::ERR_ABORTED",
        "page Page.frameStoppedLoading top",
    ]
    assert evaluate(client, shown, "document.title") == ["page reply to Runtime.evaluate = blank"]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Fetch.enable", {"patterns": [{"requestStage": "Later"}]}),
        ("Fetch.failRequest", {"requestId": "x", "errorReason": "Nope"}),
    ],
)
def test_a_word_that_the_schema_does_not_have_is_refused(
    client: Client, shown: str, method: str, params: Params
) -> None:
    hold(client, shown)

    assert client.error(method, params, shown)["code"] == -32602


def test_an_answer_cannot_be_changed_before_there_is_one(client: Client, shown: str) -> None:
    hold(client, shown)
    evaluate(client, shown, ASKING)

    assert decide(client, shown, "continueResponse", responseCode=500)[-1] == "page reply to Runtime.evaluate = [1]"


def test_stopping_or_navigating_elsewhere_aborts_a_held_navigation(client: Client, shown: str) -> None:
    hold(client, shown)
    client.send("Page.navigate", {"url": f"{LOCAL}/image"}, shown)

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/"}, shown) == [
        "page reply to Page.navigate net::ERR_ABORTED",
        "page Page.frameStoppedLoading top",
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page Fetch.requestPaused top",
    ]
    assert client.lines("Page.stopLoading", {}, shown) == [
        "page reply to Page.navigate net::ERR_ABORTED",
        "page Page.frameStoppedLoading top",
        "page reply to Page.stopLoading",
    ]


def test_an_image_holds_the_load_event_back_and_nothing_else(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"resourceType": "Image"}])

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/image"}, shown)[-3:] == [
        "page Runtime.executionContextCreated",
        "page Fetch.requestPaused top",
        "page Page.domContentEventFired",
    ]
    assert evaluate(client, shown, "document.title") == ["page reply to Runtime.evaluate = image"]
    assert decide(client, shown, "continueRequest") == [
        "page reply to Fetch.continueRequest",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]


def test_a_held_script_holds_the_document_and_runs_when_it_comes(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"urlPattern": "*/two.js"}])
    lines = client.lines("Page.navigate", {"url": f"{LOCAL}/scripts"}, shown)

    assert lines[-1] == "page Fetch.requestPaused top"
    assert evaluate(client, shown, "order") == ["page reply to Runtime.evaluate = one"]
    assert decide(client, shown, "continueRequest")[1:] == [
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]
    assert evaluate(client, shown, "order") == ["page reply to Runtime.evaluate = one two"]


def test_scripts_that_are_let_go_together_let_the_document_go_on_once(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"resourceType": "Script"}])
    client.send("Page.navigate", {"url": f"{LOCAL}/scripts"}, shown)

    assert client.lines("Fetch.disable", {}, shown) == [
        "page reply to Fetch.disable",
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]
    assert evaluate(client, shown, "order") == ["page reply to Runtime.evaluate = one two"]


def test_a_script_that_does_not_come_does_not_run(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"urlPattern": "*/two.js"}])
    client.send("Page.navigate", {"url": f"{LOCAL}/scripts"}, shown)

    assert decide(client, shown, "failRequest", errorReason="Failed")[1] == "page Page.domContentEventFired"
    assert evaluate(client, shown, "order") == ["page reply to Runtime.evaluate = one"]


def test_a_page_that_waits_for_its_debugger_is_let_go_while_its_script_is_held(
    browser: MockBrowser, client: Client
) -> None:
    """The reply to `runIfWaitingForDebugger` does not wait for what the document loads."""
    client.auto_attach(None)
    client.result("Target.createTarget", {"url": f"{LOCAL}/scripts"})
    session = client.attached("new")
    client.enable(session, "Fetch")

    lines = client.lines("Runtime.runIfWaitingForDebugger", {}, session)

    assert lines[-1] == "new reply to Runtime.runIfWaitingForDebugger"
    assert lines.count("new Fetch.requestPaused new") == 2


def test_both_stages_hold_and_the_answer_may_be_changed(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"requestStage": "Request"}, {"requestStage": "Response"}])
    evaluate(client, shown, "fetch('/data').then(r => r.status + r.statusText)")

    assert decide(client, shown, "continueRequest") == [
        "page reply to Fetch.continueRequest",
        "page Fetch.requestPaused top",
    ]
    told = paused(client)
    assert (told["responseStatusCode"], told["responseStatusText"]) == (200, "OK")
    assert told["responseHeaders"] == [{"name": "Content-Type", "value": "application/json"}]
    body = client.result("Fetch.getResponseBody", {"requestId": told["requestId"]}, shown)
    assert body == {"body": coded("[1]"), "base64Encoded": True}
    headers = [{"name": "X", "value": "y"}]
    assert decide(client, shown, "continueResponse", responseCode=201, responseHeaders=headers)[-1] == (
        "page reply to Runtime.evaluate = 201Created"
    )


def test_a_request_may_be_changed_before_it_is_sent(client: Client, shown: str) -> None:
    hold(client, shown)
    evaluate(client, shown, "fetch('/nothing').then(r => r.text())")
    changed: Params = {"method": "PUT", "postData": coded("xx"), "headers": [{"name": "A", "value": "b"}]}

    decide(client, shown, "continueRequest", url=f"{LOCAL}/data", interceptResponse=True, **changed)

    request = paused(client)["request"]
    assert (request["url"], request["method"], request["headers"], request["postData"]) == (
        f"{LOCAL}/data",
        "PUT",
        {"A": "b"},
        "xx",
    )
    assert decide(client, shown, "fulfillRequest", responseCode=404, body=coded("gone"))[-1] == (
        "page reply to Runtime.evaluate = gone"
    )


def test_a_failed_request_can_be_seen_at_the_response_stage(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"requestStage": "Response"}])
    evaluate(client, shown, "fetch('http://bridge.invalid/').catch(e => e.message)")

    assert paused(client)["responseErrorReason"] == "NameNotResolved"
    assert decide(client, shown, "continueResponse")[-1] == "page reply to Runtime.evaluate = Failed to fetch"


def test_two_sessions_decide_one_after_the_other(browser: MockBrowser, client: Client, shown: str) -> None:
    second = client.attach(browser.pages[0].id, "second")
    hold(client, shown)
    hold(client, second)

    assert evaluate(client, shown, ASKING) == ["page Fetch.requestPaused top"]
    assert decide(client, shown, "continueRequest") == [
        "page reply to Fetch.continueRequest",
        "second Fetch.requestPaused top",
    ]
    assert decide(client, second, "continueRequest")[-1] == "page reply to Runtime.evaluate = [1]"


def test_a_session_of_the_browser_holds_the_requests_of_every_page(client: Client, shown: str) -> None:
    client.result("Fetch.enable")

    assert evaluate(client, shown, ASKING) == ["- Fetch.requestPaused top"]
    held = paused(client)["requestId"]
    assert client.lines("Fetch.continueRequest", {"requestId": held})[-1] == "page reply to Runtime.evaluate = [1]"


def test_held_requests_go_on_when_nobody_holds_any_more(browser: MockBrowser, client: Client, shown: str) -> None:
    hold(client, shown)
    evaluate(client, shown, ASKING)
    assert client.lines("Fetch.disable", {}, shown) == [
        "page reply to Fetch.disable",
        "page reply to Runtime.evaluate = [1]",
    ]

    other = Client(browser)
    hold(other, other.attach(browser.pages[0].id))
    evaluate(client, shown, ASKING)
    browser.disconnect(other.connection)
    assert client.taken() == ["page reply to Runtime.evaluate = [1]"]


def test_a_document_that_is_gone_needs_no_answer(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"resourceType": "XHR"}])
    evaluate(client, shown, ASKING)
    held = paused(client)["requestId"]

    lines = client.lines("Page.navigate", {"url": f"{LOCAL}/"}, shown)

    assert "page refusal of Runtime.evaluate: Inspected target navigated or closed" in lines
    assert client.lines("Fetch.continueRequest", {"requestId": held}, shown) == [
        "page refusal of Fetch.continueRequest: Invalid InterceptionId."
    ]


def test_a_closed_page_takes_its_requests_with_it(browser: MockBrowser, client: Client, shown: str) -> None:
    client.result("Fetch.enable")
    evaluate(client, shown, ASKING)
    held = paused(client)["requestId"]
    browser.close_page(browser.pages[0].id)
    client.take()

    assert client.lines("Fetch.continueRequest", {"requestId": held}) == [
        "- refusal of Fetch.continueRequest: Invalid InterceptionId."
    ]
