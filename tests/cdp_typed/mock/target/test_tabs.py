"""Tab targets: visible only with a filter for them, and their pages attach through them; recorded on Chromium 156."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cdp_typed.mock.raw_client import LOCAL, Client

EVERY_TYPE: list[dict[str, Any]] = [{}]
NO_PAGES = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [{"type": "page", "exclude": True}, {}],
}


@pytest.fixture
def tab(client: Client) -> str:
    """Return a session of the tab that is open from the start."""
    client.send("Target.setAutoAttach", NO_PAGES)
    return client.attached("tab")


def test_a_new_page_comes_with_a_tab_that_waits(client: Client, tab: str) -> None:
    client.send("Target.setDiscoverTargets", {"discover": True, "filter": EVERY_TYPE})

    lines = client.lines("Target.createTarget", {"url": f"{LOCAL}/"})

    new = client.attached("new tab")
    assert lines == [
        "- Target.targetCreated new frame",
        "- Target.targetInfoChanged new frame",
        "- Target.attachedToTarget new frame True",
        "- Target.targetCreated new frame",
        "- reply to Target.createTarget",
        "- Target.targetInfoChanged new frame",
    ]
    assert client.result("Runtime.runIfWaitingForDebugger", {}, new) == {}
    assert client.result("Target.getTargetInfo", {}, new)["targetInfo"]["url"] == f"{LOCAL}/"
