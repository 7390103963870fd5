"""Plays scenarios and prints what they see: `python -m evals.beside raw_cdp new --setting bridge dialogs oopifs`."""

from __future__ import annotations

import argparse
import json
import sys

from evals.beside.playing import Play, play
from evals.beside.programs import programs
from evals.beside.settings import SETTINGS


def main() -> None:
    named = {program.name: program for program in programs()}
    parser = argparse.ArgumentParser(prog="python -m evals.beside", description=__doc__)
    parser.add_argument("program", choices=named)
    parser.add_argument("group", choices=["new", "shared"])
    parser.add_argument("scenarios", nargs="*", help="all, if none is named")
    parser.add_argument("--setting", choices=SETTINGS, help="the supervisor's; without one the client is alone")
    parser.add_argument("--after", action="store_true", help="the supervisor comes after the client")
    given = parser.parse_intermixed_args()
    wanted = Play(named[given.program], given.group, given.setting, given.after, tuple(given.scenarios))
    for scenario, seen in play(wanted).items():
        sys.stdout.write("\n    ".join([scenario, *(f"{name}: {json.dumps(value)}" for name, value in seen)]) + "\n")


main()
