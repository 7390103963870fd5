"""Clients see the same beside a supervisor of ours as alone.

`make beside` plays the whole of it, with Playwright and Puppeteer, which it installs; `CDP_TYPED_FOREIGN` says where
they are. Without them our own clients play some of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import replace

import pytest

from evals.beside.playing import Outcomes, Play, play
from evals.beside.programs import Program, own_programs, programs
from evals.beside.settings import SETTINGS

pytestmark = [pytest.mark.chromium, pytest.mark.thorough, pytest.mark.timeout(900)]


def every_play(program: Program) -> Iterable[Play]:
    """Each setting beside new pages, and on the page that was there, coming before the client and after it.

    A supervisor that comes first manages that page, and does not give it up to a second one: that both manage it then
    is what their users asked for.
    """
    for setting in SETTINGS:
        yield Play(program, "new", setting)
        if program.name != "supervisor":
            yield Play(program, "shared", setting)
        yield Play(program, "shared", setting, is_after=True)


def some_plays(program: Program) -> Iterable[Play]:
    """Three settings; and each scenario on new pages or on the shared page, not on both."""
    some = {("new", "accepting", False), ("shared", "bridge", False), ("shared", "watching", True)}
    on_shared = program.scenarios("shared")[1::2]
    on_new = tuple(name for name in program.scenarios("new") if name not in on_shared)
    for wanted in every_play(program):
        if (wanted.group, wanted.setting, wanted.is_after) in some:
            yield replace(wanted, only=on_new if wanted.group == "new" else on_shared)


HAS_FOREIGN = len(programs()) > len(own_programs())
PLAYS = [play for program in programs() for play in (every_play(program) if HAS_FOREIGN else some_plays(program))]


def alone(play: Play) -> Play:
    return replace(play, setting=None, is_after=False)


def scenarios(play: Play) -> tuple[str, ...]:
    return play.only or play.program.scenarios(play.group)


def words(play: Play) -> str:
    return "-".join([play.program.name, play.group, play.setting or "alone", *(["after"] if play.is_after else [])])


@pytest.fixture(scope="module")
def outcomes() -> Callable[[Play], Outcomes]:
    """Plays each play once, when the first test asks for it, and returns what was seen."""
    played: dict[Play, Future[Outcomes]] = {}

    def ask(wanted: Play) -> Outcomes:
        if wanted not in played:
            played[wanted] = Future()
            try:
                played[wanted].set_result(play(wanted))
            except Exception as error:
                played[wanted].set_exception(error)
        return played[wanted].result()

    return ask


@pytest.mark.parametrize("play", dict.fromkeys(map(alone, PLAYS)), ids=words)
def test_alone_a_client_plays_every_scenario_to_its_end(play: Play, outcomes: Callable[[Play], Outcomes]) -> None:
    seen = outcomes(play)

    assert sorted(seen) == sorted(scenarios(play))
    assert {name: steps for name, steps in seen.items() if any(step[0] == "error" for step in steps)} == {}


@pytest.mark.parametrize(
    ("play", "scenario"),
    [
        pytest.param(play, scenario, id=f"{words(play)}-{scenario.replace(' ', '_')}")
        for play in PLAYS
        for scenario in scenarios(play)
    ],
)
def test_a_client_sees_the_same_beside_a_supervisor(
    play: Play, scenario: str, outcomes: Callable[[Play], Outcomes]
) -> None:
    assert outcomes(play).get(scenario) == outcomes(alone(play))[scenario]
