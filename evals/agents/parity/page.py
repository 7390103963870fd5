"""docs/agents.md: its tables are written from the data beside this file."""

from __future__ import annotations

from pathlib import Path

from evals.agents.parity.answers import rendered

PAGE = Path(__file__).parents[3] / "docs/agents.md"
BEGIN, END = "<!-- tables: written by `python -m evals.agents.parity` -->", "<!-- end of tables -->"


def page_of(text: str) -> str:
    """The page with the tables of today's data."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{rendered()}\n{END}{rest.partition(END)[2]}"


def write_page() -> None:
    """Put the tables into the page."""
    PAGE.write_text(page_of(PAGE.read_text()))
