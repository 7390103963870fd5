"""A connection over a wire in memory, whose other end the test holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

import pytest

from cdp_typed import Connection, Session
from cdp_typed.protocol import page
from tests.support.wires.memory_wire import MemoryWire

T = TypeVar("T")

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


@pytest.fixture
async def tab(browser: Connection, wire: MemoryWire) -> Session:
    return await attached(browser, wire)


async def attached(browser: Connection, wire: MemoryWire, session: str = "P", **attach: Any) -> Session:
    """A session that the browser announces now."""
    wire.attach(session, **attach)
    await wire.drained()
    return browser.session(session)


async def begun(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task that has sent its first command."""
    task = asyncio.create_task(work)
    await asyncio.sleep(0)
    return task
