"""How far the ways through the code are: Python calls and changes of file, counted on the thread of the connection."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import sysconfig
from collections.abc import Awaitable
from pathlib import Path
from types import FrameType
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct

import cdp_typed
import supervisor
from cdp_typed.mock import Page, ThreadedMockServer
from cdp_typed.protocol import runtime
from supervisor import AsyncSupervisor, BlockedByDialog

ROOT: Final = Path(__file__).parents[2]
ROOTS: Final = tuple(str(Path(package.__path__[0])) for package in (cdp_typed, supervisor))
STDLIB: Final = sysconfig.get_path("stdlib")
LIBRARIES: Final = sysconfig.get_path("purelib")
SITE: Final = {"http://a.test/": Page(title="A")}


class Walk(Struct, frozen=True):
    """The way of one call through `cdp_typed`, `supervisor` and the libraries that they use."""

    calls: int
    """Calls of Python functions, each resumption of a coroutine included, without those of the standard library."""
    files: int
    """Files of ours."""
    changes: int
    """How often the next function of ours, called or returned to, is in another file."""


LIMITS: Final = {
    "a command": Walk(142, 28, 102),
    "a dialog, from its event to its caller": Walk(128, 31, 79),
    "respond_to_dialog": Walk(186, 30, 118),
}
"""The most that each may take; whoever makes one shorter lowers its limit.

They are counted in a process of their own: what other tests have left in theirs makes a walk shorter or longer.
"""


@pytest.mark.parametrize("what", LIMITS)
def test_a_walk_is_no_longer_than_its_limit(what: str) -> None:
    done = subprocess.run([sys.executable, "-m", __name__, what], cwd=ROOT, capture_output=True, check=True)
    walk, limit = msgspec.json.decode(done.stdout, type=Walk), LIMITS[what]

    assert walk.calls <= limit.calls, walk
    assert walk.files <= limit.files, walk
    assert walk.changes <= limit.changes, walk


async def _walked(what: str) -> Walk:
    with ThreadedMockServer(SITE) as server:
        async with AsyncSupervisor(server.url) as running:
            await running.navigate("http://a.test/")
            return await running.with_driver(lambda _: _walk(running, what))


async def _walk(running: AsyncSupervisor, what: str) -> Walk:
    await running.send(runtime.Evaluate(expression="1"))  # once before: what is cached from then on is not counted
    with pytest.raises(BlockedByDialog):
        await running.evaluate("confirm(1)")
    await running.respond_to_dialog("accept")
    match what:
        case "a command":
            return await _count(running.send(runtime.Evaluate(expression="1")))
        case "respond_to_dialog":
            with pytest.raises(BlockedByDialog):
                await running.evaluate("confirm(1)")
            return await _count(running.respond_to_dialog("accept"))
        case _:
            opening = asyncio.create_task(running.evaluate("confirm(1)"))
            await asyncio.sleep(0)  # it was sent
            return await _count(_blocked(opening))


async def _blocked(opening: asyncio.Task[Any]) -> None:
    with pytest.raises(BlockedByDialog):
        await opening


async def _count(work: Awaitable[object]) -> Walk:
    """Count until the work is done; the browser is on another thread."""
    steps: list[str] = []
    calls = 0

    def see(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        if event not in ("call", "return"):
            return
        name = frame.f_code.co_filename
        calls += event == "call" and (name.startswith(LIBRARIES) or not name.startswith((STDLIB, "<frozen")))
        file = frame.f_code.co_filename if event == "call" else frame.f_back.f_code.co_filename if frame.f_back else ""
        if file.startswith(ROOTS) and (not steps or steps[-1] != file):
            steps.append(file)

    sys.setprofile(see)
    try:
        await work
    finally:
        sys.setprofile(None)
    return Walk(calls, len(set(steps)), len(steps) - 1)


if __name__ == "__main__":
    shortest = min((asyncio.run(_walked(sys.argv[1])) for _ in range(3)), key=lambda walk: walk.calls)
    sys.stdout.buffer.write(msgspec.json.encode(shortest))
