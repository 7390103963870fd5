"""In every situation in which others go wrong, our tools do the right thing or say that they did not."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from evals.situations import sheets
from evals.situations.situation import SITUATIONS, Situation, Verdict, play
from evals.tasks.desk import Room
from evals.tasks.our_hands import OurHands, clear_up
from evals.tasks.raw_cdp import RawBrowser
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.support.browsers import launched

pytestmark = [pytest.mark.chromium, pytest.mark.thorough]

HONEST = {"row_that_is_recycled", "element_that_is_drawn_anew"}
"""Where the tools refuse what was asked for, because the page has changed since it was read."""


@contextmanager
def ours() -> Generator[tuple[OurHands, RawBrowser]]:
    """Our tools on a new browser, and its judge."""
    registry = SupervisorRegistry()
    with launched() as browser, RawBrowser(browser.ws_url) as judge:
        toolbox = Toolbox(Config(cdp_url=browser.ws_url, call_timeout_s=10), registry=registry)

        def call(name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
            text = toolbox.dispatch(name, dict(arguments))
            return text, not json.loads(text)["success"]

        yield OurHands(call, frozenset(tool.name for tool in toolbox.available())), judge
        registry.stop_all()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """The server of all situations."""
    with Room(Path(), tmp_path_factory.mktemp("situations")) as room:
        yield room


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[OurHands, RawBrowser]]:
    """A browser for all situations that do not end it."""
    with ours() as place:
        yield place


def verdict(situation: Situation, place: tuple[OurHands, RawBrowser], room: Room) -> tuple[Verdict, str]:
    """The verdict on our tools, and its reason."""
    hands, judge = place
    desk = room.desk(situation.task, judge)
    try:
        result = play(situation, hands, desk)
    finally:
        desk.close()
        if not situation.ends_browser:
            clear_up(hands, judge)
    return result.verdict, result.reason


def expected(situation: Situation) -> Verdict:
    """The verdict that it has to be."""
    return Verdict.HONEST if str(situation) in HONEST else Verdict.RIGHT


@pytest.mark.parametrize("situation", [one for one in SITUATIONS.values() if not one.ends_browser], ids=str)
def test_the_server_of_the_page_finds_it_right(
    situation: Situation, shared: tuple[OurHands, RawBrowser], room: Room
) -> None:
    given, reason = verdict(situation, shared, room)

    assert given == expected(situation), reason


@pytest.mark.parametrize("situation", [one for one in SITUATIONS.values() if one.ends_browser], ids=str)
def test_a_browser_that_is_killed_is_reported(situation: Situation, room: Room) -> None:
    with ours() as place:
        given, reason = verdict(situation, place, room)

    assert given == Verdict.RIGHT, reason


def test_there_are_more_than_forty_situations_on_every_sheet() -> None:
    assert len(SITUATIONS) > 40
    assert {one.task.sheet for one in SITUATIONS.values()} == set(sheets.__all__)
