"""The frame of the programs of our own clients: arguments, scenarios, and the printing of outcomes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

__all__ = ["Scenarios", "World", "main"]

T = TypeVar("T")

SCENARIO_S = 30


@dataclass
class World:
    """The sites and the folder of a scenario, and the values that it has seen."""

    own: str
    other: str
    folder: Path
    seen: list[list[Any]] = field(default_factory=list[list[Any]])

    def see(self, name: str, value: Any) -> None:
        self.seen.append([name, value])


class Scenarios(Generic[T]):
    """The scenarios of one client; `T` is its type for a page."""

    def __init__(self) -> None:
        self.plays: dict[str, Callable[[T, World], Awaitable[None]]] = {}
        self.new_pages_only: set[str] = set()

    def add(self, play: Callable[[T, World], Awaitable[None]]) -> Callable[[T, World], Awaitable[None]]:
        self.plays[play.__name__.replace("_", " ")] = play
        return play

    def add_for_new_pages(self, play: Callable[[T, World], Awaitable[None]]) -> Callable[[T, World], Awaitable[None]]:
        """One that closes its page."""
        self.new_pages_only.add(play.__name__.replace("_", " "))
        return self.add(play)

    async def play(self, name: str, page: T, world: World) -> None:
        try:
            async with asyncio.timeout(SCENARIO_S):
                await self.plays[name](page, world)
        except Exception as error:  # whatever it is, it is an outcome
            world.see("error", f"{type(error).__name__}: {str(error).splitlines()[:1]}")
        _tell(scenario=name, seen=world.seen)


Open = Callable[[str, str | None], AbstractAsyncContextManager[Callable[[], AbstractAsyncContextManager[T]]]]
"""Given the address of a browser, and the URL of the page that all scenarios share or nothing: connects, and gives what
opens a page for a scenario."""


def main(scenarios: Scenarios[T], connect: Open[T]) -> None:
    """Usage: ADDRESS OWN OTHER FOLDER new|shared [SCENARIO...]."""
    asyncio.run(_play(scenarios, connect, *sys.argv[1:]))


async def _play(
    scenarios: Scenarios[T], connect: Open[T], address: str, own: str, other: str, folder: str, group: str, *only: str
) -> None:
    left_out = scenarios.new_pages_only if group == "shared" else set[str]()
    async with connect(address, f"{own}/plain" if group == "shared" else None) as open_page:
        _tell(connected=True)
        await asyncio.to_thread(sys.stdin.readline)
        for name in only or [name for name in scenarios.plays if name not in left_out]:
            with contextlib.suppress(Exception):  # what is left of a scenario that failed
                async with asyncio.timeout(2 * SCENARIO_S), open_page() as page:
                    await scenarios.play(name, page, World(own, other, Path(folder)))


def _tell(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
