"""The end of a connection, by whichever side."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import Connection, Session
from cdp_typed.errors import ConnectionLost
from cdp_typed.protocol import page, target
from tests.cdp_typed.client.conftest import NAVIGATE, NAVIGATED
from tests.support.wires.memory_wire import MemoryWire


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
