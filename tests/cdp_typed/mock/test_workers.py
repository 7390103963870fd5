"""Workers: where they attach, what they take, and when they end, as Chromium 156 was seen to do it."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import Frame, MockBrowser, Page
from tests.cdp_typed.mock.wire import LOCAL, REMOTE, Client

EVALUATE = "Runtime.evaluate"
PAGES_ONLY = [{"type": "browser", "exclude": True}, {"type": "tab", "exclude": True}, {}]
MAKES = {
    "worker": "window.k = new Worker('/w.js'); 1",
    "shared_worker": "window.k = new SharedWorker('/w.js'); 1",
    "service_worker": "navigator.serviceWorker.register('/w.js'); 1",
}
SITE = {
    f"{LOCAL}/": Page(title="top"),
    f"{LOCAL}/other": Page(title="other"),
    f"{LOCAL}/w.js": Page(script="console.log('hi')"),
    f"{LOCAL}/cross": Page(frames=[Frame(f"{REMOTE}/child", "f")]),
    f"{REMOTE}/child": Page(title="child"),
    f"{REMOTE}/w.js": Page(),
}


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


@pytest.fixture
def page(browser: MockBrowser, client: Client) -> str:
    """A session of the only tab, which shows `/`; its workers attach on sight, and wait."""
    session = client.attach(browser.pages[0].id)
    client.enable(session, "Page")
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)
    client.auto_attach(session)
    return session


def run(client: Client, session: str, expression: str) -> list[str]:
    return client.lines(EVALUATE, {"expression": expression, "returnByValue": True}, session)


def let_go(client: Client, session: str) -> list[str]:
    return client.lines("Runtime.runIfWaitingForDebugger", {}, session)


@pytest.fixture
def worker(client: Client, page: str) -> str:
    """The session of a worker of the page, let go."""
    run(client, page, MAKES["worker"])
    session = client.attached("worker")
    let_go(client, session)
    return session


def test_a_worker_is_announced_after_the_call_that_made_it(client: Client, page: str, browser: MockBrowser) -> None:
    """To discoverers at once, though without its address."""
    client.send("Target.setDiscoverTargets", {"discover": True})

    got = client.send(EVALUATE, {"expression": MAKES["worker"]}, page)

    assert [message.get("method", "reply") for message in got] == [
        "Target.targetCreated",
        "reply",
        "Target.targetInfoChanged",
        "Target.attachedToTarget",
    ]
    top = browser.pages[0].id
    infos = [got[index]["params"]["targetInfo"] for index in (0, 2, 3)]
    assert [(info["url"], info["attached"]) for info in infos] == [
        ("", False),
        (f"{LOCAL}/w.js", True),
        (f"{LOCAL}/w.js", True),
    ]
    assert (infos[2]["type"], infos[2]["title"], infos[2]["parentId"], infos[2]["parentFrameId"]) == (
        "worker",
        f"{LOCAL}/w.js",
        top,
        top,
    )
    assert (got[3]["sessionId"], got[3]["params"]["waitingForDebugger"]) == (page, True)


def test_a_waiting_worker_answers_and_has_run_nothing(client: Client, page: str) -> None:
    """Its context says nothing of frames."""
    run(client, page, MAKES["worker"])
    session = client.attached("worker")

    created, reply = client.send("Runtime.enable", {}, session)

    context = created["params"]["context"]
    assert {key: context[key] for key in context if key != "uniqueId"} == {
        "id": 1,
        "origin": f"{LOCAL}/w.js",
        "name": "",
    }
    assert reply["result"] == {}
    assert run(client, session, "location.href") == [f"worker reply to Runtime.evaluate = {LOCAL}/w.js"]


def test_a_worker_that_is_let_go_runs_its_script(client: Client, page: str) -> None:
    run(client, page, MAKES["worker"])
    session = client.attached("worker")
    client.enable(session, "Runtime")

    assert let_go(client, session) == [
        "worker reply to Runtime.runIfWaitingForDebugger",
        "worker Runtime.consoleAPICalled log",
        "worker Inspector.workerScriptLoaded",
    ]


def test_a_worker_without_a_script_ends_when_it_is_let_go(client: Client, page: str) -> None:
    run(client, page, "window.k = new Worker('/nope.js'); 1")

    assert let_go(client, client.attached("worker")) == [
        "worker reply to Runtime.runIfWaitingForDebugger",
        "page Target.detachedFromTarget",
    ]


def test_a_worker_of_another_origin_is_refused(client: Client, page: str) -> None:
    (reply,) = client.send(EVALUATE, {"expression": f"new Worker('{REMOTE}/w.js')"}, page)

    assert reply["result"]["result"]["className"] == "DOMException"
    assert reply["result"]["exceptionDetails"]["exception"]["description"].startswith(
        f"SecurityError: Failed to construct 'Worker': Script at '{REMOTE}/w.js' cannot be accessed from origin"
    )


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("Page.enable", "'Page.enable' wasn't found"),
        ("Page.navigate", "'Page.navigate' wasn't found"),
        ("DOM.enable", "'DOM.enable' wasn't found"),
        ("Fetch.enable", "'Fetch.enable' wasn't found"),
        ("Inspector.enable", "'Inspector.enable' wasn't found"),
        ("Storage.runBounceTrackingMitigations", "'Storage.runBounceTrackingMitigations' wasn't found"),
        ("Emulation.clearGeolocationOverride", "'Emulation.clearGeolocationOverride' wasn't found"),
        ("Emulation.clearDeviceMetricsOverride", "Operation is only supported for pages, not workers"),
        ("Target.getTargets", "Not allowed"),
        ("Target.getBrowserContexts", "Not allowed"),
    ],
)
def test_a_worker_refuses_what_is_for_pages(client: Client, worker: str, method: str, message: str) -> None:
    assert client.error(method, {}, worker)["message"] == message


@pytest.mark.parametrize("method", ["Network.enable", "Debugger.enable", "Log.enable", "Schema.getDomains"])
def test_a_worker_takes_what_is_for_scripts(client: Client, worker: str, method: str) -> None:
    assert client.lines(method, {}, worker)[-1] == f"worker reply to {method}"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("alert(1)", "ReferenceError: alert is not defined\n    at <anonymous>:1:1"),
        ("document.title", "ReferenceError: document is not defined\n    at <anonymous>:1:1"),
        ("typeof window", "undefined"),
        ("self.x = 2; x", "2"),
    ],
)
def test_a_worker_has_no_window(client: Client, worker: str, expression: str, value: str) -> None:
    assert run(client, worker, expression) == [f"worker reply to Runtime.evaluate = {value}"]


@pytest.mark.parametrize("expression", ["location.href = '/'", "history.back()", "location.reload()", "k.nothing()"])
def test_a_worker_goes_nowhere(client: Client, worker: str, expression: str) -> None:
    (line,) = run(client, worker, expression)

    assert "= MockError" in line or "ReferenceError" in line


def test_a_worker_answers_while_its_page_asks(client: Client, page: str, worker: str) -> None:
    client.send(EVALUATE, {"expression": "alert(1)"}, page)

    assert run(client, worker, "1") == ["worker reply to Runtime.evaluate = 1"]


def test_a_worker_cannot_be_closed_as_a_page_can(client: Client, worker: str) -> None:
    target = client.result("Target.getTargetInfo", {}, worker)["targetInfo"]["targetId"]

    assert client.error("Target.closeTarget", {"targetId": target}) == {
        "code": -32602,
        "message": "Specified target doesn't support closing",
    }


def test_a_terminated_worker_takes_those_it_made(client: Client, page: str, worker: str) -> None:
    """Those first; and the made one attaches on the session of its maker."""
    client.auto_attach(worker)
    assert run(client, worker, "self.n = new Worker('/w.js'); 1")[-1] == "worker Target.attachedToTarget new frame True"
    client.attached("nested")
    client.send("Target.setDiscoverTargets", {"discover": True})

    assert run(client, page, "k.terminate(); 1") == [
        "page reply to Runtime.evaluate = 1",
        "- Target.targetInfoChanged nested",
        "worker Target.detachedFromTarget",
        "- Target.targetDestroyed",
        "- Target.targetInfoChanged worker",
        "page Target.detachedFromTarget",
        "- Target.targetDestroyed",
    ]
    assert run(client, page, "k.terminate(); 2") == ["page reply to Runtime.evaluate = 2"]


@pytest.mark.parametrize("what", ["reload", "crash", "close"])
def test_a_worker_ends_with_its_document(
    client: Client, page: str, worker: str, browser: MockBrowser, what: str
) -> None:
    top = browser.pages[0].id
    match what:
        case "reload":
            client.send("Page.reload", {}, page)
        case "crash":
            browser.crash(top)
        case _:
            browser.close_page(top)

    assert client.error("Runtime.enable", {}, worker)["code"] == -32001
    assert not any(target.type == "worker" for target in browser.state.targets.values())


def test_a_worker_comes_back_with_its_page(client: Client, page: str, worker: str) -> None:
    client.send("Page.navigate", {"url": f"{LOCAL}/other"}, page)
    assert client.error("Runtime.enable", {}, worker)["code"] == -32001

    lines = run(client, page, "history.back()")

    assert "page Target.attachedToTarget worker False" in lines
    assert run(client, client.attached("again"), "1") == ["again reply to Runtime.evaluate = 1"]


def test_a_worker_that_runs_attaches_late_without_waiting(client: Client, browser: MockBrowser) -> None:
    session = client.attach(browser.pages[0].id)
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)
    client.send("Target.setDiscoverTargets", {"discover": True})
    assert run(client, session, MAKES["worker"]) == [
        "- Target.targetCreated new frame",
        "page reply to Runtime.evaluate = 1",
        "- Target.targetInfoChanged new frame",
    ]

    got = [client.line(message) for message in client.auto_attach(session)]

    assert got == [
        "- Target.targetInfoChanged new frame",
        "page Target.attachedToTarget new frame False",
        "page reply to Target.setAutoAttach",
        "? Inspector.workerScriptLoaded",
    ]


def test_a_client_may_attach_a_worker_itself(client: Client, worker: str) -> None:
    target = client.result("Target.getTargetInfo", {}, worker)["targetInfo"]["targetId"]

    session = client.attach(target, "mine")

    assert client.taken() == []
    assert client.inbox[-1] == {"method": "Inspector.workerScriptLoaded", "params": {}, "sessionId": session}


def test_a_worker_of_an_oopif_attaches_there(client: Client, page: str) -> None:
    """And ends with it."""
    client.send("Page.navigate", {"url": f"{LOCAL}/cross"}, page)
    frame = client.attached("frame")
    client.auto_attach(frame)
    client.send("Runtime.runIfWaitingForDebugger", {}, frame)

    assert run(client, frame, "self.k = new Worker('/w.js'); 1")[-1] == "frame Target.attachedToTarget new frame True"
    client.attached("worker")

    assert run(client, page, "document.getElementById('f').remove(); 1") == [
        "page Page.frameSubtreeWillBeDetached frame",
        "frame Target.detachedFromTarget",
        "page Page.frameDetached frame remove",
        "page Target.detachedFromTarget",
        "page reply to Runtime.evaluate = 1",
    ]


def count_of(browser: MockBrowser, kind: str) -> int:
    return sum(target.type == kind for target in browser.state.targets.values())


def browser_level(client: Client) -> None:
    params = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": PAGES_ONLY}
    client.send("Target.setAutoAttach", params)


def test_a_shared_worker_attaches_to_the_browser_only(client: Client, page: str) -> None:
    """Before the call that made it is answered; it has an address at once, and no parent."""
    browser_level(client)

    got = client.send(EVALUATE, {"expression": MAKES["shared_worker"]}, page)

    assert [client.line(message) for message in got] == [
        "- Target.attachedToTarget new frame True",
        "page reply to Runtime.evaluate = 1",
    ]
    info = got[0]["params"]["targetInfo"]
    assert (info["type"], info["title"], info["url"], "parentId" in info) == (
        "shared_worker",
        "",
        f"{LOCAL}/w.js",
        False,
    )
    session = client.attached("shared")
    assert client.result("Inspector.enable", {}, session) == {}
    assert let_go(client, session)[-1] == "shared Inspector.workerScriptLoaded"


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
    """The sessions of a service worker that waits: on the page, and on the browser."""
    browser_level(client)
    got = client.send(EVALUATE, {"expression": MAKES["service_worker"]}, page)
    announced: list[dict[str, Any]] = [item for item in got if item.get("method") == "Target.attachedToTarget"]
    assert [(item.get("sessionId"), item["params"]["waitingForDebugger"]) for item in announced] == [
        (page, True),
        (None, True),
    ]
    info = announced[0]["params"]["targetInfo"]
    assert (info["title"], info["url"], "parentId" in info) == (
        f"Service Worker {LOCAL}/w.js",
        f"{LOCAL}/w.js",
        False,
    )
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


def test_a_service_worker_outlives_its_page(
    client: Client, page: str, service: tuple[str, str], browser: MockBrowser
) -> None:
    browser.close_page(browser.pages[0].id)
    client.take()

    assert client.lines("Target.getTargetInfo", {}, service[1]) == ["second reply to Target.getTargetInfo"]


def test_a_page_attaches_to_the_service_workers_of_its_origin(
    client: Client, page: str, service: tuple[str, str]
) -> None:
    """Those of the last one detach, whichever way the page goes."""
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


def test_a_worker_needs_an_address_and_nothing_else(client: Client, page: str) -> None:
    (line,) = run(client, page, "new Worker('/w.js', {})")

    assert line.startswith("page reply to Runtime.evaluate = MockError")


def test_a_worker_is_an_object_that_is_held(client: Client, page: str, worker: str) -> None:
    shown = client.result(EVALUATE, {"expression": "k"}, page)["result"]

    assert (shown["className"], "objectId" in shown) == ("Worker", True)


def test_nested_workers_end_with_the_document_too(client: Client, page: str, worker: str, browser: MockBrowser) -> None:
    run(client, worker, "self.n = new Worker('/w.js'); 1")
    assert count_of(browser, "worker") == 2

    client.send("Page.reload", {}, page)

    assert count_of(browser, "worker") == 0
