"""The arena has its tasks, and counts what it says that it counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from evals.agents.playwright_hands import PlaywrightHands
from evals.agents.stdio_client import StdioClient
from evals.arena import miniwob, tasks
from evals.arena.__main__ import play_tasks
from evals.arena.applications.application import Application, NotStarted
from evals.arena.applications.miniwob import MiniWoB
from evals.arena.reading import Reading
from evals.arena.task import TASKS, ArenaTask
from evals.tasks.hands import Hands, Usage, View
from evals.tasks.our_hands import OurHands
from evals.tasks.playing import Outcome, play

assert tasks.__name__, miniwob.__name__  # they register their tasks

OURS = 'checkbox "Bread" [ref=e2] [checked=false]\n"Say \\"yes\\"."\ntextbox [ref=e3]'
PLAYWRIGHT = '- checkbox "Bread" [ref=e2]\n- generic [ref=e9]: Say "yes".\n- textbox [ref=e3]'
DEVTOOLS = 'uid=e2 checkbox "Bread"\nuid=e8 "Say "yes"."\nuid=e3 textbox'


def test_the_arena_has_forty_tasks_in_applications_and_a_hundred_of_the_benchmark() -> None:
    of_benchmark = sum(task.application is MiniWoB for task in TASKS.values())

    assert of_benchmark >= 100
    assert len(TASKS) - of_benchmark >= 40


@pytest.mark.parametrize("text", [OURS, PLAYWRIGHT, DEVTOOLS])
def test_a_page_is_read_from_any_servers_text(text: str) -> None:
    page = Reading(View(text))

    assert page.find(r'Say "(\w+)"') == "yes"
    assert (page.ref("checkbox"), page.of("checkbox")[0].name, page.ref("textbox")) == ("e2", "Bread", "e3")


def test_a_sentence_with_quotes_is_read_from_the_parts_that_a_server_gives() -> None:
    page = Reading(View('uid=e1 "Enter ""\nuid=e2 "Vina"\nuid=e3 "" into the field."\nuid=e4 textbox "Name" value="x"'))

    assert page.find(r'Enter "\s*(\w+)\s*" into the field') == "Vina"
    assert page.named("Name") == "e4"
    assert Reading(View('- generic [ref=e3]: Press "Go"')).find('Press "(.*)"') == "Go"


class Searching:
    """A client of Playwright MCP whose searches find a text."""

    def call(self, name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        return 'Found 1 match for "Bread":\n- generic [ref=e9]: Bread', False


def test_the_heading_of_a_search_is_not_taken_for_what_was_found() -> None:
    hands = PlaywrightHands(cast("StdioClient", Searching()))

    assert hands.find("Bread") == "e9"


def hands_that_answer(text: str) -> Hands:
    def call(tool: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        return text, False

    return OurHands(call, frozenset({"browser_click", "browser_snapshot"}))


def test_a_snapshot_of_what_was_shown_already_is_counted() -> None:
    hands = hands_that_answer("nothing changed")
    hands.looking.click("e1")
    hands.snapshot()
    hands.click("e1")
    hands.snapshot()
    hands.snapshot()

    assert (hands.usage.calls, hands.usage.again) == (5, 2)


class Unmoved:
    """A task whose judge always says no."""

    opens = None
    looks_first = False

    def play(self, hands: Hands) -> None:
        hands.click("e1")

    def is_done(self) -> bool:
        return False

    def known(self) -> str:
        return "nothing"

    def close(self) -> None:
        pass


def test_a_success_that_the_judge_denies_is_a_false_one() -> None:
    outcome = play(hands_that_answer("ok"), Unmoved())

    assert (outcome.is_done, outcome.is_false_success) == (False, True)


class Broken(Application):
    """An application that does not start."""

    name = "Broken"

    def start(self) -> None:
        raise NotStarted("Broken does not answer")

    def end(self) -> None:
        pass


def test_the_tasks_of_an_application_that_does_not_start_are_not_done(capsys: pytest.CaptureFixture[str]) -> None:
    task = ArenaTask("any", "Do it.", Broken, "/", play=lambda hands, app: None, judge="true", in_part=False)

    outcomes = play_tasks(OurHands.name, [task])

    assert outcomes == {"any": Outcome(False, "Broken does not answer", Usage())}
    assert "Broken does not answer" in capsys.readouterr().out
