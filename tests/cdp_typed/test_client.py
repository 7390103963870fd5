"""The connection and its sessions, over a wire in memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cdp_typed import ALL, Connection, Counters, SchemaDrift, Session, Subscription, UnknownEvent
from cdp_typed._base import Event
from cdp_typed.errors import (
    CommandError,
    CommandTimeout,
    ConnectionLost,
    InvalidParams,
    MessageTooBig,
    SchemaMismatch,
    SessionDetached,
    TargetCrashed,
)
from cdp_typed.protocol import network, page, runtime, target
from tests.support.memory_wire import MemoryWire

NAVIGATE = page.Navigate(url="x")
NAVIGATED = {"frameId": "F"}


@pytest.fixture
def wire() -> MemoryWire:
    return MemoryWire()


@pytest.fixture
async def browser(no_leaks: None, wire: MemoryWire) -> AsyncIterator[Connection]:
    async with Connection(wire, command_timeout=5) as connection:
        yield connection
        assert connection.pending == 0 or connection.closed


async def _tab(browser: Connection, wire: MemoryWire, session: str = "P", **attach: Any) -> Session:
    wire.attach(session, **attach)
    await wire.drained()
    return browser.session(session)


# -- commands ----------------------------------------------------------------------------------------------------


async def test_a_command_returns_its_typed_result(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.reply(NAVIGATED)

    assert await sending == page.NavigateResult(frame_id=page.FrameId("F"))
    assert wire.sent == [{"id": 1, "method": "Page.navigate", "params": {"url": "x"}}]


async def test_a_command_without_a_result_returns_none(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(page.Enable(), session_id="S")
    wire.reply({"unheardOf": 1})

    assert await sending is None  # type: ignore[func-returns-value]  # that it is None is what is tested
    assert wire.sent[0]["sessionId"] == "S"


async def test_commands_are_written_in_order_before_anything_is_awaited(browser: Connection, wire: MemoryWire) -> None:
    futures = [browser.send_nowait(runtime.Evaluate(expression=str(n))) for n in range(5)]

    assert [each["params"]["expression"] for each in wire.sent] == ["0", "1", "2", "3", "4"]

    for future in futures:
        future.cancel()
    await asyncio.sleep(0)


async def test_replies_in_another_order_reach_their_callers(browser: Connection, wire: MemoryWire) -> None:
    first, second = browser.send_nowait(NAVIGATE), browser.send_nowait(NAVIGATE)
    wire.reply({"frameId": "2"}, to=1)
    wire.reply({"frameId": "1"}, to=0)

    assert [(await first).frame_id, (await second).frame_id] == ["1", "2"]


async def test_an_error_reply_raises_at_the_caller(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.feed({"id": 1, "error": {"code": -32602, "message": "Invalid parameters", "data": "why"}})

    with pytest.raises(InvalidParams, match=r"^Page\.navigate: Invalid parameters \(why\) \[-32602\]$"):
        await sending


async def test_a_deadline_names_method_and_session_and_the_late_reply_is_counted(
    browser: Connection, wire: MemoryWire
) -> None:
    with pytest.raises(CommandTimeout, match=r"^Page\.navigate: no reply from session S within 0\.01 s$"):
        await browser.send(NAVIGATE, session_id="S", timeout=0.01)

    assert browser.pending == 0
    wire.reply(NAVIGATED)
    await wire.drained()
    assert browser.counters == Counters(messages=1, late_replies=1)


async def test_the_connection_has_a_deadline_of_its_own(no_leaks: None, wire: MemoryWire) -> None:
    async with Connection(wire, command_timeout=0.01) as browser:
        with pytest.raises(CommandTimeout):
            await browser.send(NAVIGATE)
        unlimited = browser.send_nowait(NAVIGATE, timeout=None)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(unlimited), 0.05)
        wire.reply(NAVIGATED)
        assert (await unlimited).frame_id == "F"


async def test_a_cancelled_caller_leaves_nothing_pending(browser: Connection, wire: MemoryWire) -> None:
    task = asyncio.create_task(browser.send(NAVIGATE))
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert browser.pending == 0
    wire.reply(NAVIGATED)
    await wire.drained()
    assert browser.counters.late_replies == 1


async def test_a_reply_that_meets_a_cancellation_is_harmless(
    browser: Connection, wire: MemoryWire, caplog: pytest.LogCaptureFixture
) -> None:
    """The future is cancelled, and its reply is handled before anybody could be told."""
    future = browser.send_nowait(NAVIGATE)
    wire.reply(NAVIGATED)
    future.cancel()
    await wire.drained()

    assert browser.pending == 0
    assert caplog.records == []


async def test_a_reply_that_meets_its_deadline_is_harmless(browser: Connection, wire: MemoryWire) -> None:
    loop_errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loop_errors.append(context))
    future = browser.send_nowait(NAVIGATE, timeout=0)
    wire.reply(NAVIGATED)
    await wire.drained()
    await asyncio.wait([future])

    assert browser.pending == 0
    assert loop_errors == []


async def test_a_refusal_to_send_comes_through_the_future(browser: Connection) -> None:
    future = browser.send_nowait(runtime.Evaluate(expression="x" * 2**26))

    with pytest.raises(MessageTooBig):
        await future


async def test_a_failure_that_nobody_asks_for_is_not_reported(browser: Connection, wire: MemoryWire) -> None:
    """`Runtime.runIfWaitingForDebugger` must not be awaited; its failure must not end in a log either."""
    loop_errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loop_errors.append(context))
    _ = browser.send_nowait(runtime.RunIfWaitingForDebugger())
    wire.feed({"id": 1, "error": {"code": -32000, "message": "no"}})
    await wire.drained()
    _ = None

    assert loop_errors == []


# -- messages that kill other clients ----------------------------------------------------------------------------

HOSTILE: dict[str, bytes] = {
    "F15_unknown_id": b'{"id":4711,"result":{}}',
    "F16_error_without_id": b'{"error":{"code":-32700,"message":"bad"}}',
    "F17_empty": b"",
    "F18_binary": b"\x00\x01\xff\xfe",
    "F20_depth_bomb": b'{"method":"Page.frameResized","params":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "F20_giant_integer": b'{"method":"Page.loadEventFired","params":{"timestamp":' + b"9" * 5000 + b"}}",
    "F20_not_a_number": b'{"method":"Page.loadEventFired","params":{"timestamp":NaN}}',
    "F47_unknown_event": b'{"method":"Future.thing","params":{"a":1}}',
    "F48_unknown_enum": b'{"method":"Page.javascriptDialogOpening","params":{"type":"biometric"}}',
    "F49_missing_and_null": b'{"method":"Page.frameNavigated","params":{"frame":{"id":null}}}',
    "F50_no_params": b'{"method":"Page.loadEventFired"}',
    "F51_invalid_json": b'{"method":',
    "F52_array": b'[{"id":1}]',
    "params_is_an_array": b'{"method":"Page.loadEventFired","params":[]}',
    "F60_lone_surrogate": b'{"method":"Page.windowOpen","params":{"url":"\\ud800"}}',
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
async def test_after_any_message_the_next_command_works(
    no_leaks: None, wire: MemoryWire, raw: bytes, strict: bool
) -> None:
    async with Connection(wire, strict=strict) as browser:
        heard: list[Event] = []
        browser.listen(lambda _, event: heard.append(event))
        wire.feed(raw)
        sending = browser.send_nowait(NAVIGATE)
        wire.reply(NAVIGATED)

        assert (await asyncio.wait_for(sending, 1)).frame_id == "F"
        counters = browser.counters
        assert len(heard) == counters.events
        assert counters.events + counters.unknown_ids + counters.malformed + counters.warnings == 1
        assert counters.handler_errors == 0


async def test_a_result_that_lacks_a_field_is_delivered_and_recorded(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.reply({"loaderId": "L"})

    assert await sending == page.NavigateResult(frame_id=page.FrameId(""), loader_id=network.LoaderId("L"))
    assert browser.drift == (SchemaDrift("Page.navigate", "frameId", "string", "nothing"),)
    assert browser.counters.drift == 1


async def test_in_strict_mode_such_a_result_raises_at_the_caller_only(no_leaks: None, wire: MemoryWire) -> None:
    async with Connection(wire, strict=True) as browser:
        first, second = browser.send_nowait(NAVIGATE), browser.send_nowait(NAVIGATE)
        wire.reply({}, to=0)
        wire.reply(NAVIGATED, to=1)

        with pytest.raises(SchemaMismatch, match=r"^Page\.navigate: Object missing required field `frameId`$"):
            await first
        assert (await second).frame_id == "F"


async def test_a_result_that_is_no_object_raises_at_the_caller(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.feed(b'{"id":1,"result":[]}')

    with pytest.raises(SchemaMismatch, match=r"^Page\.navigate: expected an object, got array$"):
        await sending


async def test_an_unreadable_reply_fails_its_call_at_once(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.feed(b'{"id":1,"result":{"frameId"')

    with pytest.raises(SchemaMismatch, match="unreadable reply"):
        await asyncio.wait_for(sending, 1)
    assert browser.warnings == ("unreadable message: not JSON (27 bytes)",)


async def test_a_peer_that_speaks_no_cdp_is_given_up(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.feed(*[b"nope"] * 100)

    with pytest.raises(ConnectionLost, match="100 unreadable messages in a row"):
        await sending


async def test_not_even_a_mistake_of_the_library_takes_the_connection_down(
    browser: Connection, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    browser.listen(lambda _, __: None, page.FrameResized)
    with monkeypatch.context() as patch:
        patch.setattr("cdp_typed.subscriptions.decode", broken)
        patch.setattr("cdp_typed.link.decode", broken)
        failing = browser.send_nowait(NAVIGATE)
        wire.event("Page.frameResized")
        wire.reply(NAVIGATED)
        with pytest.raises(ZeroDivisionError):
            await failing
    sending = browser.send_nowait(NAVIGATE)
    wire.reply(NAVIGATED)

    assert (await sending).frame_id == "F"
    assert [record.message for record in caplog.records] == ["internal error while handling a message of the browser"]


# -- listeners ---------------------------------------------------------------------------------------------------


async def test_two_listeners_hear_the_same_event_and_one_may_leave(browser: Connection, wire: MemoryWire) -> None:
    heard: list[str] = []
    first = browser.listen(lambda _, __: heard.append("first"), page.FrameResized)
    browser.listen(lambda _, __: heard.append("second"), page.FrameResized)

    wire.event("Page.frameResized")
    await wire.drained()
    first.close()
    first.close()
    wire.event("Page.frameResized")
    await wire.drained()

    assert heard == ["first", "second", "second"]
    assert first.closed


async def test_one_listener_hears_several_types_in_wire_order_with_their_sessions(
    browser: Connection, wire: MemoryWire
) -> None:
    heard: list[tuple[str | None, str]] = []

    def hear(session_id: str | None, event: page.LoadEventFired | page.FrameResized) -> None:
        heard.append((session_id, event.METHOD))

    browser.listen(hear, page.LoadEventFired, page.FrameResized)
    wire.event("Page.loadEventFired", {"timestamp": 1}, session="S")
    wire.event("Page.frameResized")
    wire.event("Page.domContentEventFired", {"timestamp": 1}, session="S")
    wire.event("Page.loadEventFired", {"timestamp": 2})
    await wire.drained()

    assert heard == [("S", "Page.loadEventFired"), (None, "Page.frameResized"), (None, "Page.loadEventFired")]


async def test_a_session_hears_its_own_events_and_root_the_browsers(browser: Connection, wire: MemoryWire) -> None:
    tab = await _tab(browser, wire)
    heard: list[str] = []
    tab.listen(lambda session_id, _: heard.append(f"tab {session_id}"), page.FrameResized)
    browser.root.listen(lambda session_id, _: heard.append(f"root {session_id}"), page.FrameResized)

    for session in ("P", "other", None):
        wire.event("Page.frameResized", session=session)
    await wire.drained()

    assert heard == ["tab P", "root None"]


async def test_a_listener_that_raises_is_logged_once_and_isolated(
    browser: Connection, wire: MemoryWire, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[Event] = []
    cancelled = asyncio.get_running_loop().create_future()
    cancelled.cancel()

    def broken(_: str | None, __: Event) -> None:
        raise RuntimeError("a listener's own mistake")

    browser.listen(broken, page.FrameResized)
    browser.listen(lambda _, __: cancelled.result(), page.FrameResized)
    browser.listen(lambda _, event: heard.append(event), page.FrameResized)
    wire.event("Page.frameResized")
    wire.event("Page.frameResized")
    await wire.drained()

    assert len(heard) == 2
    assert browser.counters.handler_errors == 4
    assert [record.levelno for record in caplog.records if record.name == "cdp_typed"] == [logging.ERROR] * 2


async def test_a_listener_may_close_another_while_an_event_is_delivered(browser: Connection, wire: MemoryWire) -> None:
    heard: list[str] = []
    later: list[Subscription] = []
    browser.listen(lambda _, __: later[0].close(), page.FrameResized)
    later.append(browser.listen(lambda _, __: heard.append("later"), page.FrameResized))

    wire.event("Page.frameResized")
    await wire.drained()

    assert heard == []


async def test_a_listener_may_start_a_task_that_awaits_a_command(browser: Connection, wire: MemoryWire) -> None:
    tasks: list[asyncio.Task[page.NavigateResult]] = []
    started = asyncio.Event()

    def hear(_: str | None, __: page.FrameResized) -> None:
        tasks.append(asyncio.create_task(browser.send(NAVIGATE)))
        started.set()

    browser.listen(hear, page.FrameResized)
    wire.event("Page.frameResized")
    await started.wait()
    await asyncio.sleep(0)
    wire.reply(NAVIGATED)

    assert (await tasks[0]).frame_id == "F"


async def test_an_event_nobody_listens_to_is_never_decoded(browser: Connection, wire: MemoryWire) -> None:
    wire.event("Page.loadEventFired", {"timestamp": "not a number"})
    await wire.drained()

    assert browser.counters == Counters(messages=1, events=1)


async def test_unknown_events_can_be_tapped_and_are_counted(browser: Connection, wire: MemoryWire) -> None:
    heard: list[Event] = []
    browser.listen(lambda _, event: heard.append(event), UnknownEvent)
    wire.event("Future.thing", {"text": "a"}, session="S")
    wire.feed(b'{"method":"Page.loadEventFired","params":[1]}')
    browser.listen(lambda _, __: None, page.LoadEventFired)
    wire.event("Page.frameResized")
    await wire.drained()

    assert heard == [
        UnknownEvent(method="Future.thing", session_id="S", raw=b'{"text": "a"}'),
        UnknownEvent(method="Page.loadEventFired", session_id=None, raw=b"[1]"),
    ]
    assert isinstance(heard[0], UnknownEvent)
    assert heard[0].params == {"text": "a"}
    assert browser.counters.unknown_events == 2


async def test_an_event_class_of_ones_own_can_be_listened_to(browser: Connection, wire: MemoryWire) -> None:
    class Thing(Event, frozen=True, kw_only=True):
        METHOD = "Future.thing"
        text: str

    heard: list[Event] = []
    browser.listen(lambda _, event: heard.append(event), Thing)
    browser.listen(lambda _, event: heard.append(event))
    wire.event("Future.thing", {"text": "a"})
    await wire.drained()

    assert heard == [Thing(text="a")] * 2


# -- sessions ----------------------------------------------------------------------------------------------------


async def test_attaching_gives_a_session_with_its_target(browser: Connection, wire: MemoryWire) -> None:
    attaching = asyncio.create_task(browser.attach("T"))
    await asyncio.sleep(0)
    wire.attach("P", target="T")
    wire.reply({"sessionId": "P"})

    tab = await attaching

    assert wire.sent[0]["params"] == {"targetId": "T", "flatten": True}
    assert (tab.session_id, tab.target_id, tab.target_info.type) == ("P", "T", "page")
    assert repr(tab) == "<Session P of page T>"
    assert browser.sessions == (tab,)
    assert hash(tab) == hash(browser.session("P"))


async def test_a_session_that_was_not_announced_is_looked_up(browser: Connection, wire: MemoryWire) -> None:
    attaching = asyncio.create_task(browser.attach("T"))
    await asyncio.sleep(0)
    wire.reply({"sessionId": "P"})
    while len(wire.sent) < 2:
        await wire.drained()
        await asyncio.sleep(0)
    info = {"targetId": "T", "type": "tab", "title": "", "url": "", "attached": True, "canAccessOpener": False}
    wire.reply({"targetInfo": info})

    assert (await attaching).target_info.type == "tab"
    assert wire.sent[1]["method"] == "Target.getTargetInfo"


async def test_sessions_know_parent_and_children(browser: Connection, wire: MemoryWire) -> None:
    tab = await _tab(browser, wire)
    frame = await _tab(browser, wire, "C", target="F", parent="P", kind="iframe")

    assert (tab.parent, tab.children, frame.parent, frame.children) == (None, (frame,), tab, ())


async def test_a_session_sends_with_its_own_id(browser: Connection, wire: MemoryWire) -> None:
    tab = await _tab(browser, wire)
    sending = asyncio.create_task(tab.send(NAVIGATE))
    await asyncio.sleep(0)
    nowait = tab.send_nowait(NAVIGATE)
    wire.reply(NAVIGATED, to=0)
    wire.reply(NAVIGATED, to=1)
    await asyncio.gather(sending, nowait)

    assert [each["sessionId"] for each in wire.sent] == ["P", "P"]


async def test_unknown_and_ended_sessions_are_told_apart(browser: Connection, wire: MemoryWire) -> None:
    await _tab(browser, wire)
    wire.detach("P")
    await wire.drained()

    with pytest.raises(SessionDetached, match="session P was detached"):
        browser.session("P")
    with pytest.raises(LookupError, match="session Q was never announced"):
        browser.session("Q")


async def test_a_detach_fails_everything_of_the_session_at_once(browser: Connection, wire: MemoryWire) -> None:
    tab = await _tab(browser, wire)
    frame = await _tab(browser, wire, "C", target="F", parent="P", kind="iframe")
    calls = [tab.send_nowait(NAVIGATE), frame.send_nowait(NAVIGATE)]
    survivor = browser.send_nowait(NAVIGATE)
    listening = frame.listen(lambda _, __: None, page.FrameResized)
    wire.detach("P")
    wire.reply(NAVIGATED, to=2)

    for call, session in zip(calls, ("P", "C"), strict=True):
        with pytest.raises(SessionDetached, match=rf"^Page\.navigate: session {session} was detached$"):
            await call
    assert (await survivor).frame_id == "F"
    assert (tab.is_over, frame.is_over, listening.closed) == (True, True, True)
    for use in (tab.send(NAVIGATE), tab.events(page.FrameResized).__aenter__()):
        with pytest.raises(SessionDetached):
            await use
    with pytest.raises(SessionDetached):
        tab.listen(lambda _, __: None, page.FrameResized)


async def test_a_crash_fails_calls_but_the_session_goes_on(browser: Connection, wire: MemoryWire) -> None:
    tab = await _tab(browser, wire)
    call = tab.send_nowait(NAVIGATE)
    wire.event("Inspector.targetCrashed", session="P")

    with pytest.raises(TargetCrashed, match=r"^Page\.navigate: the target of session P crashed$"):
        await call
    reload = tab.send_nowait(page.Reload())
    wire.event("Target.targetCrashed", {"targetId": "T", "status": "crashed", "errorCode": 0})
    wire.reply()
    await reload
    assert not tab.is_over


async def test_detaching_is_sent_to_the_parent_and_may_be_done_twice(browser: Connection, wire: MemoryWire) -> None:
    await _tab(browser, wire)
    frame = await _tab(browser, wire, "C", target="F", parent="P", kind="iframe")
    detaching = asyncio.create_task(frame.detach())
    await asyncio.sleep(0)
    wire.detach("C", parent="P")
    wire.reply()
    await detaching
    again = asyncio.create_task(frame.detach())
    await asyncio.sleep(0)
    wire.feed({"id": 2, "error": {"code": -32602, "message": "No session with given id"}})
    await again

    assert [(each["sessionId"], each["params"]) for each in wire.sent] == [("P", {"sessionId": "C"})] * 2


async def test_detaching_that_the_browser_refuses_raises(browser: Connection, wire: MemoryWire) -> None:
    tab = await _tab(browser, wire)
    detaching = asyncio.create_task(tab.detach())
    await asyncio.sleep(0)
    wire.feed({"id": 1, "error": {"code": -32000, "message": "no"}})

    with pytest.raises(CommandError, match="no"):
        await detaching


# -- the end -----------------------------------------------------------------------------------------------------


async def test_a_loss_fails_everything_with_its_cause(browser: Connection, wire: MemoryWire) -> None:
    tab = await _tab(browser, wire)
    calls = [browser.send_nowait(NAVIGATE), tab.send_nowait(NAVIGATE)]
    cause = ConnectionResetError("reset")
    wire.end("the browser is gone", cause)

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


def test_all_stands_for_every_session() -> None:
    assert ALL.value == "every session"
