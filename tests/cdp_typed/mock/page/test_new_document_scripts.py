"""Scripts that clients request for new documents, as recorded on Chromium 156."""

from __future__ import annotations

from tests.cdp_typed.mock.raw_client import Client

ADD = "Page.addScriptToEvaluateOnNewDocument"


def test_a_script_runs_at_once_if_it_is_asked_to(client: Client, page: str) -> None:
    client.result(ADD, {"source": "window.now = 1", "runImmediately": True}, page)

    assert client.result("Runtime.evaluate", {"expression": "now"}, page)["result"]["value"] == 1
