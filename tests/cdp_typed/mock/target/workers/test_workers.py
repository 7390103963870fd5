"""Workers: attachment, supported commands and lifetime, as measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import Client
from tests.cdp_typed.mock.target.workers.worker_site import EVALUATE, MAKES, count_of, let_go, run


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


def test_a_worker_without_a_script_ends_when_it_is_let_go(client: Client, page: str) -> None:
    run(client, page, "window.k = new Worker('/nope.js'); 1")

    assert let_go(client, client.attached("worker")) == [
        "worker reply to Runtime.runIfWaitingForDebugger",
        "page Target.detachedFromTarget",
    ]


@pytest.mark.parametrize("expression", ["location.href = '/'", "history.back()", "location.reload()", "k.nothing()"])
def test_a_worker_goes_nowhere(client: Client, worker: str, expression: str) -> None:
    (line,) = run(client, worker, expression)

    assert "= MockError" in line or "ReferenceError" in line


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


def test_a_worker_needs_an_address_and_nothing_else(client: Client, page: str) -> None:
    (line,) = run(client, page, "new Worker('/w.js', {})")

    assert line.startswith("page reply to Runtime.evaluate = MockError")


def test_nested_workers_end_with_the_document_too(client: Client, page: str, worker: str, browser: MockBrowser) -> None:
    run(client, worker, "self.n = new Worker('/w.js'); 1")
    assert count_of(browser, "worker") == 2

    client.send("Page.reload", {}, page)

    assert count_of(browser, "worker") == 0
