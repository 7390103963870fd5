"""Draws faults, and prints who catches each: `make test`, only `make rest`, or nobody."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from random import Random, SystemRandom
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Final

from tests.mutations.drawing import REPOSITORY, Fault, draw
from tests.mutations.judging import JudgeMap, make_copy, planted, red_tests, sample
from tests.support.runs.parts import PARTS

_NOBODY: Final = "nobody"


def main(words: list[str]) -> None:
    """Measure, with a copy for each core and one more, as tests wait often; then print the figures by folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6), help="chooses the faults")
    parser.add_argument("--count", type=int, default=200, help="how many faults")
    options = parser.parse_args(words)
    print(f"seed {options.seed}", flush=True)
    maps = {part: JudgeMap(REPOSITORY / ".venv" / "mutations" / f"{part}.coverage") for part in PARTS}
    faults, drawing = islice(draw(options.seed), options.count), Lock()
    copies: SimpleQueue[Path] = SimpleQueue()
    hands = len(os.sched_getaffinity(0)) + 1

    def judge_next(_: int) -> tuple[str, str, str]:
        with drawing:
            fault = next(faults)
        copy = copies.get()
        try:
            return (_folder(fault), *_judge(fault, copy, maps, Random(f"{options.seed} {fault.file} {fault.line}")))
        finally:
            copies.put(copy)

    with TemporaryDirectory(prefix="faults-") as room, ThreadPoolExecutor(hands) as pool:
        for hand in range(hands):
            copies.put(make_copy(Path(room, str(hand))))
        verdicts = [*pool.map(judge_next, range(options.count))]
        no_judges = red_tests(copies.get(), sorted({test for _, _, test in verdicts if test}))
    if no_judges:
        print("red without a fault, too, so their faults are not counted:", *no_judges, sep="\n  ")
    counted = Counter((folder, by) for folder, by, test in verdicts if test not in no_judges)
    print("| folder | faults | `make test` | only `make rest` | nobody |\n|---|---|---|---|---|")
    for folder in sorted({folder for folder, _ in counted}):
        numbers = [counted[folder, by] for by in (*PARTS, _NOBODY)]
        print("|", " | ".join(map(str, (folder, sum(numbers), *numbers))), "|")


def _judge(fault: Fault, copy: Path, maps: dict[str, JudgeMap], chance: Random) -> tuple[str, str]:
    """Return the part that catches the fault, and its red test."""
    found = _NOBODY, ""
    played: list[str] = []
    with planted(fault, copy):
        for part, tests in maps.items():
            seconds = tests.tests_of(fault)
            chosen = sample(seconds, chance)
            played.append(f"{len(chosen)} of {len(seconds)}")
            if chosen and (red := red_tests(copy, chosen, "-x")):
                found = part, red[0]
                break
    original = (REPOSITORY / fault.file).read_text("utf-8").splitlines()
    diff = unified_diff(original, fault.source.splitlines(), n=0, lineterm="")
    changed = [line for line in [*diff][3:] if not line.startswith("@@")]
    print(f"{fault.file}:{fault.line} {' '.join(found)} ({', then '.join(played)})", *changed, sep="\n  ", flush=True)
    return found


def _folder(fault: Fault) -> str:
    return "/".join(Path(fault.file).parts[:-1][:2]) or fault.file


if __name__ == "__main__":
    main(sys.argv[1:])
