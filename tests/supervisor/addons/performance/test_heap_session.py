"""The session that keeps the numbers of a page's objects, on the mock."""

from __future__ import annotations

from cdp_typed.mock import ThreadedMockServer
from supervisor.addons.performance.heap_session import SESSIONS, end, session_of
from supervisor.aio import AsyncSupervisor


async def test_a_session_stays_with_its_page_and_ends_when_another_page_begins_one(no_leaks: None) -> None:
    with ThreadedMockServer() as mock:
        async with AsyncSupervisor(mock.url) as supervisor:
            first = await session_of(supervisor)
            assert await session_of(supervisor) is first

            await supervisor.open_page()
            second = await session_of(supervisor)
            assert (first.measurement.has_ended, second.measurement.has_ended) == (True, False)

            await end(supervisor, second)
            assert (second.measurement.has_ended, supervisor in SESSIONS) == (True, False)
