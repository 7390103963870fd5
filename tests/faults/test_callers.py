"""Faults on the user's own side: failing and slow listeners, cancelled calls, a connection that is over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from typing import TypeVar

import pytest

from cdp_typed import ConnectionLost, Event, EventStream, connect
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import page, runtime
from tests.faults.rows import ANSWER, DIALOG, Row, Text
from tests.faults.stub_browser import StubBrowser

E = TypeVar("E", bound=Event)

_PATIENT = 20.0

_OPENING = Text(b'{"method":"Page.javascriptDialogOpening","params":' + DIALOG + b"}")
_TWO_EVENTS = Row((), "two_events", (_OPENING, _OPENING, ANSWER))
_FLOOD = Row((), "flood", (Text(_OPENING.data, times=1_000), ANSWER))
_NO_ANSWER = Row((), "no_answer", (), before_second=(ANSWER,), answers=False)


async def _first_two(stream: EventStream[E]) -> AsyncGenerator[E]:
    for _ in range(2):
        yield await anext(stream)


async def test_f39_a_raising_listener_is_logged_once_counted_and_alone_with_it(
    no_leaks: None, caplog: pytest.LogCaptureFixture
) -> None:
    def raises(_session_id: str | None, _event: Event) -> None:
        raise RuntimeError("boom")

    heard: list[Event] = []
    async with StubBrowser(_TWO_EVENTS) as stub, connect(stub.url) as browser:
        browser.listen(raises, page.JavascriptDialogOpening)
        browser.listen(lambda _, event: heard.append(event), page.JavascriptDialogOpening)
        await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)
        await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)

        assert browser.counters.handler_errors == 2
    assert len(heard) == 2
    assert [record.levelno for record in caplog.records if record.name == "cdp_typed"] == [logging.ERROR]


async def test_f39_a_slow_consumer_loses_the_oldest_events_and_can_see_how_many(no_leaks: None) -> None:
    async with (
        StubBrowser(_FLOOD) as stub,
        connect(stub.url) as browser,
        browser.events(page.JavascriptDialogOpening, maxsize=100) as stream,
    ):
        await browser.send(browser_domain.GetVersion(), timeout=5)
        await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)

        assert (stream.dropped, browser.counters.dropped_events) == (900, 900)
        assert (await anext(stream)).message == "hello"


async def test_f57_two_listeners_hear_the_same_event(no_leaks: None) -> None:
    first: list[Event] = []
    second: list[Event] = []
    async with StubBrowser(_TWO_EVENTS) as stub, connect(stub.url) as browser:
        browser.listen(lambda _, event: first.append(event), page.JavascriptDialogOpening)
        browser.listen(lambda _, event: second.append(event), page.JavascriptDialogOpening)
        await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)

    assert len(first) == 2
    assert first == second


async def test_f58_whoever_handles_an_event_may_await_a_command(no_leaks: None) -> None:
    async with (
        StubBrowser(_TWO_EVENTS) as stub,
        connect(stub.url) as browser,
        browser.events(page.JavascriptDialogOpening) as dialogs,
    ):
        first = browser.send_nowait(browser_domain.GetVersion())
        answers = [await browser.send(browser_domain.GetVersion(), timeout=_PATIENT) async for _ in _first_two(dialogs)]

        assert answers == [await first] * 2


async def test_f42_f59_a_cancelled_call_leaves_nothing_and_its_reply_is_counted(no_leaks: None) -> None:
    async with StubBrowser(_NO_ANSWER) as stub, connect(stub.url) as browser:
        call = asyncio.create_task(browser.send(browser_domain.GetVersion()))
        await asyncio.wait_for(stub.commanded.wait(), 1)
        call.cancel()
        await asyncio.wait([call])

        assert browser.pending == 0
        await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)
        assert browser.counters.late_replies == 1


async def test_f40_a_session_of_a_lost_connection_refuses_and_a_new_connection_does_not_know_it(
    no_leaks: None,
) -> None:
    async with StubBrowser() as stub:
        async with connect(stub.url) as browser:
            stale = await browser.attach("T1")
        async with connect(stub.url) as browser:
            with pytest.raises(ConnectionLost, match="closed by this side"):
                await stale.send(runtime.Evaluate(expression="1"), timeout=_PATIENT)

            assert browser.sessions == ()
            assert (await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)).protocol_version == "1.3"
