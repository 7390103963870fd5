"""Scripts, worlds and lifecycle events that clients request for new documents, as recorded on Chromium 156."""

from __future__ import annotations

import pytest

from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

ADD = "Page.addScriptToEvaluateOnNewDocument"
REMOVE = "Page.removeScriptToEvaluateOnNewDocument"


def told(messages: list[Params]) -> list[str]:
    """Return events by name, and lifecycle events by their names."""
    events = [message for message in messages if "method" in message]
    return [event["params"].get("name") or event["method"].partition(".")[2] for event in events]


def test_lifecycle_events_come_in_chromes_order(client: Client, page: str) -> None:
    assert told(client.send("Page.setLifecycleEventsEnabled", {"enabled": True}, page)) == [
        "commit",
        "DOMContentLoaded",
        "load",
        "networkAlmostIdle",
        "networkIdle",
    ]
    assert told(client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)) == [
        "frameStartedNavigating",
        "frameStartedLoading",
        "executionContextsCleared",
        "init",
        "executionContextsCleared",
        "frameNavigated",
        "executionContextCreated",
        "domContentEventFired",
        "DOMContentLoaded",
        "loadEventFired",
        "load",
        "frameStoppedLoading",
        "networkAlmostIdle",
        "networkIdle",
    ]


def test_lifecycle_events_can_be_switched_off(client: Client, page: str) -> None:
    client.send("Page.setLifecycleEventsEnabled", {"enabled": True}, page)

    assert told(client.send("Page.setLifecycleEventsEnabled", {"enabled": False}, page)) == []
    assert "init" not in told(client.send("Page.navigate", {"url": f"{LOCAL}/"}, page))


def test_a_document_that_still_loads_has_committed_only(client: Client, page: str) -> None:
    client.send("Page.navigate", {"url": f"{LOCAL}/alerts"}, page)
    other = client.attach(client.result("Target.getTargets")["targetInfos"][0]["targetId"])

    assert told(client.send("Page.setLifecycleEventsEnabled", {"enabled": True}, other)) == []
    client.send("Page.handleJavaScriptDialog", {"accept": True}, page)
    client.send("Page.navigate", {"url": f"{LOCAL}/alerts-late"}, page)

    assert told(client.send("Page.handleJavaScriptDialog", {"accept": True}, page))[-1] == "frameStoppedLoading"


def test_scripts_run_before_the_page_in_their_worlds(client: Client, page: str) -> None:
    assert client.result(ADD, {"source": "console.log('new')", "worldName": "util"}, page) == {"identifier": "1"}
    assert client.result(ADD, {"source": "window.early = 1"}, page) == {"identifier": "2"}

    got = client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)

    worlds = [item["params"]["context"] for item in got if item.get("method") == "Runtime.executionContextCreated"]
    (log,) = [item["params"] for item in got if item.get("method") == "Runtime.consoleAPICalled"]
    assert [(world["name"], world["auxData"]["isDefault"]) for world in worlds] == [("", True), ("util", False)]
    assert log["executionContextId"] == worlds[1]["id"]
    assert client.result("Runtime.evaluate", {"expression": "early"}, page)["result"]["value"] == 1


def test_a_script_runs_at_once_if_it_is_asked_to(client: Client, page: str) -> None:
    client.result(ADD, {"source": "window.now = 1", "runImmediately": True}, page)

    assert client.result("Runtime.evaluate", {"expression": "now"}, page)["result"]["value"] == 1


def test_a_removed_script_does_not_run(client: Client, page: str) -> None:
    client.result(ADD, {"source": "window.early = 1"}, page)
    client.result(REMOVE, {"identifier": "1"}, page)
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)

    assert client.result("Runtime.evaluate", {"expression": "typeof early"}, page)["result"]["value"] == "undefined"


@pytest.mark.parametrize("identifier", ["1", "99", ""])
def test_a_script_that_is_not_there_is_refused(client: Client, page: str, identifier: str) -> None:
    assert client.error(REMOVE, {"identifier": identifier}, page)["message"] == "Script not found"
