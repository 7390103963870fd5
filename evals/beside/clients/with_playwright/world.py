"""The arguments of a scenario, and the list of scenarios."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from playwright.async_api import Browser, BrowserContext, Page


@dataclass
class World:
    """One scenario's surroundings, and what it has seen."""

    browser: Browser
    own: str
    other: str
    folder: Path
    seen: list[list[Any]] = field(default_factory=list)
    _listeners: list[tuple[Any, str, Callable[..., Any]]] = field(default_factory=list)
    _contexts: list[BrowserContext] = field(default_factory=list)

    def see(self, name: str, value: Any) -> None:
        self.seen.append([name, value])

    def on(self, emitter: Any, event: str, listener: Callable[..., Any]) -> None:
        """Listen until the end of the scenario."""
        self._listeners.append((emitter, event, listener))
        emitter.on(event, listener)

    async def context(self, **options: Any) -> Page:
        """A page in a browser context of its own, which ends with the scenario."""
        context = await self.browser.new_context(**options)
        context.set_default_timeout(TIMEOUT_MS)
        self._contexts.append(context)
        return await context.new_page()

    async def end(self) -> None:
        for emitter, event, listener in self._listeners:
            emitter.remove_listener(event, listener)
        for context in self._contexts:
            await context.close()


Scenario: TypeAlias = Callable[[Page, World], Awaitable[None]]

TIMEOUT_MS = 10_000
SCENARIOS: dict[str, Scenario] = {}
NEW_PAGES_ONLY: set[str] = set()
"""Those that close their page, or never look at it."""


def scenario(play: Scenario) -> Scenario:
    SCENARIOS[play.__name__.replace("_", " ")] = play
    return play


def new_pages_only(play: Scenario) -> Scenario:
    NEW_PAGES_ONLY.add(play.__name__.replace("_", " "))
    return scenario(play)
