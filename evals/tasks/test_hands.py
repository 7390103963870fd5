"""Refs are found in the texts of all servers, and a task that nobody plays is not done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from evals.tasks.desk import Desk, Room
from evals.tasks.hands import Hands, NotOnPage, View, is_at
from evals.tasks.our_hands import OurHands, elements
from evals.tasks.playing import play
from evals.tasks.raw_cdp import RawBrowser
from evals.tasks.sheets import controls
from evals.tasks.task import TASKS, Task

assert controls.__name__  # it registers its tasks

OURS = """list
 "Bread" button "Remove" [ref=e2] [focused]
 link "Milk" [ref=e3] /milk "Eggs" textbox "New" [ref=e4] value="a b\""""
PLAYWRIGHT = """- list [ref=e1]:
  - listitem [ref=e2]:
    - text: Bread
    - button "Remove" [ref=e3]
  - generic [ref=e4]: Milk"""
DEVTOOLS = """uid=1_0 RootWebArea "Shop"
  uid=1_1 "Bread"
  uid=1_2 button "Remove" haspopup="menu"
  uid=1_3 link "Milk\""""


@pytest.mark.parametrize(
    ("text", "remove", "milk"),
    [("\n".join(elements(OURS)), "e2", "e3"), (PLAYWRIGHT, "e3", "e4"), (DEVTOOLS, "1_2", "1_3")],
)
def test_a_ref_is_found_by_role_and_name_in_any_servers_text(text: str, remove: str, milk: str) -> None:
    view = View(text)

    assert (view.ref("Remove", "button", after="Bread"), view.ref("Milk")) == (remove, milk)
    with pytest.raises(NotOnPage):
        view.ref("Cheese")


def test_a_text_without_a_ref_stands_for_the_element_around_it() -> None:
    assert View(PLAYWRIGHT).ref("Bread") == "e2"


def test_several_elements_in_one_line_are_told_apart() -> None:
    assert list(elements(OURS)) == [
        "list",
        ' "Bread"',
        ' button "Remove" [ref=e2] [focused]',
        ' link "Milk" [ref=e3] /milk',
        ' "Eggs"',
        ' textbox "New" [ref=e4] value="a b"',
    ]


def test_a_tab_is_known_by_the_end_of_its_address() -> None:
    listed = ["0: [Shop](http://localhost/shop/)", "1: [Code](http://localhost/shop/code?x=1)"]

    assert [[is_at(entry, part) for entry in listed] for part in ("/shop/", "/code")] == [[True, False], [False, True]]


def test_a_page_that_an_action_showed_needs_no_snapshot_until_the_next_action() -> None:
    called: list[tuple[str, object]] = []

    def call(tool: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        called.append((tool, arguments.get("snapshot")))
        return 'button "Pay" [ref=e1]', False

    hands = OurHands(call, frozenset({"browser_click", "browser_snapshot"}))
    hands.looking.click(hands.ref("Pay"))
    hands.click(hands.ref("Pay"))
    hands.ref("Pay")

    assert called == [
        ("browser_snapshot", None), ("browser_click", True), ("browser_click", None), ("browser_snapshot", None)
    ]  # fmt: skip


def test_a_locator_stands_for_a_ref_until_it_is_refused() -> None:
    called: list[tuple[str, object]] = []

    def call(tool: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        called.append((tool, arguments.get("fields", arguments.get("ref"))))
        if tool == "browser_fill_form" and len(called) == 2:
            return "AmbiguousLocator: 2 elements", True
        return 'textbox "Name" [ref=e1]', False

    hands = OurHands(call, frozenset({"browser_click", "browser_fill_form", "browser_snapshot"}))
    hands.click(hands.ref("Pay", "button"))
    hands.fill({hands.ref("Name", "textbox"): ("text", "Ann")})

    assert called == [
        ("browser_click", 'button "Pay"'),
        ("browser_fill_form", [{"ref": 'textbox "Name"', "value": "Ann"}]),
        ("browser_snapshot", None),
        ("browser_fill_form", [{"ref": "e1", "value": "Ann"}]),
    ]


def test_a_tab_that_an_action_opened_or_a_list_told_needs_no_list() -> None:
    first, second = "A" * 32, "B" * 32
    answers = iter((f"opened={second}", f"tab {first} http://x/one\ntab {second} http://x/two current", "ok"))
    called: list[object] = []

    def call(tool: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        called.append(arguments.get("target_id"))
        return next(answers), False

    hands = OurHands(call, frozenset({"browser_click", "browser_tabs"}))
    hands.click("e1")
    hands.switch_to_opened("/two")
    hands.switch_tab("/one")

    assert called == [None, second, first]


def do_nothing(hands: Hands, desk: Desk) -> None:
    """Play nothing."""


@pytest.mark.parametrize("task", [TASKS["press_a_button"], TASKS["follow_a_link"]], ids=str)
def test_a_task_that_nobody_plays_is_not_done(task: Task, hands: Hands, room: Room, judge: RawBrowser) -> None:
    desk = room.desk(replace(task, play=do_nothing), judge, run="-unplayed")
    outcome = play(hands, desk)
    desk.close()

    assert not outcome.is_done
    assert outcome.reason.startswith("the judge says no")
