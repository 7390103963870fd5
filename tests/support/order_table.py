"""The order of the core's slices as a table of ARCHITECTURE.md: `python -m tests.support.order_table` writes it."""

from __future__ import annotations

from pathlib import Path

from supervisor.core.order import ORDER

__all__ = ["drawn", "written"]

PAGE = Path(__file__).parents[2] / "ARCHITECTURE.md"
BEGIN, END = "<!-- order: written by `python -m tests.support.order_table` -->\n\n", "\n<!-- end of order -->"


def drawn() -> str:
    """The table, from the order itself."""
    rows = ["| slice | changes | why it stands here |", "| --- | --- | --- |"]
    for entry in ORDER:
        module = entry.advance.__module__.removeprefix("supervisor.core.")
        name = entry.advance.__name__.lstrip("_")
        rows.append(f"| `{module}.{name}` | {', '.join(entry.changes)} | {entry.reason} |")
    return "\n".join(rows) + "\n"


def written() -> str:
    """The table of the page."""
    return PAGE.read_text().partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + drawn() + END + rest.partition(END)[2])


if __name__ == "__main__":
    main()
