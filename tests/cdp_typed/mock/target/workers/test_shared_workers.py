"""Shared and service workers: the sessions that attach to them, and their lifetime."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client
from tests.cdp_typed.mock.target.workers.worker_site import EVALUATE, MAKES, PAGES_ONLY, count_of, let_go, run


def browser_level(client: Client) -> None:
    params = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": PAGES_ONLY}
    client.send("Target.setAutoAttach", params)


def test_a_shared_worker_lives_as_long_as_one_of_its_documents(client: Client, page: str, browser: MockBrowser) -> None:
    run(client, page, MAKES["shared_worker"])
    second = client.attach(browser.open_page(f"{LOCAL}/"), "second")
    run(client, second, MAKES["shared_worker"])
    assert count_of(browser, "shared_worker") == 1

    client.send("Page.reload", {}, page)
    assert count_of(browser, "shared_worker") == 1
    client.send("Page.reload", {}, second)
    assert count_of(browser, "shared_worker") == 0


@pytest.fixture
def service(client: Client, page: str) -> tuple[str, str]:
    """Return the sessions of a service worker that waits: on the page, and on the browser."""
    browser_level(client)
    got = client.send(EVALUATE, {"expression": MAKES["service_worker"]}, page)
    announced: list[dict[str, Any]] = [item for item in got if item.get("method") == "Target.attachedToTarget"]
    assert [(item.get("sessionId"), item["params"]["waitingForDebugger"]) for item in announced] == [
        (page, True),
        (None, True),
    ]
    info = announced[0]["params"]["targetInfo"]
    assert (info["title"], info["url"], "parentId" in info) == (f"Service Worker {LOCAL}/w.js", f"{LOCAL}/w.js", False)
    first, second = (str(item["params"]["sessionId"]) for item in announced)
    client.names |= {first: "first", second: "second"}
    return first, second


def test_a_service_worker_answers_nothing_before_all_let_it_go(client: Client, service: tuple[str, str]) -> None:
    first, second = service
    assert client.send("Runtime.enable", {}, first) == []
    assert client.lines("Target.getTargetInfo", {}, first) == ["first reply to Target.getTargetInfo"]
    assert let_go(client, first) == ["first reply to Runtime.runIfWaitingForDebugger"]

    assert let_go(client, second) == [
        "second reply to Runtime.runIfWaitingForDebugger",
        "first Runtime.executionContextCreated",
        "first reply to Runtime.enable",
        "first Runtime.consoleAPICalled log",
        "first Inspector.workerScriptLoaded",
        "second Inspector.workerScriptLoaded",
    ]


def test_a_service_worker_is_registered_once(client: Client, page: str, service: tuple[str, str]) -> None:
    assert run(client, page, MAKES["service_worker"]) == ["page reply to Runtime.evaluate = 1"]


def test_a_page_attaches_to_the_service_workers_of_its_origin(
    client: Client, page: str, service: tuple[str, str]
) -> None:
    """It detaches from those of the previous origin, however it navigates."""
    for session in service:
        let_go(client, session)

    away = client.lines("Page.navigate", {"url": f"{REMOTE}/child"}, page)
    back = run(client, page, "history.back()")

    assert "page Target.detachedFromTarget" in away
    assert [line for line in back if "attached" in line or "Loaded" in line] == [
        "page Target.attachedToTarget new frame False",
        "? Inspector.workerScriptLoaded",
    ]


def test_a_browser_context_takes_its_service_workers(client: Client, browser: MockBrowser) -> None:
    context = client.result("Target.createBrowserContext")["browserContextId"]
    target = client.result("Target.createTarget", {"url": f"{LOCAL}/", "browserContextId": context})["targetId"]
    run(client, client.attach(target, "guest"), MAKES["service_worker"])

    client.result("Target.disposeBrowserContext", {"browserContextId": context})

    assert [item.type for item in browser.state.targets.values() if item.context == context] == []
