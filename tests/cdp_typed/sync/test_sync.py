"""The client for programs that are not async, on the mock."""

from __future__ import annotations

import asyncio
import inspect
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import cdp_typed
from cdp_typed import SyncConnection, SyncSession, connect_sync
from cdp_typed.errors import (
    CalledFromLoopThread,
    CommandTimeout,
    ConnectionLost,
    EndpointError,
    EventTimeout,
    InvalidParams,
    MethodNotFound,
    SessionDetached,
)
from cdp_typed.mock import ThreadedMockServer
from cdp_typed.protocol import page, runtime, target
from cdp_typed.sync import SyncAutoAttach, SyncChannel, SyncEventStream, SyncExpectation, SyncTap
from tests.cdp_typed.sync.conftest import URL


def _loop_threads() -> int:
    return sum(thread.name == "cdp-typed loop" for thread in threading.enumerate())


# -- refusals ----------------------------------------------------------------------------------------------------


@pytest.fixture
def has_not_warned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The warning of a blocking call beside an event loop comes once a process: here, it has not come yet."""
    monkeypatch.setattr("cdp_typed.loop_thread.WARNED", threading.Event())


async def test_it_works_on_a_thread_that_runs_an_event_loop_and_warns_once(
    mock: ThreadedMockServer, has_not_warned: None, no_leaks: None
) -> None:
    def visit() -> None:
        with connect_sync(mock.url) as browser, browser.new_page() as tab, tab.events(page.LoadEventFired) as loads:
            tab.send(page.Enable())
            assert tab.send_nowait(page.Navigate(url=URL)).result(30).error_text is None
            loads.take(timeout=30)
            assert browser.sessions == (tab,)

    with pytest.warns(RuntimeWarning, match="await the async form: connect for connect_sync") as warned:
        visit()

    assert (len(warned), _loop_threads()) == (1, 0)


def test_several_threads_call_it_while_their_loops_run(browser: SyncConnection, has_not_warned: None) -> None:
    async def asks() -> str:
        return str(browser.send_raw("Browser.getVersion")["protocolVersion"])

    with pytest.warns(RuntimeWarning, match="that loop stands still"):
        answers = [asyncio.run(asks())]
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(asyncio.run, asks()) for _ in range(4)]
        answers += [future.result() for future in asked]

    assert answers == ["1.3"] * 5


def test_it_refuses_its_own_loop_thread(tab: SyncSession) -> None:
    def calls_the_client(_: page.LoadEventFired) -> bool:
        return bool(tab.send_raw("Target.getTargetInfo"))

    with pytest.raises(CalledFromLoopThread), tab.expect(page.LoadEventFired, calls_the_client, timeout=5):
        tab.send(page.Navigate(url=URL))


def test_a_browser_that_is_not_there_leaves_no_thread(no_leaks: None) -> None:
    with pytest.raises(EndpointError):
        connect_sync("127.0.0.1:1", open_timeout=1)

    assert _loop_threads() == 0


def test_after_the_close_every_call_says_so(mock: ThreadedMockServer) -> None:
    with connect_sync(mock.url) as browser, browser.new_page() as tab:
        pass
    browser.close()

    for channel in (browser, tab):
        with pytest.raises(ConnectionLost, match="closed by this side"):
            channel.send_raw("Browser.getVersion")
    assert (browser.closed, tab.is_over, _loop_threads()) == (True, True, 0)


# -- commands ----------------------------------------------------------------------------------------------------


def test_the_ways_to_send_are_those_of_the_async_client(tab: SyncSession) -> None:
    assert tab.send(page.Navigate(url=URL)).error_text is None
    assert tab.send_many((runtime.Enable(), runtime.Evaluate(expression="1 + 1")))[1].result.value == 2
    assert tab.send_raw("Runtime.evaluate", {"expression": "1 + 2"})["result"]["value"] == 3


def test_errors_and_deadlines_come_through(browser: SyncConnection, tab: SyncSession) -> None:
    with pytest.raises(MethodNotFound):
        tab.send_raw("Foo.bar")
    with pytest.raises(CommandTimeout, match=r"^Runtime\.evaluate: no reply from session "):
        tab.send(runtime.Evaluate(expression="new Promise(() => {})", await_promise=True), timeout=0.05)
    with pytest.raises(InvalidParams):
        browser.attach("nobody")
    assert browser.counters.drift == 0
    assert browser.drift == ()


def test_several_threads_may_use_one_connection(tab: SyncSession) -> None:
    def evaluate(number: int) -> object:
        return tab.send(runtime.Evaluate(expression=f"{number} + 1")).result.value

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(evaluate, range(40))) == list(range(1, 41))


def test_two_connections_share_one_thread(mock: ThreadedMockServer) -> None:
    with connect_sync(mock.url) as first:
        with connect_sync(mock.url) as second:
            assert second.send_raw("Browser.getVersion")["protocolVersion"] == "1.3"
            assert _loop_threads() == 1
        assert first.send_raw("Browser.getVersion")["protocolVersion"] == "1.3"

    assert _loop_threads() == 0


# -- sessions ----------------------------------------------------------------------------------------------------


def test_a_session_is_attached_found_and_detached(browser: SyncConnection, tab: SyncSession) -> None:
    again = browser.attach(tab.target_id, enable=[runtime.Enable()])
    assert browser.session(again.session_id).target_info == again.target_info
    assert (again.target_id, again.target_info.type) == (tab.target_id, "page")

    again.detach()

    assert again.is_over
    with pytest.raises(SessionDetached):
        browser.session(again.session_id)
    with pytest.raises(SessionDetached):
        again.send(page.Enable())


def test_a_page_is_closed_with_its_block_whatever_happens_in_it(browser: SyncConnection) -> None:
    with browser.new_page() as tab:
        first = tab.target_id
    with pytest.raises(KeyError), browser.new_page() as tab:
        raise KeyError

    ids = {info.target_id for info in browser.send(target.GetTargets()).target_infos}
    assert ids.isdisjoint({first, tab.target_id})


# -- events ------------------------------------------------------------------------------------------------------


def test_an_expected_event_is_there_after_the_block(tab: SyncSession) -> None:
    with tab.expect(page.LoadEventFired, timeout=5) as load:
        tab.send(page.Navigate(url=URL))
    with pytest.raises(EventTimeout), tab.expect(page.LoadEventFired, lambda event: event.timestamp < 0, timeout=0.05):
        tab.send(page.Navigate(url=URL))

    assert load.value.timestamp > 0


def test_events_are_a_plain_iterator(tab: SyncSession) -> None:
    with tab.events(page.FrameNavigated, page.LoadEventFired, maxsize=100, overflow="fail") as stream:
        tab.send(page.Navigate(url=URL))
        seen: list[str] = []
        for event in stream:
            seen.append(event.METHOD)
            if isinstance(event, page.LoadEventFired):
                break
        with pytest.raises(EventTimeout, match=r"^Page\.frameNavigated, Page\.loadEventFired: no such event"):
            stream.take(timeout=0.05)

    assert seen == ["Page.frameNavigated", "Page.loadEventFired"]
    assert list(stream) == []
    assert stream.dropped == 0
    with pytest.raises(RuntimeError, match="the stream is closed"):
        stream.take(timeout=1)


def test_another_thread_ends_the_loop_over_events(tab: SyncSession) -> None:
    with tab.events(page.LoadEventFired) as stream, ThreadPoolExecutor(1) as thread:
        consuming = thread.submit(list[page.LoadEventFired], stream)
        stream.close()

        assert consuming.result(5) == []


# -- the same names ----------------------------------------------------------------------------------------------


_PAIRS = [
    (SyncChannel, cdp_typed.Session),
    (SyncSession, cdp_typed.Session),
    (SyncConnection, cdp_typed.Connection),
    (SyncEventStream, cdp_typed.EventStream),
    (SyncExpectation, cdp_typed.Expectation),
    (SyncTap, cdp_typed.Tap),
    (SyncAutoAttach, cdp_typed.AutoAttach),
]


@pytest.mark.parametrize(("blocking", "original"), _PAIRS)
def test_the_names_and_options_are_those_of_the_async_client(blocking: type, original: type) -> None:
    for name, member in vars(blocking).items():
        if name.startswith("_"):
            continue
        async_member = inspect.getattr_static(original, name)
        assert callable(member) == callable(async_member), name
        if callable(member):
            options, async_options = inspect.signature(member).parameters, inspect.signature(async_member).parameters
            assert {*options} <= {*async_options}, name


@pytest.mark.parametrize(("blocking", "original"), _PAIRS[1:3])
def test_nothing_of_the_async_client_is_missing(blocking: type, original: type) -> None:
    """Except what only an event loop can use: `lost` is a future, `tally` counts on the loop."""

    def names(cls: type) -> set[str]:
        return {name for name in dir(cls) if not name.startswith("_")}

    assert names(original) - names(blocking) == {"tally", "lost"} & names(original)
    for name in names(original) & names(blocking):
        async_member, member = inspect.getattr_static(original, name), inspect.getattr_static(blocking, name)
        if callable(async_member):
            assert {*inspect.signature(async_member).parameters} == {*inspect.signature(member).parameters}, name


def test_it_opens_with_the_options_of_connect(mock: ThreadedMockServer) -> None:
    endless = runtime.Evaluate(expression="new Promise(() => {})", await_promise=True)
    with (
        connect_sync(mock.url, command_timeout=1) as browser,
        browser.new_page() as tab,
        pytest.raises(CommandTimeout, match=r"within 1 s"),
    ):
        tab.send(endless)

    with pytest.raises(TypeError, match="no_such_option"):
        connect_sync(mock.url, no_such_option=1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]  # the mistake that is tested
