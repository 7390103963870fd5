"""The lines of a page that are new, in another order or gone since it was read before, and a summary of many. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

from msgspec import Struct

from .line_texts import depth_of, own, with_rows

MAX_ROW = 12
"""Lines of a row that is shown whole when one of them has changed: another row may have had the same texts."""

MAX_GONE = 2
"""So many lines that went away are shown; of more, their number."""

GONE_CHARS = 120
"""Characters of a line that went away."""

MAX_ALIKE = 3
"""Lines one after another that differ in their refs alone, and name nothing; of more, their number."""

_POPUP = re.compile(r'(?:alertdialog|dialog|grid|listbox|menu|tree)\b(?: "(?:\\.|[^"\\])*")?')
"""The role and the name in the line of an element that opens over a page."""

_REF = re.compile(r" \[ref=(e\d+)\]")
_PLACE = re.compile(r'^ *((?:main|navigation|region|form|dialog|alertdialog|table|grid|tree|treegrid|list|listbox|menu|'
                    r'tabpanel|search|banner|article|iframe)\b(?: "(?:\\.|[^"\\])*")?)')  # fmt: skip
"""The role and the name of what other lines are in."""
_KIND = re.compile(r"^ *([A-Za-z]+)\b")


class Changes(Struct, frozen=True):
    """The lines that have changed."""

    numbers: list[int]
    """Those that are new or moved, with the rest of their rows."""
    gone: Counter[str]
    """Those that are there no more, each with how often."""


def changes(lines: Sequence[str], compared: Sequence[str], before: Iterable[str], among: Iterable[int]) -> Changes:
    """Compare the lines of a page with what was there before, both as they are `compared`."""
    then = list(before)
    gone = Counter(then)
    moved = _moved(compared, then)
    chosen = [number for number in among if not _take(gone, compared[number]) or number in moved]
    return Changes(with_rows(lines, chosen, MAX_ROW), gone)


def _take(known: Counter[str], line: str) -> bool:
    """Count a line that was there before as found again; False when it was not."""
    if not known[line]:
        return False
    known[line] -= 1
    return True


def _moved(now: Sequence[str], then: Sequence[str]) -> frozenset[int]:
    """The numbers of lines between the first and the last that are in another order than before.

    Lines that occur more than once are not compared.
    """
    counts_now, counts_then = Counter(now), Counter(then)
    known = {line for line, count in counts_now.items() if count == counts_then[line] == 1}
    numbers = [number for number, line in enumerate(now) if line in known]
    pairs = zip(numbers, (line for line in then if line in known), strict=True)
    wrong = [number for number, line in pairs if now[number] != line]
    return frozenset(number for number in numbers if wrong and wrong[0] <= number <= wrong[-1])


def gone_line(gone: Counter[str], lines: Sequence[str], hidden: Container[str], new: Sequence[str]) -> tuple[str, ...]:
    """One line for all that went away; none for what only looks different.

    It names the popup among the `new` lines that hides what is still there.
    """
    still = {ref for line in lines for ref in _REF.findall(line)}
    reported = [line for line in gone.elements() if still.isdisjoint(_REF.findall(line))]
    if not reported:
        return ()
    is_short = len(reported) <= MAX_GONE and all(len(line) <= GONE_CHARS for line in reported)
    text = "; ".join(reported) if is_short else f"{len(reported)} line{'s' * (len(reported) > 1)}"
    behind = sum(any(ref in hidden for ref in _REF.findall(line)) for line in reported)
    if not behind:
        return (f"gone: {text}",)
    popup = next((found[0] for line in new if (found := _POPUP.match(line.strip()))), "aria-hidden")
    return (f"gone: {text} ({behind} of them hidden behind {popup})",)


def alike(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where more than `MAX_ALIKE` lines one after another say no word and differ in their refs alone: the number of the
    first line after these, and how many further ones there are."""
    start, same = 0, ""
    for number, line in enumerate((*lines, "")):
        plain = _REF.sub("", own(line))
        if plain == same and '"' not in plain and "=" not in plain and plain:
            continue
        if number - start > MAX_ALIKE:
            yield start + MAX_ALIKE, number - start - MAX_ALIKE
        start, same = number, plain


def summary(lines: Sequence[str], chosen: Sequence[int]) -> str:
    """One line that tells of what kinds many changed lines are, how many, and where."""
    kinds = Counter(kind[1] if (kind := _KIND.match(lines[number])) else "text" for number in chosen)
    places, around = Counter[str](), list[tuple[int, str]]()
    wanted = set(chosen)
    for number, line in enumerate(lines):
        while around and around[-1][0] >= depth_of(line):
            around.pop()
        if number in wanted:
            places[around[-1][1] if around else "the page"] += 1
        if (place := _PLACE.match(line)) is not None:
            around.append((depth_of(line), place[1]))
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(4))
    where = ", ".join(place for place, _ in places.most_common(3))
    return f"{len(chosen)} lines changed ({told}{', ...' * (len(kinds) > 4)}), in {where}. The first of them:"
