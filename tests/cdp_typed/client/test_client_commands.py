"""Commands of a connection: in order, each with its own end, and nothing pending after it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cdp_typed import Connection, Counters
from cdp_typed.errors import CommandTimeout, InvalidParams, MessageTooBig
from cdp_typed.protocol import page, runtime
from tests.cdp_typed.client.conftest import NAVIGATE, NAVIGATED
from tests.support.wires.memory_wire import MemoryWire


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

    assert [message["params"]["expression"] for message in wire.sent] == ["0", "1", "2", "3", "4"]

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
    """The reply is handled after the future is cancelled, and before its callbacks run."""
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
