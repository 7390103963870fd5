"""Faults change what is executed, and are judged in a copy, by the fastest tests and a sample of the others."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from random import Random

from tests.mutations.drawing import REPOSITORY, Fault, faults_of
from tests.mutations.judging import make_copy, planted, red_tests, sample

FILE = "cdp_typed/printable.py"
TESTS = "tests/cdp_typed/test_printable.py"
JUDGE = f"{TESTS}::test_a_long_text_is_cut_and_the_rest_counted"
OTHER = f"{TESTS}::test_what_could_act_on_a_terminal_is_shown_as_an_escape_and_other_text_stays"
SOURCE = """
from a import b

@decorated(1)
def is_late(now: int | None = 7) -> bool:
    if TYPE_CHECKING:
        import c
    assert now > 1
    if now:
        log()
    return now
LIMIT: int | None = 3
"""


def _fault(file: str, text: str) -> Fault:
    return next(it for it in faults_of(file, (REPOSITORY / file).read_text("utf-8")) if text in it.source)


def _changed(fault: Fault, source: str) -> str:
    lines = unified_diff(source.splitlines(), fault.source.splitlines(), n=0, lineterm="")
    return "".join(line.removeprefix("+").strip() for line in [*lines][3:] if line.startswith("+"))


def test_faults_are_small_changes_of_what_is_executed() -> None:
    found = {(fault.line, fault.runs_at_import, _changed(fault, SOURCE)) for fault in faults_of("late.py", SOURCE)}

    assert found == {
        (5, False, "def is_late(now: int | None = 8) -> bool:"),
        (9, False, "if not (now):"),
        (10, False, "pass"),
        (11, False, "return"),
        (12, True, "LIMIT: int | None = 4"),
        (12, True, "LIMIT: int | None = None"),
    }


def test_a_fault_is_red_in_its_copy_alone_and_for_as_long_as_it_is_planted(tmp_path: Path) -> None:
    copy, fault = make_copy(tmp_path / "copy"), _fault(FILE, "{len(text) + limit}")
    source = (REPOSITORY / FILE).read_text("utf-8")

    with planted(fault, copy):
        assert (copy / FILE).read_text("utf-8") == fault.source != source
        assert red_tests(copy, [JUDGE, OTHER]) == [JUDGE]
    assert red_tests(copy, [JUDGE, OTHER]) == []
    assert (REPOSITORY / FILE).read_text("utf-8") == source


def test_of_many_judges_the_fastest_play_first_and_then_a_sample() -> None:
    seconds = {f"slow{number}": 10.0 for number in range(50)} | {f"fast{number}": 1.0 for number in range(30)}

    chosen = sample(seconds, Random(1))

    assert {name[:4] for name in chosen[:20]} == {"fast"}
    assert sum(seconds[test] for test in chosen) <= 120
    assert chosen == sample(seconds, Random(1)) != sample(seconds, Random(2))
    assert {*sample({"slow": 90.0, "fast": 1.0}, Random(1))} == {"slow", "fast"}
