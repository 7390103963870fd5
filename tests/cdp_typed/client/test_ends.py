"""Ends of sessions, listeners and calls when several things happen at once, over a transport in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest

from cdp_typed import Connection, Counters, Session
from cdp_typed._base import Event
from cdp_typed.errors import ConnectionLost, SessionDetached, SessionNotFound, TargetCrashed
from cdp_typed.protocol import inspector, page, runtime, target
from tests.cdp_typed.client.conftest import NAVIGATE, NAVIGATED, attached, begun
from tests.support.wires.memory_wire import MemoryWire


@pytest.fixture
async def browser(no_leaks: None, wire: MemoryWire) -> AsyncIterator[Connection]:
    async with Connection(wire, command_timeout=5) as connection:
        yield connection
        assert connection.closed or (connection.pending, connection.listeners) == (0, 0)


def _note(heard: list[int], number: int, _session: str | None, _event: Event) -> None:
    heard.append(number)


def _note_session(heard: list[str | None], session: str | None, _event: Event) -> None:
    heard.append(session)


async def test_a_session_that_the_browser_does_not_know_is_over_with_all_that_waits_on_it(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    frame = await attached(browser, wire, "C", parent="P")
    async with tab.events(page.LoadEventFired) as stream, frame.events(page.LoadEventFired) as below:
        asked, other, deeper = (session.send_nowait(page.Enable()) for session in (tab, tab, frame))
        wire.feed({"id": 1, "error": {"code": -32001, "message": "Session with given id not found."}})

        with pytest.raises(SessionNotFound):
            await asked
        for ended in (other, deeper):
            with pytest.raises(SessionDetached):
                await ended
        for silent in (stream, below):
            with pytest.raises(SessionDetached):
                await anext(silent)
    assert (tab.is_over, frame.is_over, browser.sessions) == (True, True, ())


async def test_an_id_that_was_never_announced_stays_unknown(browser: Connection, wire: MemoryWire) -> None:
    for call_id in (1, 2):
        asked = browser.send_nowait(page.Enable(), session_id="nobody")
        wire.feed({"id": call_id, "error": {"code": -32001, "message": "Session with given id not found."}})
        with pytest.raises(SessionNotFound):
            await asked


async def test_the_envelope_has_a_session_not_the_payload(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    """`Target.detachedFromTarget` and its like name a session, and come on another one."""
    frame = await attached(browser, wire, "C", parent="P")
    heard: dict[str, list[str | None]] = {"root": [], "P": [], "C": [], "all": []}
    for channel, sessions in zip((browser.root, tab, frame, browser), heard.values(), strict=True):
        channel.listen(partial(_note_session, sessions), target.ReceivedMessageFromTarget)

    wire.event("Target.receivedMessageFromTarget", {"sessionId": "C", "message": "{}"})
    wire.event("Target.receivedMessageFromTarget", {"sessionId": "C", "message": "{}"}, session="P")
    asked = browser.send_nowait(target.DetachFromTarget(session_id=target.SessionID("elsewhere")), session_id="P")
    assert (wire.sent[-1]["sessionId"], wire.sent[-1]["params"]) == ("P", {"sessionId": "elsewhere"})
    wire.feed({"id": 1, "result": {"sessionId": "C"}, "sessionId": "P"})
    await asked

    assert heard == {"root": [None], "P": ["P"], "C": [], "all": [None, "P"]}
    await browser.close()


@pytest.mark.parametrize("end", ["detach", "loss", "close"])
async def test_every_end_has_its_own_exception_for_calls_waits_and_streams(
    browser: Connection, tab: Session, wire: MemoryWire, end: str
) -> None:
    kind = SessionDetached if end == "detach" else ConnectionLost

    async def wait() -> None:
        async with tab.expect(page.LoadEventFired, timeout=None):
            pass

    async with tab.events(page.LoadEventFired) as stream:
        waiting = asyncio.create_task(wait())
        call = tab.send_nowait(runtime.Evaluate(expression="1"), timeout=None)
        await asyncio.sleep(0)
        assert browser.listeners == 2
        if end == "detach":
            wire.detach("P")
        elif end == "loss":
            wire.end("the browser is gone")
        else:
            await browser.close()

        async with asyncio.timeout(1):
            with pytest.raises(kind):
                await call
            with pytest.raises(kind):
                await waiting
            with pytest.raises(kind):
                await anext(stream)
    assert (browser.pending, browser.listeners) == (0, 0)
    with pytest.raises(kind):
        tab.listen(print, page.LoadEventFired)


async def test_a_thousand_listeners_go_with_their_sessions(browser: Connection, wire: MemoryWire) -> None:
    for number in range(100):
        wire.attach(str(number), target=str(number))
    await wire.drained()
    for session in browser.sessions:
        for _ in range(10):
            session.listen(print, page.LoadEventFired)
    assert browser.listeners == 1000

    for number in range(100):
        wire.detach(str(number))
    await wire.drained()

    assert browser.listeners == 0


async def test_a_crash_of_a_session_never_announced_fails_its_calls(browser: Connection, wire: MemoryWire) -> None:
    call = browser.send_nowait(page.Enable(), session_id="S")
    wire.event("Inspector.targetReloadedAfterCrash", session="S")
    wire.event("Inspector.targetReloadedAfterCrash")
    wire.event("Inspector.targetCrashed", session="S")

    with pytest.raises(TargetCrashed):
        await call


async def test_a_crash_does_not_end_an_auto_attached_session(browser: Connection, wire: MemoryWire) -> None:
    starting = await begun(browser.auto_attach().start())
    wire.reply()
    attaching = await starting
    tab = await attached(browser, wire)
    wire.event("Inspector.targetCrashed", session="P")
    await wire.drained()

    assert attaching.sessions == (tab,)
    await browser.close()


# -- the connection as a whole -----------------------------------------------------------------------------------


async def test_a_loss_fails_everything_with_its_cause(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    calls = [browser.send_nowait(NAVIGATE), tab.send_nowait(NAVIGATE)]
    cause = ConnectionResetError("reset")
    async with tab.events(page.FrameResized) as stream:
        wire.end("the browser is gone", cause)
        with pytest.raises(ConnectionLost, match="the browser is gone") as silent:
            await anext(stream)

    assert silent.value.__cause__ is cause
    for call in calls:
        with pytest.raises(ConnectionLost, match=r"^Page\.navigate: connection lost: the browser is gone$") as lost:
            await call
        assert lost.value.__cause__ is cause
    assert (await browser.lost).reason == "the browser is gone"
    await browser.wait_closed()
    assert (browser.closed, tab.is_over, browser.pending) == (True, True, 0)
    with pytest.raises(ConnectionLost, match="the browser is gone"):
        await browser.send(target.GetTargets())
    with pytest.raises(ConnectionLost):
        browser.listen(lambda _, __: None)


async def test_what_arrived_before_the_loss_is_delivered(browser: Connection, wire: MemoryWire) -> None:
    call = browser.send_nowait(NAVIGATE)
    wire.reply(NAVIGATED)
    wire.end("the browser is gone")

    assert (await call).frame_id == "F"


async def test_closing_fails_what_is_in_flight_and_may_be_done_twice(browser: Connection) -> None:
    call = browser.send_nowait(NAVIGATE)
    await browser.close()
    await browser.close()

    with pytest.raises(ConnectionLost, match="closed by this side"):
        await call
    assert browser.lost.result().reason == "closed by this side"


def test_a_loop_that_ends_takes_an_open_connection_with_it() -> None:
    wire = MemoryWire()
    calls: list[asyncio.Future[page.NavigateResult]] = []

    async def forgetful() -> None:
        calls.append(Connection(wire).send_nowait(NAVIGATE))
        await asyncio.sleep(0)

    asyncio.run(forgetful())

    assert isinstance(calls[0].exception(), ConnectionLost)


# -- two things at once ------------------------------------------------------------------------------------------


async def test_a_call_cancelled_when_its_session_ends_is_just_cancelled(browser: Connection, wire: MemoryWire) -> None:
    call = browser.send_nowait(page.Enable(), session_id="S")
    wire.detach("S")
    call.cancel()
    await wire.drained()

    assert call.cancelled()


@pytest.mark.parametrize(
    ("kind", "params"), [(page.LoadEventFired, {"timestamp": 1}), (inspector.TargetCrashed, {})], ids=["event", "crash"]
)
async def test_what_meets_the_cancellation_of_a_wait_is_ignored(
    browser: Connection, tab: Session, wire: MemoryWire, kind: type[Event], params: dict[str, Any]
) -> None:
    async def wait() -> None:
        async with tab.expect(page.LoadEventFired):
            pass

    waiting: asyncio.Task[None]
    early = tab.listen(lambda _session, _event: waiting.cancel(), kind)
    waiting = await begun(wait())
    wire.event(kind.METHOD, params, session="P")

    with pytest.raises(asyncio.CancelledError):
        await waiting
    early.close()
    assert browser.counters.handler_errors == 0


async def test_a_cancelled_lost_harms_nobody(no_leaks: None, wire: MemoryWire) -> None:
    async with Connection(wire) as browser:
        browser.lost.cancel()
        await browser.close()

    assert browser.closed


async def test_who_hears_what_is_worked_out_again_after_many_sessions(
    browser: Connection, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cdp_typed.client.subscriptions._MAX_PLANS", 2)
    heard: list[str | None] = []
    listener = browser.listen(lambda session_id, _: heard.append(session_id), page.FrameResized)
    for number in range(10):
        wire.event("Page.frameResized", session=str(number))
        wire.event("Page.frameResized", session=str(number))
    await wire.drained()

    assert heard == [str(number) for number in range(10) for _ in range(2)]
    listener.close()


async def test_listeners_hear_in_the_order_of_their_listening_whatever_their_sessions(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    heard: list[int] = []
    listeners = [
        channel.listen(partial(_note, heard, number), page.FrameResized)
        for number, channel in enumerate([tab, browser, tab, browser.root, browser])
    ]
    wire.event("Page.frameResized", session="P")
    await wire.drained()

    assert heard == [0, 1, 2, 4]
    for listener in listeners:
        listener.close()
    assert browser.counters == Counters(messages=2, events=2)


async def test_who_joins_later_hears_what_comes_later(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    heard: list[int] = []
    listeners = [browser.listen(partial(_note, heard, 0), page.FrameResized)]
    for number, channel in enumerate([browser, tab], 1):
        wire.event("Page.frameResized", session="P")
        await wire.drained()
        listeners.append(channel.listen(partial(_note, heard, number), page.FrameResized))
    wire.event("Page.frameResized", session="P")
    await wire.drained()

    assert heard == [0, 0, 1, 0, 1, 2]
    for listener in listeners:
        listener.close()


async def test_a_kind_of_message_that_nobody_handles_is_a_mistake_and_is_logged(
    browser: Connection, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def receive(_router: object, _data: bytes) -> list[str]:
        return ["no message"]

    with monkeypatch.context() as patch:
        patch.setattr("cdp_typed.wire.router.Router.receive", receive)
        wire.event("Page.frameResized")
        await wire.drained()
    wire.event("Page.frameResized")
    await wire.drained()

    assert [record.message for record in caplog.records] == ["internal error while handling a message of the browser"]
    assert browser.counters.events == 1
