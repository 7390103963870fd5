"""Commands of a connection: in order, each with its own end, and nothing pending after it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cdp_typed import Connection, Counters
from cdp_typed.errors import CommandTimeout, InvalidParams, MessageTooBig
from cdp_typed.protocol import page, runtime
from tests.cdp_typed.client.conftest import NAVIGATE, NAVIGATED, begun
from tests.support.wires.memory_wire import MemoryWire


async def test_a_command_returns_its_result_or_none_or_raises_its_error(browser: Connection, wire: MemoryWire) -> None:
    navigating, enabling = browser.send_nowait(NAVIGATE), browser.send_nowait(page.Enable(), session_id="S")
    refused, too_big = browser.send_nowait(NAVIGATE), browser.send_nowait(page.Navigate(url="x" * 2**26))
    wire.reply(NAVIGATED, to=0)
    wire.reply({"unheardOf": 1}, to=1)
    wire.feed({"id": 3, "error": {"code": -32602, "message": "Invalid parameters", "data": "why"}})

    assert await navigating == page.NavigateResult(frame_id=page.FrameId("F"))
    assert await enabling is None  # type: ignore[func-returns-value]  # that it is None is what is tested
    with pytest.raises(InvalidParams, match=r"^Page\.navigate: Invalid parameters \(why\) \[-32602\]$"):
        await refused
    with pytest.raises(MessageTooBig):
        await too_big
    assert wire.sent[:2] == [
        {"id": 1, "method": "Page.navigate", "params": {"url": "x"}},
        {"id": 2, "method": "Page.enable", "params": {}, "sessionId": "S"},
    ]


async def test_commands_are_written_in_order_and_replies_in_another_one_reach_their_callers(
    browser: Connection, wire: MemoryWire
) -> None:
    first, second = (browser.send_nowait(page.Navigate(url=url)) for url in ("1", "2"))
    assert [message["params"]["url"] for message in wire.sent] == ["1", "2"]
    wire.reply({"frameId": "2"}, to=1)
    wire.reply({"frameId": "1"}, to=0)

    assert [(await first).frame_id, (await second).frame_id] == ["1", "2"]


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
    task = await begun(browser.send(NAVIGATE))
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert browser.pending == 0
    wire.reply(NAVIGATED)
    await wire.drained()
    assert browser.counters.late_replies == 1


@pytest.mark.parametrize("end", ["cancellation", "deadline"])
async def test_a_reply_that_meets_the_end_of_its_call_is_harmless(
    browser: Connection, wire: MemoryWire, caplog: pytest.LogCaptureFixture, end: str
) -> None:
    """The reply is handled after the future has ended, and before its callbacks run."""
    loop_errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loop_errors.append(context))
    future = browser.send_nowait(NAVIGATE, timeout=0 if end == "deadline" else 5)
    wire.reply(NAVIGATED)
    if end == "cancellation":
        future.cancel()
    await wire.drained()
    await asyncio.wait([future])

    assert browser.pending == 0
    assert (loop_errors, caplog.records) == ([], [])


async def test_a_failure_that_nobody_asks_for_is_not_reported(browser: Connection, wire: MemoryWire) -> None:
    """`Runtime.runIfWaitingForDebugger` must not be awaited; its failure must not end in a log either."""
    loop_errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loop_errors.append(context))
    _ = browser.send_nowait(runtime.RunIfWaitingForDebugger())
    wire.feed({"id": 1, "error": {"code": -32000, "message": "no"}})
    await wire.drained()
    _ = None

    assert loop_errors == []
