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
