"""Workers: attachment, supported commands and lifetime, as measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client
from tests.cdp_typed.mock.target.workers.worker_site import EVALUATE, MAKES, count_of, let_go, run


def test_a_worker_is_announced_after_the_call_that_made_it(client: Client, page: str, browser: MockBrowser) -> None:
    """To discoverers at once, though without its URL."""
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
    """Its context has no frame."""
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


def test_a_worker_that_a_filter_leaves_out_waits_unannounced(client: Client, page: str, browser: MockBrowser) -> None:
    leaving_out = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": [{"type": "iframe"}]}
    client.send("Target.setAutoAttach", leaving_out, page)
    client.send("Target.setDiscoverTargets", {"discover": True})

    heard = [message.get("method") for message in client.send(EVALUATE, {"expression": MAKES["worker"]}, page)]

    assert heard == ["Target.targetCreated", None]
    (worker,) = (target for target in browser.state.targets.values() if target.type == "worker")
    session = client.result("Target.attachToTarget", {"targetId": worker.id, "flatten": True})["sessionId"]
    client.enable(session, "Runtime")
    names = [line.removeprefix("? ") for line in let_go(client, session)]
    assert names[-2:] == ["Runtime.consoleAPICalled log", "Inspector.workerScriptLoaded"]


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


@pytest.mark.parametrize("method", ["Network.enable", "Debugger.enable", "Log.enable", "Profiler.enable"])
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
    """Those first; a nested worker attaches on the session of its creator."""
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
