"""The list of planted faults: its spread, its places, and what a program sees of a fault."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from msgspec.structs import replace

from tests.mutations.candidates import Candidate, candidates
from tests.mutations.fault_list import Fault, PlaceGone, choose, listed, planted_source
from tests.mutations.parts import PARTS, REPOSITORY
from tests.mutations.planting import planted
from tests.mutations.table import PAGE, drawn, replaced

TRIES = Fault("core", "supervisor/core/dialogs/answers.py", "", "MAX_TRIES = 20", "MAX_TRIES = 21")


def test_at_least_sixty_faults_are_spread_over_the_parts() -> None:
    counted = Counter(fault.part for fault in listed() if not fault.equivalent)

    assert counted.total() >= 60
    assert {name: number >= 10 for name, number in counted.items()} == {part.name: True for part in PARTS}


@pytest.mark.parametrize("fault", [fault for fault in listed() if not fault.equivalent], ids=lambda fault: fault.name)
def test_the_line_of_a_fault_is_still_in_its_place(fault: Fault) -> None:
    """Else remove the fault from the list, and let `python -m tests.mutations choose` take another."""
    assert planted_source(fault)


def test_the_page_shows_the_results_of_the_list() -> None:
    page = PAGE.read_text("utf-8")

    assert page == replaced(page, drawn(listed()))


def test_a_seed_chooses_the_same_faults_again_and_other_seeds_choose_others() -> None:
    chosen = choose([], 1, 2)

    assert chosen == choose([], 1, 2)
    assert chosen != choose([], 2, 2)
    assert Counter(fault.part for fault in chosen) == {part.name: 2 for part in PARTS}


def test_a_fault_that_no_test_can_see_is_kept_and_the_next_takes_its_place() -> None:
    first, *others = choose([], 1, 2)
    kept = [replace(first, equivalent="nobody asks"), *others]

    assert {*kept} < {*choose(kept, 1, 2)}
    assert len(choose(kept, 1, 2)) == len(kept) + 1


def test_a_program_in_the_copy_has_the_fault_and_the_checkout_has_not() -> None:
    before = (REPOSITORY / TRIES.file).read_text()
    asked = "from supervisor.core.dialogs.answers import MAX_TRIES; print(MAX_TRIES)"

    with planted(TRIES) as copy:
        said = subprocess.run(
            [sys.executable, "-c", asked], cwd=copy, env={"PYTHONPATH": str(copy)}, capture_output=True, check=True
        )

    assert said.stdout.strip() == b"21"
    assert (REPOSITORY / TRIES.file).read_text() == before
    assert not copy.exists()


def test_a_line_that_has_changed_is_reported_rather_than_another_one_taken() -> None:
    with pytest.raises(PlaceGone, match="'MAX_TRIES = 7' occurs 0 times there, expected once"):
        planted_source(replace(TRIES, line="MAX_TRIES = 7"))
    with pytest.raises(PlaceGone, match="expected once"):
        planted_source(replace(TRIES, inside="nothing"))


def test_candidates_are_small_changes_of_what_is_executed() -> None:
    source = '''
def is_late(now: int = 3) -> bool:
    """Whether 5 > 4."""
    assert now > 1
    log(now)
    return now > 2 and not done
'''

    assert candidates(source) == [
        Candidate("is_late", "def is_late(now: int = 3) -> bool:", "def is_late(now: int = 4) -> bool:"),
        Candidate("is_late", "    log(now)", "    pass"),
        Candidate("is_late", "    return now > 2 and not done", "    return (now > 2 or not done)"),
        Candidate("is_late", "    return now > 2 and not done", "    return not done"),
        Candidate("is_late", "    return now > 2 and not done", "    return now > 2"),
        Candidate("is_late", "    return now > 2 and not done", "    return now >= 2 and not done"),
        Candidate("is_late", "    return now > 2 and not done", "    return now > 3 and not done"),
        Candidate("is_late", "    return now > 2 and not done", "    return now > 2 and done"),
    ]


def test_a_line_that_its_function_has_twice_is_no_place() -> None:
    assert candidates("def twice():\n    go()\n    go()\n") == []
