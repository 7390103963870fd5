"""The generators of PyCDP run on this client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import cdp.dom
import cdp.page
import cdp.runtime
import pytest

from cdp_typed import CommandError, Connection, Session
from tests.support.wires.memory_wire import MemoryWire

NUMBER = {"result": {"type": "number", "value": 7, "description": "7"}}


@pytest.fixture
def wire() -> MemoryWire:
    return MemoryWire()


@pytest.fixture
async def browser(no_leaks: None, wire: MemoryWire) -> AsyncIterator[Connection]:
    async with Connection(wire, command_timeout=5) as connection:
        yield connection


@pytest.fixture
async def tab(browser: Connection, wire: MemoryWire) -> Session:
    wire.attach("P")
    await wire.drained()
    return browser.session("P")


async def test_a_pycdp_command_returns_what_pycdp_makes_of_the_result(tab: Session, wire: MemoryWire) -> None:
    running = asyncio.create_task(tab.execute(cdp.runtime.evaluate("3 + 4", return_by_value=True)))
    await asyncio.sleep(0)
    wire.reply(NUMBER)

    result, problem = await running
    assert (result, problem) == (cdp.runtime.RemoteObject(type_="number", value=7, description="7"), None)
    assert wire.sent[0]["params"] == {"expression": "3 + 4", "returnByValue": True}


async def test_a_pycdp_command_without_parameters_or_result_runs_on_the_browser_too(
    browser: Connection, wire: MemoryWire
) -> None:
    running: asyncio.Task[None] = asyncio.create_task(browser.execute(cdp.page.enable()))
    await asyncio.sleep(0)
    wire.reply()

    await running
    assert wire.sent == [{"id": 1, "method": "Page.enable", "params": {}}]


async def test_a_pycdp_command_that_the_browser_refuses_raises_the_same_error(tab: Session, wire: MemoryWire) -> None:
    running = asyncio.create_task(tab.execute(cdp.dom.describe_node(node_id=cdp.dom.NodeId(4711))))
    await asyncio.sleep(0)
    wire.feed({"id": 1, "error": {"code": -32000, "message": "Could not find node with given id"}})

    with pytest.raises(CommandError, match=r"^DOM\.describeNode: Could not find node with given id \[-32000\]$"):
        await running
