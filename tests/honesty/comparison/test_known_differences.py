"""The manual of the mock lists the known differences, and no others."""

from __future__ import annotations

import re
from pathlib import Path

from tests.honesty.comparison.known_differences import DIFFERENCES
from tests.honesty.scenarios.all_scenarios import SCENARIOS

MANUAL = (Path(__file__).parents[3] / "docs" / "mock.md").read_text("utf-8")


def test_every_known_difference_is_in_the_manual_and_no_other() -> None:
    section = re.split(r"^## ", MANUAL.partition("## Known differences")[2], flags=re.MULTILINE)[0]
    listed = [" ".join(item.split()) for item in re.findall(r"^- (.*(?:\n  .*)*)", section, flags=re.MULTILINE)]

    assert listed == [item.words for item in DIFFERENCES]


def test_each_names_scenarios_that_exist() -> None:
    assert {name for difference in DIFFERENCES for name in difference.scenarios} <= set(SCENARIOS)
