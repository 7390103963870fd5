"""Scenarios that cannot pass on a browser are told from the others by their names."""

from __future__ import annotations

import pytest

from evals.browsers.expected import RED, red_for

FILE = "tests/supervisor/scenarios/dialogs/test_scenarios_bridge.py"
NATIVE = "test_where_it_cannot_work_the_page_calls_its_own_function_and_that_is_told"


@pytest.mark.parametrize("name", [f"{NATIVE}[qt6.8-/csp-none]", f"{NATIVE}[qt6.8-/boxed]"])
def test_a_scenario_that_could_only_wait_is_not_tried(name: str) -> None:
    red = red_for(f"{FILE}::{name}", "qt6.8")

    assert red is not None
    assert not red.run


@pytest.mark.parametrize(
    ("name", "browser"),
    [
        (f"{NATIVE}[chromium-/csp-none]", "chromium"),
        ("test_it_works_in_every_kind_of_frame[qt6.8-http-oopif]", "qt6.8"),
    ],
)
def test_the_others_have_to_pass(name: str, browser: str) -> None:
    assert red_for(f"{FILE}::{name}", browser) is None


def test_no_reason_is_given_twice() -> None:
    reasons = [red.reason for red in RED]
    assert len(reasons) == len(set(reasons))
