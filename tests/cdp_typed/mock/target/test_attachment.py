"""Targets and sessions: attaching, waiting, discovering, detaching."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed.mock import MockBrowser, WireFrame
from cdp_typed.mock.state.messages import Hangup
from tests.cdp_typed.mock.raw_client import LOCAL, Client

EVERYTHING = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
PAGES_ONLY: list[dict[str, Any]] = [{"type": "browser", "exclude": True}, {"type": "tab", "exclude": True}, {}]


@pytest.mark.parametrize(
    ("method", "params", "error"),
    [
        ("Target.attachToTarget", {"targetId": "nope", "flatten": True}, (-32602, "No target with given id found")),
        ("Target.closeTarget", {"targetId": "nope"}, (-32602, "No target with given id found")),
        ("Target.getTargetInfo", {"targetId": "nope"}, (-32602, "No target with given id found")),
        ("Target.detachFromTarget", {"sessionId": "nope"}, (-32602, "No session with given id")),
        ("Target.detachFromTarget", {}, (-32602, "Session id must be specified")),
        (
            "Target.setDiscoverTargets",
            {"discover": False, "filter": PAGES_ONLY[:1]},
            (-32602, "Filter should not be present with `discover` is off"),
        ),
        (
            "Target.setAutoAttach",
            {**EVERYTHING, "autoAttach": False, "filter": PAGES_ONLY[:1]},
            (-32602, "Target filter should be empty when disabling auto-attach"),
        ),
        (
            "Target.setAutoAttach",
            {"autoAttach": True, "waitForDebuggerOnStart": True},
            (-32602, "Only flatten protocol is supported with browser level auto-attach"),
        ),
        (
            "Target.setAutoAttach",
            {**EVERYTHING, "filter": [{"type": "tab"}, {"type": "page"}]},
            (
                -32602,
                'Filter should not simultaneously allow "tab" and "page", page targets are attached via tab targets',
            ),
        ),
    ],
)
def test_what_is_not_there_is_refused(
    client: Client, method: str, params: dict[str, Any], error: tuple[int, str]
) -> None:
    refused = client.error(method, params)

    assert (refused["code"], refused["message"]) == error


def test_the_session_of_another_connection_is_unknown(browser: MockBrowser, client: Client, page: str) -> None:
    assert Client(browser).error("Page.enable", {}, page)["code"] == -32001


def test_a_client_that_leaves_lets_go_of_what_it_held(browser: MockBrowser, client: Client) -> None:
    other = Client(browser)
    other.auto_attach(None)
    client.auto_attach(None, wait=False)
    client.send("Target.createTarget", {"url": f"{LOCAL}/"})
    own_session = client.attached("mine")
    client.enable(own_session, "Page")

    browser.disconnect(other.connection)

    assert client.taken()[-1] == "mine Page.frameStoppedLoading mine"


def test_sessions_that_are_not_flat_are_refused_as_the_mocks_own_limit(browser: MockBrowser, client: Client) -> None:
    error = client.error("Target.attachToTarget", {"targetId": browser.pages[0].id})

    assert error["message"] == "cdp_typed.mock models flat sessions only: pass flatten=true"


def test_a_client_may_have_a_session_of_the_browser(client: Client) -> None:
    announced, reply = client.send("Target.attachToBrowserTarget")

    session = reply["result"]["sessionId"]
    assert (announced["params"]["sessionId"], announced["params"]["targetInfo"]["type"]) == (session, "browser")
    assert [info["type"] for info in client.result("Target.getTargets", {}, session)["targetInfos"]] == ["page"]
    assert client.result("Target.detachFromTarget", {"sessionId": session}) == {}


def test_what_is_in_flight_on_a_detached_session_is_never_answered(
    browser: MockBrowser, client: Client, page: str
) -> None:
    client.post("Runtime.evaluate", {"expression": "alert(1)"}, page)
    client.take()

    browser.detach(page)

    assert client.taken() == ["- Target.detachedFromTarget"]


def test_a_client_may_dial_a_page_directly(browser: MockBrowser) -> None:
    connection = browser.connect(browser.pages[0].id)

    browser.receive(connection, '{"id": 1, "method": "Runtime.evaluate", "params": {"expression": "1"}}')

    assert '"value":1' in str(browser.sent[-1])


def test_the_browser_says_what_it_is(client: Client) -> None:
    assert client.result("Browser.getVersion")["product"].startswith("MockChrome/")
    assert client.result("Target.getTargetInfo")["targetInfo"]["type"] == "browser"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", {"error": {"code": -32700, "message": "JSON: no input at position 0"}}),
        ("[1]", {"error": {"code": -32600, "message": "Message must be an object"}}),
        ('"x"', {"error": {"code": -32600, "message": "Message must be an object"}}),
        ('{"method":"Page.enable"}', {"error": {"code": -32600, "message": "Message must have integer 'id' property"}}),
        (
            '{"id":3000000000,"method":"Target.getTargets"}',
            {"error": {"code": -32600, "message": "Message must have integer 'id' property"}},
        ),
        (
            '{"id":1.5,"method":"Target.getTargets"}',
            {"error": {"code": -32600, "message": "Message must have integer 'id' property"}},
        ),
        ('{"id":1}', {"id": 1, "error": {"code": -32600, "message": "Message must have string 'method' property"}}),
        (
            '{"id":7,"method":"Browser.getVersion","foo":1}',
            {
                "id": 7,
                "error": {
                    "code": -32600,
                    "message": "Message has property other than 'id', 'method', 'sessionId', 'params'",
                },
            },
        ),
        (
            '{"id":7,"method":"Browser.getVersion","sessionId":5}',
            {"id": 7, "error": {"code": -32600, "message": "Message may have string 'sessionId' property"}},
        ),
    ],
)
def test_what_is_no_call_gets_chromes_words(client: Client, text: str, answer: dict[str, Any]) -> None:
    client.text(text)

    assert client.take() == [answer]


@pytest.mark.parametrize("text", ["{", '{"id":', "[" * 100_000, '{"id":1,"method":"x"}}', '{"id":' + "9" * 5_000 + "}"])
def test_what_is_no_json_is_refused_without_an_id(client: Client, text: str) -> None:
    client.text(text)

    (answer,) = client.take()
    assert ("id" in answer, answer["error"]["code"]) == (False, -32700)


@pytest.mark.parametrize("number", [-1, 7.0])
def test_odd_ids_are_accepted_as_by_chrome(client: Client, number: float) -> None:
    client.text(f'{{"id":{number},"method":"Browser.getVersion","params":[]}}')

    assert client.take()[0]["id"] == number


def test_a_session_made_through_another_goes_with_it(browser: MockBrowser, client: Client) -> None:
    """Both are of the closed page; only the end of the outer one is emitted, to the browser's session."""
    top = browser.pages[0].id
    outer = client.attach(top, "outer")
    inner = client.result("Target.attachToTarget", {"targetId": top, "flatten": True}, outer)["sessionId"]
    client.take()

    browser.close_page(top)

    detached = [message["params"]["sessionId"] for message in client.take() if "Target.detached" in message["method"]]
    assert detached == [outer]
    assert inner not in browser.state.sessions


def test_the_connection_of_a_page_alone_ends_with_the_page(browser: MockBrowser) -> None:
    top = browser.pages[0].id
    browser.connect(top)

    browser.close_page(top)

    *said, end = browser.sent
    reasons = [json.loads(item.data)["params"]["reason"] for item in said if isinstance(item, WireFrame)]
    assert reasons == ["Render process gone.", "target_closed"]
    assert end == Hangup(1)
    assert dict(browser.state.sessions) == {}
