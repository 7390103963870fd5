"""The lines of an outline as texts: how deep they are, and what is in them. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

_ROW = re.compile(r" *(?:row|listitem|treeitem)\b")
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')


def own(line: str) -> str:
    """A line without what the page says in it, which may look like a ref."""
    return _QUOTED.sub('""', line)


def is_row(line: str) -> bool:
    return _ROW.match(line) is not None


def depth_of(line: str) -> int:
    """The number of lines that a line is inside of."""
    return len(line) - len(line.lstrip(" "))


def below(lines: Sequence[str], start: int) -> Iterator[int]:
    """The numbers of the lines in a line."""
    for number in range(start + 1, len(lines)):
        if depth_of(lines[number]) <= depth_of(lines[start]):
            return
        yield number


def with_rows(lines: Sequence[str], numbers: Iterable[int], most: int, *, opens: bool = False) -> list[int]:
    """The numbers of these lines, and of all in the innermost row or item that each of them is in.

    With `opens`, the row of a line that is one is itself. A row of more than `most` lines is not added.
    """
    shown, rows = set(numbers), set[int]()
    around: list[int] = []
    for number, line in enumerate(lines):
        while around and depth_of(lines[around[-1]]) >= depth_of(line):
            around.pop()
        above = around[-1:]
        if is_row(line):
            around.append(number)
        if number in shown:
            rows.update(around[-1:] if opens else above)
    for row in rows:
        inside = [row, *itertools.islice(below(lines, row), most)]
        if len(inside) <= most:
            shown.update(inside)
    return sorted(shown)


def with_surroundings(lines: Sequence[str], numbers: Iterable[int]) -> list[int]:
    """The numbers of these lines and of those that they are in."""
    parents: list[int | None] = []
    around: list[int] = []
    for number, line in enumerate(lines):
        while around and depth_of(lines[around[-1]]) >= depth_of(line):
            around.pop()
        parents.append(around[-1] if around else None)
        around.append(number)
    shown = set[int]()
    for number in numbers:
        place: int | None = number
        while place is not None and place not in shown:
            shown.add(place)
            place = parents[place]
    return sorted(shown)
