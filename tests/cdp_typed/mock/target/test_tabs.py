"""Tab targets: visible only with a filter for them, and their pages attach through them; recorded on Chromium 156."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client

EVERY_TYPE: list[dict[str, Any]] = [{}]
NO_PAGES = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [{"type": "page", "exclude": True}, {}],
}
ALL = {**NO_PAGES, "filter": EVERY_TYPE}


@pytest.fixture
def tab(client: Client) -> str:
    """Return a session of the tab that is open from the start."""
    client.send("Target.setAutoAttach", NO_PAGES)
    return client.attached("tab")


def test_tabs_are_listed_for_who_asks(client: Client) -> None:
    plain = client.result("Target.getTargets")["targetInfos"]
    every = client.result("Target.getTargets", {"filter": EVERY_TYPE})["targetInfos"]

    assert [info["type"] for info in plain] == ["page"]
    assert sorted((info["type"], info["url"]) for info in every) == [("page", "about:blank"), ("tab", "about:blank")]


def test_a_page_is_created_as_a_tab_for_who_asks(client: Client) -> None:
    created = client.result("Target.createTarget", {"url": f"{LOCAL}/", "forTab": True})

    assert client.result("Target.getTargetInfo", created)["targetInfo"]["type"] == "tab"


def test_a_page_attaches_through_its_tab(client: Client, tab: str, browser: MockBrowser) -> None:
    got = client.send("Target.setAutoAttach", ALL, tab)

    assert [message.get("method") for message in got] == ["Target.attachedToTarget", None]
    assert (got[0]["sessionId"], got[0]["params"]["targetInfo"]["targetId"]) == (tab, browser.pages[0].id)


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


@pytest.mark.parametrize("method", ["Page.enable", "Runtime.enable", "Input.cancelDragging"])
def test_a_tab_has_no_document(client: Client, tab: str, method: str) -> None:
    assert client.error(method, {}, tab)["message"] == f"'{method}' wasn't found"


def test_a_tab_goes_with_its_page(client: Client, tab: str, browser: MockBrowser) -> None:
    client.send("Target.setAutoAttach", ALL, tab)
    client.attached("page")

    assert client.lines("Target.closeTarget", {"targetId": browser.pages[0].id}) == [
        "- reply to Target.closeTarget",
        "page Inspector.detached Render process gone.",
        "tab Target.detachedFromTarget",
        "- Target.detachedFromTarget",
    ]
    assert dict(browser.state.targets) == {}


def test_a_client_that_leaves_frees_a_waiting_tab(client: Client, tab: str, browser: MockBrowser) -> None:
    client.send("Target.createTarget", {"url": f"{LOCAL}/"})
    client.send("Target.detachFromTarget", {"sessionId": client.attached("new tab")})
    browser.disconnect(client.connection)

    assert not any(target.waiting for target in browser.state.targets.values())
