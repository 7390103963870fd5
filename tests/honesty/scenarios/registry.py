"""The list of scenarios: async functions of a `Play`, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, overload

from tests.honesty.player import Params, Play

Scenario: TypeAlias = Callable[[Play], Awaitable[None]]

Calls: TypeAlias = Sequence[tuple[str, Params]]

SCENARIOS: Final[dict[str, Scenario]] = {}
DOMAINS: Final[dict[str, str]] = {}
"""What each scenario is about: the name of its module."""
FATAL: Final[set[str]] = set()
"""The scenarios that end the browser, and so need one of their own."""


@overload
def scenario(play: Scenario) -> Scenario: ...
@overload
def scenario(*, fatal: bool) -> Callable[[Scenario], Scenario]: ...
def scenario(play: Scenario | None = None, *, fatal: bool = False) -> Scenario | Callable[[Scenario], Scenario]:
    """Register a function as a scenario."""

    def add(play: Scenario) -> Scenario:
        name = getattr(play, "__name__", "")
        register(name, play.__module__, play)
        if fatal:
            FATAL.add(name)
        return play

    return add if play is None else add(play)


def register(name: str, module: str, play: Scenario) -> None:
    """Register a scenario of the module by name."""
    assert name not in SCENARIOS, name
    SCENARIOS[name] = play
    DOMAINS[name] = module.rpartition(".")[2]


def scenarios_of_calls(module: str, tables: Mapping[str, Calls], *, path: str = "/plain") -> None:
    """Register a scenario for each list of calls, which are made on the session of a page, one after the other."""

    def of(calls: Calls) -> Scenario:
        async def play_calls(play: Play) -> None:
            tab = await play.tab(path)
            for method, params in calls:
                await tab.call(method, params)

        return play_calls

    for name, calls in tables.items():
        register(name, module, of(calls))


def evaluations(*expressions: str, **options: Any) -> Calls:
    """Return a call of `Runtime.evaluate` for each expression."""
    return [("Runtime.evaluate", {"expression": expression, **options}) for expression in expressions]
