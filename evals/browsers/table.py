"""The table of `docs/browsers.md`, made of what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from evals.browsers.catalogue import BROWSERS
from evals.browsers.expected import RED
from evals.browsers.measuring import GROUPS, OTHERS, Count, Measured

__all__ = ["PAGE", "read_measured", "rendered", "write_measured"]

PAGE = Path(__file__).parents[2] / "docs" / "browsers.md"
MEASURED = Path(__file__).with_name("measured.json")

_BEGIN, _END = "<!-- measured: written by `make browsers` -->", "<!-- end of what is measured -->"


def read_measured() -> dict[str, Measured]:
    """Return the measurements by the browser's name."""
    return msgspec.json.decode(MEASURED.read_bytes(), type=dict[str, Measured])


def write_measured(measured: Mapping[str, Measured]) -> None:
    """Keep it, and write the page anew."""
    ordered = {name: measured[name] for name in BROWSERS if name in measured}
    MEASURED.write_bytes(msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n")
    PAGE.write_text(rendered(PAGE.read_text(), ordered))


def rendered(page: str, measured: Mapping[str, Measured]) -> str:
    """The page with the tables of these measurements."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    tables = "\n\n".join([*_tables(measured), *_reasons()])
    return f"{before}{_BEGIN}\n\n{tables}\n\n{_END}{after}"


def _tables(measured: Mapping[str, Measured]) -> Iterable[str]:
    questions = list(dict.fromkeys(question for column in measured.values() for question in column.capabilities))
    yield _table("", measured, ["version", "measured"], lambda column, row: getattr(column, _FIELDS[row]))
    yield _table("what it can do", measured, questions, lambda column, question: column.capabilities.get(question, ""))
    groups = [
        group for group in (*GROUPS.values(), OTHERS) if any(group in column.scenarios for column in measured.values())
    ]
    yield _table("scenarios", measured, groups, lambda column, group: _cell(column.scenarios.get(group)))


_FIELDS = {"version": "version", "measured": "date"}


def _table(
    title: str, measured: Mapping[str, Measured], rows: Iterable[str], cell: Callable[[Measured, str], str]
) -> str:
    titles = [BROWSERS[name].title for name in measured]
    lines = [[title, *titles], ["---"] * (len(titles) + 1)]
    lines += [[row, *(cell(column, row) for column in measured.values())] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(count: Count | None) -> str:
    """All of them as a number alone; those that passed, of how many; nothing where none could be played."""
    if count is None:
        return ""
    total = count.passed + count.expected + count.failed
    return str(total) if count.passed == total else f"{count.passed} of {total}" + ("" if not count.failed else " (!)")


def _reasons() -> Iterable[str]:
    if RED:
        yield "Scenarios that cannot pass:"
        yield "\n".join(f"- {', '.join(BROWSERS[name].title for name in red.browsers)}: {red.reason}" for red in RED)
