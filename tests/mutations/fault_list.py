"""The list of planted faults, `faults.toml`: chosen once by a seed, kept, and extended when a place is gone."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, convert, to_builtins

from tests.mutations.candidates import Candidate, candidates, place_of
from tests.mutations.parts import PARTS, REPOSITORY, Part

__all__ = ["LIST", "Catcher", "Fault", "PlaceGone", "choose", "listed", "planted_source", "write"]

LIST: Final = Path(__file__).with_name("faults.toml")
_HEADER: Final = (
    "# Written by `python -m tests.mutations choose`; `equivalent` and faults with a `known` are written by hand.\n"
)

Catcher = Literal["make test", "make all", "nobody", "not run"]


class Fault(Struct, frozen=True, omit_defaults=True):
    """A change of one line of a file, relative to the repository."""

    part: str
    file: str
    inside: str
    line: str
    planted: str
    known: str = ""
    """Why a fault was added by hand."""
    equivalent: str = ""
    """Why no test can see the fault. Such a fault is not planted; the next one of the seed takes its place."""
    caught_by: Catcher = "not run"
    """The first target that catches it."""
    test: str = ""
    """The test that failed."""

    @property
    def name(self) -> str:
        """Return the file and the function."""
        return f"{self.file}::{self.inside}".removesuffix("::")


class PlaceGone(Exception):
    """A line of the list is not in its function any more."""


def listed() -> list[Fault]:
    """Return the faults of the list, equivalent ones included."""
    return convert(tomllib.loads(LIST.read_text("utf-8"))["fault"], list[Fault]) if LIST.exists() else []


def write(faults: list[Fault]) -> None:
    """Write the list."""
    tables = (
        "".join(f"{key} = {json.dumps(value)}\n" for key, value in to_builtins(fault).items()) for fault in faults
    )
    LIST.write_text(_HEADER + "".join(f"\n[[fault]]\n{table}" for table in tables), "utf-8")


def planted_source(fault: Fault) -> str:
    """Return the file's text with the fault. Raises `PlaceGone`."""
    source = (REPOSITORY / fault.file).read_text("utf-8")
    places = place_of(source, Candidate(fault.inside, fault.line, fault.planted))
    if len(places) != 1:
        raise PlaceGone(f"{fault.name}: {fault.line.strip()!r} occurs {len(places)} times there, expected once")
    lines = source.splitlines(keepends=True)
    lines[places[0]] = fault.planted + "\n"
    return "".join(lines)


def choose(kept: list[Fault], seed: int, for_each_part: int) -> list[Fault]:
    """Return the kept faults, and new ones until every part has so many that are planted.

    No test has a say in it: the seed puts the files of a part in an order, and takes one candidate of each file.
    """
    chosen = [*kept]
    for part in PARTS:
        ours = [fault for fault in kept if fault.part == part.name]
        places = {(fault.file, fault.inside, fault.line, fault.planted) for fault in ours}
        missing = for_each_part - sum(not fault.equivalent and not fault.known for fault in ours)
        for fault in _in_order(part, seed):
            if missing <= 0:
                break
            if (fault.file, fault.inside, fault.line, fault.planted) not in places:
                chosen.append(fault)
                missing -= 1
    names = [part.name for part in PARTS]
    return sorted(chosen, key=lambda fault: names.index(fault.part))


def _in_order(part: Part, seed: int) -> Iterator[Fault]:
    chance = random.Random(f"{seed} {part.name}")
    left = _files(part)
    read: dict[str, list[Candidate]] = {}
    while left:
        for path in chance.sample(left, len(left)):
            if path not in read:
                read[path] = candidates((REPOSITORY / path).read_text("utf-8"))
            if not read[path]:
                left.remove(path)
                continue
            found = read[path].pop(chance.randrange(len(read[path])))
            yield Fault(part.name, path, found.inside, found.line, found.planted)


def _files(part: Part) -> list[str]:
    paths = (path for folder in part.sources for path in (REPOSITORY / folder).rglob("*.py"))
    names = (path.relative_to(REPOSITORY).as_posix() for path in paths)
    return sorted(name for name in names if not name.startswith(part.without or ("-",)))
