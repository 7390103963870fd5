"""Browsers that lack something: older Chromes and embedders, as the mock can be made to behave.

The facts were measured on Chrome 64 to 131 and on QtWebEngine; `make browsers` plays the scenarios on real ones.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cdp_typed.mock import Delay, Frame, Missing, MockBrowser, Page, Refusal, Site, ThreadedMockServer
from cdp_typed.protocol import page, runtime, target
from supervisor import AnswerTimeout, BlockedByDialog, CDPSupervisor, NavigationInterrupted, UnsupportedByBrowser

OWN, OTHER = "http://localhost", "http://127.0.0.1"
SITE = Site(
    {
        f"{OWN}/": Page(title="top", frames=[Frame(f"{OTHER}/inner", "inner"), Frame(f"{OWN}/local", "local")]),
        f"{OWN}/twins": Page(title="twins", frames=[Frame(f"{OTHER}/inner", "a"), Frame(f"{OTHER}/inner", "b")]),
        f"{OTHER}/inner": Page(title="inner"),
        f"{OWN}/local": Page(title="local"),
        f"{OWN}/next": Page(title="next"),
    }
)
NOT_SUPPORTED = Refusal(-32000, "Not supported")


@pytest.fixture
def server(no_leaks: None) -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer(SITE) as running:
        yield running


def without_frame_ids(mock: MockBrowser) -> None:
    """As up to Chrome 134."""
    mock.fault(page.JavascriptDialogOpening, Missing("params.frameId"))
    mock.fault(page.JavascriptDialogClosed, Missing("params.frameId"))


def without_unique_contexts(mock: MockBrowser) -> None:
    """As Chrome 83."""
    mock.fault(runtime.ExecutionContextCreated, Missing("params.context.uniqueId"))
    mock.fault(runtime.ExecutionContextDestroyed, Missing("params.executionContextUniqueId"))


def test_a_dialog_without_a_frame_id_is_matched_by_its_address(server: ThreadedMockServer) -> None:
    without_frame_ids(server.browser)
    with CDPSupervisor(server.url, call_timeout_s=10) as supervisor:
        supervisor.navigate(f"{OWN}/")
        now = supervisor.wait_for(lambda now: len([frame for frame in now.frame_tree.children if frame.loader_id]) == 2)
        inner = next(frame for frame in now.frame_tree.children if frame.is_oopif)

        with pytest.raises(BlockedByDialog) as blocked:
            supervisor.evaluate("window.answer = confirm('inside?')", inner.frame_id)

        assert blocked.value.dialog.frame_id == inner.frame_id
        assert supervisor.evaluate("document.title").value == "top"
        assert supervisor.respond_to_dialog("accept").accepted
        assert supervisor.evaluate("window.answer", inner.frame_id).value is True
        assert [text for text in supervisor.snapshot().lacks if "Page.javascriptDialogOpening" in text] != []


def test_a_dialog_of_a_frame_that_cannot_be_told_stops_every_call_of_its_page(server: ThreadedMockServer) -> None:
    without_frame_ids(server.browser)
    with CDPSupervisor(server.url, call_timeout_s=10) as supervisor:
        supervisor.navigate(f"{OWN}/twins")
        now = supervisor.wait_for(lambda now: len([frame for frame in now.frame_tree.children if frame.loader_id]) == 2)
        for frame_id in (now.frame_tree.children[0].frame_id, None):
            with pytest.raises(BlockedByDialog) as blocked:
                supervisor.evaluate("alert('which?')" if frame_id else "1", frame_id)
            assert blocked.value.dialog.frame_id is None

        supervisor.respond_to_dialog("accept")

        assert supervisor.evaluate("1").value == 1
        assert [record.closed_by for record in supervisor.snapshot().recent_dialogs] == ["agent"]


def test_an_expression_runs_in_its_own_frame_without_unique_ids_of_contexts(server: ThreadedMockServer) -> None:
    without_unique_contexts(server.browser)
    with CDPSupervisor(server.url, call_timeout_s=10) as supervisor:
        supervisor.navigate(f"{OWN}/")
        now = supervisor.wait_for(lambda now: len([frame for frame in now.frame_tree.children if frame.loader_id]) == 2)

        titles = {frame.url: supervisor.evaluate("document.title", frame.frame_id) for frame in now.frame_tree.children}

        assert {url: title.value for url, title in titles.items()} == {
            f"{OTHER}/inner": "inner",
            f"{OWN}/local": "local",
        }
        evaluated = [call.params for call in server.browser.calls if call.method == "Runtime.evaluate"]
        assert all("contextId" in params and "uniqueContextId" not in params for params in evaluated)


def test_a_call_during_which_its_document_is_replaced_says_so_without_unique_ids(server: ThreadedMockServer) -> None:
    without_unique_contexts(server.browser)
    with CDPSupervisor(server.url, call_timeout_s=10) as supervisor:
        supervisor.navigate(f"{OWN}/")
        server.browser.fault(runtime.Evaluate, Delay(0.2))  # the reply comes after the page has navigated

        with pytest.raises(NavigationInterrupted) as interrupted:
            supervisor.evaluate(f"location = '{OWN}/next'; 1")

        assert interrupted.value.maybe_executed


def test_pages_that_are_announced_after_the_reply_are_waited_for(server: ThreadedMockServer) -> None:
    """As up to Chrome 92: no tab is opened unasked, and the current page stays the current one after a reconnect."""
    server.browser.fault(target.AttachedToTarget, Delay(0.2))
    with CDPSupervisor(server.url, call_timeout_s=10) as supervisor:
        (first,) = supervisor.snapshot().pages
        assert not [call for call in server.browser.calls if call.method == "Target.createTarget"]
        second = supervisor.open_page(f"{OWN}/next")
        supervisor.select_page(first.target_id)

        server.browser.end("reset")
        now = supervisor.wait_for(lambda now: now.state == "ready" and now.epoch == 2, timeout_s=20)

        assert [info.target_id for info in now.pages if info.is_current] == [first.target_id]
        assert {info.target_id for info in now.pages} == {first.target_id, second.target_id}


def test_a_browser_that_opens_no_pages_is_supervised_on_the_page_that_is_there(server: ThreadedMockServer) -> None:
    server.browser.on(target.CreateTarget, NOT_SUPPORTED)
    with CDPSupervisor(server.url, call_timeout_s=10) as supervisor:
        supervisor.navigate(f"{OWN}/next")
        assert supervisor.evaluate("document.title").value == "next"

        with pytest.raises(UnsupportedByBrowser, match=r"does not support Target\.createTarget: it opens no pages"):
            supervisor.open_page(f"{OWN}/")

        assert any("Target.createTarget" in text for text in supervisor.snapshot().lacks)


def test_a_browser_that_opens_no_pages_has_none_of_our_own(server: ThreadedMockServer) -> None:
    server.browser.on(target.CreateTarget, NOT_SUPPORTED)
    with pytest.raises(UnsupportedByBrowser, match="supervise the page that is there"):
        CDPSupervisor(server.url, scope="own").start()


@pytest.mark.usefixtures("impatient")
def test_a_browser_that_announces_no_pages_is_refused_in_one_sentence(server: ThreadedMockServer) -> None:
    """As Chrome 72."""
    server.browser.on(target.SetAutoAttach, {})
    with pytest.raises(UnsupportedByBrowser, match=r"does not support Target\.setAutoAttach: it announces no pages"):
        CDPSupervisor(server.url).start()


def test_a_browser_that_does_not_answer_to_attaching_is_refused_in_one_sentence(server: ThreadedMockServer) -> None:
    """As Chrome 64."""
    server.browser.hang(target.SetAutoAttach)
    with pytest.raises(UnsupportedByBrowser, match=r"does not support Target\.setAutoAttach"):
        CDPSupervisor(server.url).start(timeout_s=1)


@pytest.mark.thorough
def test_a_browser_whose_own_box_stops_everything_is_told(server: ThreadedMockServer) -> None:
    """As QtWebEngine."""
    server.browser.hang(page.HandleJavaScriptDialog)
    with CDPSupervisor(server.url, call_timeout_s=10) as supervisor:
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("alert('boxed')")

        with pytest.raises(AnswerTimeout, match="shows its own box"):
            supervisor.respond_to_dialog("accept")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.core.connection.lifecycle.ANNOUNCED_WITHIN_S", 0.2)
