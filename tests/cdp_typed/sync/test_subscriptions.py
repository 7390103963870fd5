"""The blocking client's callbacks, futures and attaching, on the mock."""

from __future__ import annotations

import json
import logging
import queue
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from cdp_typed import Command, Event, SyncConnection, SyncSession, connect_sync
from cdp_typed.errors import CalledFromLoopThread, CommandTimeout, ConnectionLost, MethodNotFound, SessionDetached
from cdp_typed.mock import ThreadedMockServer
from cdp_typed.protocol import page, runtime, target
from cdp_typed.sync import SyncSetupFailure, subscriptions
from tests.cdp_typed.sync.conftest import URL

ENDLESS = runtime.Evaluate(expression="new Promise(() => {})", await_promise=True)
SECONDS = 20


def _say(tab: SyncSession, *words: str) -> None:
    for word in words:
        tab.send(runtime.Evaluate(expression=f"console.log('{word}')"))


def _word(event: runtime.ConsoleAPICalled) -> Any:
    return event.args[0].value


class _Slow:
    """A callback that says when it begins, and goes on when it is told to."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.heard: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.threads: set[threading.Thread] = set()

    def hear(self, _session_id: str | None, event: runtime.ConsoleAPICalled) -> None:
        self.threads.add(threading.current_thread())
        self.begun.set()
        self.go_on.wait(SECONDS)
        self.heard.put(_word(event))


# -- send_nowait -------------------------------------------------------------------------------------------------


def test_commands_that_nobody_waits_for_yet_leave_in_order(browser: SyncConnection, tab: SyncSession) -> None:
    first = tab.send_nowait(runtime.Evaluate(expression="1 + 1"))
    second = browser.send_nowait(runtime.Evaluate(expression="1 + 2"), session_id=tab.session_id)

    assert [future.result(SECONDS).result.value for future in (first, second)] == [2, 3]


def test_a_future_has_the_error_and_a_cancelled_one_leaves_nothing(browser: SyncConnection, tab: SyncSession) -> None:
    refused = browser.send_nowait(runtime.Enable())
    with pytest.raises(MethodNotFound):
        refused.result(SECONDS)
    with pytest.raises(CommandTimeout):
        tab.send_nowait(ENDLESS, timeout=0.05).result(SECONDS)

    endless = tab.send_nowait(ENDLESS, timeout=None)
    tab.send(runtime.Evaluate(expression="1"))
    assert browser.pending == 1
    endless.cancel()
    tab.send(runtime.Evaluate(expression="1"))

    assert browser.pending == 0


def test_the_end_of_the_connection_ends_what_is_in_flight(mock: ThreadedMockServer) -> None:
    with connect_sync(mock.url) as browser, browser.new_page() as tab:
        endless = tab.send_nowait(ENDLESS, timeout=None)
        browser.close()

    with pytest.raises(ConnectionLost):
        endless.result(SECONDS)
    with pytest.raises(ConnectionLost, match="closed by this side"):
        tab.send_nowait(page.Enable())


# -- listen ------------------------------------------------------------------------------------------------------


def test_an_async_callback_is_refused(tab: SyncSession) -> None:
    async def hear(_session_id: str | None, _event: Event) -> None: ...

    with pytest.raises(TypeError, match="plain functions"):
        tab.listen(hear)


def test_a_callback_hears_events_in_order_and_may_call_the_client(browser: SyncConnection, tab: SyncSession) -> None:
    heard: queue.SimpleQueue[tuple[str | None, object, object]] = queue.SimpleQueue()

    def hear(session_id: str | None, event: runtime.ConsoleAPICalled) -> None:
        again = tab.send(runtime.Evaluate(expression=f"'{_word(event)}' + '!'")).result.value
        heard.put((session_id, _word(event), again))

    subscription = browser.listen(hear, runtime.ConsoleAPICalled)
    tab.send(runtime.Enable())
    _say(tab, "one", "two", "three")

    assert [heard.get(timeout=SECONDS) for _ in range(3)] == [
        (tab.session_id, word, f"{word}!") for word in ("one", "two", "three")
    ]
    assert (subscription.closed, subscription.dropped, browser.counters.handler_errors) == (False, 0, 0)


def test_a_callback_answers_a_dialog_while_the_caller_waits_for_what_opened_it(tab: SyncSession) -> None:
    def answer(_session_id: str | None, event: page.JavascriptDialogOpening) -> None:
        tab.send(page.HandleJavaScriptDialog(accept=True, prompt_text=event.message + " yes"))

    tab.listen(answer, page.JavascriptDialogOpening)

    assert tab.send(runtime.Evaluate(expression="prompt('sure?')")).result.value == "sure? yes"


def test_a_callback_that_blocks_holds_up_nobody_else(tab: SyncSession) -> None:
    go_on = threading.Event()
    heard: queue.SimpleQueue[object] = queue.SimpleQueue()
    tab.listen(lambda _, __: go_on.wait(SECONDS), runtime.ConsoleAPICalled)
    tab.listen(lambda _, event: heard.put(_word(event)), runtime.ConsoleAPICalled)
    tab.send(runtime.Enable())
    _say(tab, "one", "two")

    assert [heard.get(timeout=SECONDS) for _ in range(2)] == ["one", "two"]
    go_on.set()


def test_a_callback_that_is_too_slow_loses_the_oldest_events_and_can_see_how_many(
    browser: SyncConnection, tab: SyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "MAX_EVENTS", 2)
    slow = _Slow()
    subscription = tab.listen(slow.hear, runtime.ConsoleAPICalled)
    tab.send(runtime.Enable())
    _say(tab, "one")
    assert slow.begun.wait(SECONDS)
    _say(tab, "two", "three", "four")
    slow.go_on.set()

    assert [slow.heard.get(timeout=SECONDS) for _ in range(3)] == ["one", "three", "four"]
    assert (subscription.dropped, browser.counters.dropped_events, browser.counters.handler_errors) == (1, 1, 0)


@pytest.mark.parametrize("error", [KeyError("mine"), SystemExit(3)])
def test_what_a_callback_raises_is_logged_once_and_counted(
    browser: SyncConnection, tab: SyncSession, caplog: pytest.LogCaptureFixture, error: BaseException
) -> None:
    def fails(_session_id: str | None, _event: runtime.ConsoleAPICalled) -> None:
        raise error

    tab.listen(fails, runtime.ConsoleAPICalled)
    tab.send(runtime.Enable())
    _say(tab, "one", "two")
    while browser.counters.handler_errors < 2:
        tab.send(runtime.Evaluate(expression="1"))  # nobody announces it

    (record,) = (record for record in caplog.records if record.levelno == logging.ERROR)
    assert record.exc_info is not None
    assert repr(error) in repr(record.exc_info[1]) or record.exc_info[1] is error


def test_a_closed_listener_hears_nothing_more_not_even_what_was_received(tab: SyncSession) -> None:
    slow = _Slow()
    subscription = tab.listen(slow.hear, runtime.ConsoleAPICalled)
    tab.send(runtime.Enable())
    _say(tab, "one", "two")
    assert slow.begun.wait(SECONDS)
    subscription.close()
    subscription.close()
    slow.go_on.set()
    _say(tab, "three")

    assert subscription.closed
    assert slow.heard.qsize() < 2  # the thread may be on its way with the first one


def test_the_end_of_the_connection_drops_what_waits_and_ends_the_thread(mock: ThreadedMockServer) -> None:
    slow = _Slow()
    with connect_sync(mock.url) as browser, browser.new_page() as tab:
        subscription = tab.listen(slow.hear, runtime.ConsoleAPICalled)
        tab.send(runtime.Enable())
        _say(tab, "one", "two")
        assert slow.begun.wait(SECONDS)
        browser.close()
    slow.go_on.set()
    (thread,) = slow.threads
    thread.join(SECONDS)

    assert slow.heard.qsize() == 1
    assert subscription.closed
    subscription.close()
    with pytest.raises(ConnectionLost):
        tab.listen(slow.hear, runtime.ConsoleAPICalled)


def test_a_callback_may_close_the_connection(mock: ThreadedMockServer) -> None:
    closed: Future[bool] = Future()
    with connect_sync(mock.url) as browser, browser.new_page() as tab:

        def close(_session_id: str | None, _event: runtime.ConsoleAPICalled) -> None:
            browser.close()
            closed.set_result(browser.closed)

        tab.listen(close, runtime.ConsoleAPICalled)
        tab.send_many([runtime.Enable(), runtime.Evaluate(expression="console.log(1)")])

        assert closed.result(SECONDS)


def test_a_listener_ends_with_its_session(browser: SyncConnection, tab: SyncSession) -> None:
    again = browser.attach(tab.target_id)
    before = browser.listeners
    subscription = again.listen(lambda _, __: None, page.LoadEventFired)
    assert browser.listeners == before + 1
    again.detach()

    assert subscription.closed
    assert browser.listeners == before
    with pytest.raises(SessionDetached):
        again.listen(lambda _, __: None)


# -- tap ---------------------------------------------------------------------------------------------------------


def test_a_tap_sees_the_wire_until_it_is_closed(mock: ThreadedMockServer) -> None:
    seen: list[tuple[str, Any]] = []
    with connect_sync(mock.url) as browser:
        tap = browser.tap(lambda direction, data: seen.append((direction, json.loads(data).get("method"))))
        browser.send_raw("Browser.getVersion")
        tap.close()
        browser.send_raw("Browser.getVersion")

    assert seen == [("sent", "Browser.getVersion"), ("received", None)]
    tap.close()


def test_a_tap_is_on_the_loop_thread_and_must_not_call_the_client(browser: SyncConnection) -> None:
    refused: list[Exception] = []

    def calls_the_client(_direction: str, _data: bytes) -> None:
        try:
            browser.send_nowait(target.GetTargets())
        except CalledFromLoopThread as error:
            refused.append(error)

    browser.tap(calls_the_client)
    browser.send_raw("Browser.getVersion")

    assert len(refused) == 2


# -- sessions ----------------------------------------------------------------------------------------------------


def test_every_page_is_attached_and_set_up_as_it_appears(browser: SyncConnection) -> None:
    with browser.auto_attach(enable=[page.Enable()]) as attaching:
        with browser.expect(target.AttachedToTarget, timeout=SECONDS) as attached:
            browser.send(target.CreateTarget(url=URL))
        popup = browser.session(attached.value.session_id)

        assert popup in attaching.sessions
        assert popup in browser.sessions
        assert (popup.parent, popup.children) == (None, ())
        assert {popup: repr(popup)} == {browser.session(popup.session_id): f"<Session {popup.session_id} of page "
                                        f"{popup.target_id}>"}  # fmt: skip
        assert attaching.failures == ()
    assert popup.is_over


def test_a_function_chooses_the_commands_and_what_is_refused_is_told(browser: SyncConnection) -> None:
    asked: list[SyncSession] = []

    def commands(session: SyncSession) -> list[Command[Any]]:
        asked.append(session)
        return [page.HandleJavaScriptDialog(accept=True)]

    attaching = browser.auto_attach(enable=commands, recursive=False).start()
    with browser.expect(target.AttachedToTarget, timeout=SECONDS):
        browser.send(target.CreateTarget(url=URL))
    browser.send(target.GetTargets())
    (failure, *_) = attaching.failures
    attaching.stop()

    assert isinstance(failure, SyncSetupFailure)
    assert (failure.session, failure.command) == (asked[0], page.HandleJavaScriptDialog(accept=True))


def test_below_one_page_and_the_browser_alone(browser: SyncConnection, tab: SyncSession) -> None:
    with tab.auto_attach() as attaching:
        assert attaching.sessions == ()
    assert browser.root.send_raw("Browser.getVersion", {})["protocolVersion"] == "1.3"
    assert browser.warnings == ()
    assert tab != tab.session_id
    assert tab.parent is None
    below = browser.session(tab.send(target.AttachToTarget(target_id=tab.target_id, flatten=True)).session_id)
    assert (below.parent, tab.children) == (tab, (below,))


def test_whatever_ends_with_the_connection_may_be_ended_again(mock: ThreadedMockServer) -> None:
    with (
        connect_sync(mock.url) as browser,
        browser.auto_attach() as attaching,
        browser.new_page() as tab,
        tab.events(page.LoadEventFired) as loads,
    ):
        other = threading.Thread(target=browser.wait_closed)
        other.start()
        browser.close()
    other.join(SECONDS)
    assert not other.is_alive()
    for end in (loads.close, tab.detach, attaching.stop, browser.close):
        end()

    with pytest.raises(ConnectionLost, match="closed by this side"):
        next(loads)
