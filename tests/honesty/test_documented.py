"""The manual of the mock lists what is not compared, and nothing else as a known difference."""

from __future__ import annotations

import re
from pathlib import Path

from tests.honesty.known import DIFFERENCES
from tests.honesty.scenes import SCENES

MANUAL = (Path(__file__).parents[2] / "docs" / "mock.md").read_text("utf-8")


def test_every_known_difference_is_in_the_manual_and_no_other() -> None:
    section = re.split(r"^## ", MANUAL.partition("## Known differences")[2], flags=re.MULTILINE)[0]
    listed = [" ".join(each.split()) for each in re.findall(r"^- (.*(?:\n  .*)*)", section, flags=re.MULTILINE)]

    assert listed == [each.words for each in DIFFERENCES]


def test_each_names_scenarios_that_exist() -> None:
    assert {name for each in DIFFERENCES for name in each.scenes} <= set(SCENES)
