"""The order of the core's slices as a table of ARCHITECTURE.md: `python -m tests.support.order_table` writes it."""

from __future__ import annotations

import sys
from pathlib import Path

from supervisor.core.order import ORDER

__all__ = ["drawn", "written"]

PAGE = Path(__file__).parents[2] / "ARCHITECTURE.md"
BEGIN, END = "<!-- order: written by `python -m tests.support.order_table` -->\n\n", "\n<!-- end of order -->\n"


def drawn() -> str:
    """The table, from the order itself."""
    rows = ["| slice | changes | only while | reason for its position |", "| --- | --- | --- | --- |"]
    for entry in ORDER:
        module = entry.advance.__module__.removeprefix("supervisor.core.")
        name = entry.advance.__name__.lstrip("_")
        condition = entry.only_while.condition if entry.only_while else ""
        rows.append(f"| `{module}.{name}` | {', '.join(entry.changes)} | {condition} | {entry.reason} |")
    return "\n".join(rows) + "\n"


def written() -> str:
    """The table of the page."""
    return _parts()[1]


def main() -> None:
    before, table, after = _parts()
    if "--check" not in sys.argv:
        PAGE.write_text(before + BEGIN + drawn() + END + after)
    elif table != drawn():
        sys.exit(f"{PAGE.name}: the table of the slices is out of date; run `python -m tests.support.order_table`")


def _parts() -> tuple[str, str, str]:
    """The text before the table, the table, and the text after it. Raises `ValueError` without the marks."""
    before, rest = PAGE.read_text().split(BEGIN)
    table, after = rest.split(END)
    return before, table, after


if __name__ == "__main__":
    main()
