"""The cost of a tool call beyond the work of its handler."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from msgspec import Struct

from benchmarks.table import medians, render
from cdp_typed.mock import ThreadedMockServer
from supervisor import Config, SupervisorRegistry
from supervisor.tools import CATALOGUE, Catalogue, Toolbox, ToolContext, tool

ROUNDS, CALLS = 15, 100
GOAL_US = 300


class Nothing(Struct, frozen=True, kw_only=True):
    """No arguments, and no result."""


def report() -> str:
    """Return the table."""
    catalogue = Catalogue(CATALOGUE)

    @tool(toolset="empty", catalogue=catalogue)
    async def do_nothing(context: ToolContext, arguments: Nothing) -> Nothing:
        """Do nothing."""
        return arguments

    @tool(toolset="empty", catalogue=catalogue)
    def block_for_nothing(context: ToolContext, arguments: Nothing) -> Nothing:
        """Do nothing on a thread."""
        return arguments

    loop = asyncio.new_event_loop()
    registry = SupervisorRegistry()
    with ThreadedMockServer() as browser:
        config = Config(cdp_url=browser.url)
        with Toolbox(config, toolsets="*", catalogue=catalogue, registry=registry) as toolbox:
            workers: dict[str, Callable[[], object]] = {
                "dispatch, an async handler": lambda: toolbox.dispatch(do_nothing.name),
                "adispatch, an async handler": lambda: loop.run_until_complete(toolbox.adispatch(do_nothing.name)),
                "dispatch, a blocking handler": lambda: toolbox.dispatch(block_for_nothing.name),
                "beside them: asyncio.run": lambda: asyncio.run(_nothing()),
            }
            for work in workers.values():
                work()
            times = medians(list(workers.values()), rounds=ROUNDS, calls=CALLS)
            processor = [_processor_time(work) for work in workers.values()]
    loop.close()
    rows = [
        [name, f"{elapsed * 1e6:.0f} us", f"{of_it * 1e6:.0f} us", f"{GOAL_US} us" if "async handler" in name else ""]
        for name, elapsed, of_it in zip(workers, times, processor, strict=True)
    ]
    header = ["", "time", "processor time", "goal, at most"]
    return render("A tool call above the work of its handler (smaller is better)", header, rows)


def _processor_time(work: Callable[[], object]) -> float:
    """Return the seconds of the processor that one call takes, on all threads of this process."""
    started = time.process_time()
    for _ in range(ROUNDS * CALLS):
        work()
    return (time.process_time() - started) / (ROUNDS * CALLS)


async def _nothing() -> None:
    """Return at once."""
