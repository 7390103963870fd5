"""The table in docs/faults.md names every fault, and only tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

from tests.faults.rows import DIALS, ROWS

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "faults.md").read_text("utf-8")
TABLE = PAGE.partition("## Where each fault is tested")[2].partition("\n## ")[0]
LINES = dict(re.findall(r"^\| (\d+) \| (.+) \|$", TABLE, flags=re.MULTILINE))
PLAYED = {row.id for row in (*ROWS, *DIALS)}


def test_every_fault_has_its_line() -> None:
    assert [int(number) for number in LINES] == list(range(1, 61))


def test_every_row_that_is_played_is_named_in_the_lines_of_its_numbers_or_of_those_they_refer_to() -> None:
    referred = {number: re.findall(r"as (\d+)(?: and (\d+))?", line) for number, line in LINES.items()}
    for row in (*ROWS, *DIALS):
        for number in map(str, row.numbers):
            places = [number, *(reference for pair in referred[number] for reference in pair if reference)]
            assert any(f"`{row.id}`" in LINES[place] for place in places), (row.id, number)


def test_every_test_that_is_named_exists() -> None:
    for number, line in LINES.items():
        path = Path()
        for named in re.findall(r"`([^`]*)`", line.partition(" | ")[2]):
            file, _, name = named.partition("::")
            if named.startswith("F") and named not in PLAYED:
                raise AssertionError(f"{number}: no row {named}")
            if file.endswith(".py"):
                path = TESTS / file
                assert path.is_file(), (number, file)
            if name:
                assert re.search(rf"def {name}\(", path.read_text("utf-8")), (number, named)
