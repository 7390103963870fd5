"""`watch --json`: a line for each change."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed.mock import ThreadedMockServer
from supervisor import AsyncSupervisor, CDPSupervisor, NotRunning
from supervisor.watch.json_lines import follow


async def test_each_change_is_a_line_and_the_end_of_the_browser_an_error(
    mock: ThreadedMockServer, other: CDPSupervisor
) -> None:
    """Changes from before are lines, too."""
    lines: list[dict[str, object]] = []

    def write(change: dict[str, object]) -> None:
        lines.append(change)
        if change["kind"] == "page_opened":
            mock.browser.close()

    async with AsyncSupervisor(mock.url, reconnect_attempts=0) as supervisor, asyncio.timeout(30):
        with pytest.raises(NotRunning):
            await follow(supervisor, write)

    assert [change["seq"] for change in lines] == list(range(1, len(lines) + 1))
    assert (lines[-1]["kind"], lines[-1]["subject"]) == ("link", "lost")
