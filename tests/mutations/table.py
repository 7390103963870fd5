"""The table of docs/mutations.md, drawn from the list."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tests.mutations.fault_list import Catcher, Fault
from tests.mutations.parts import PARTS, REPOSITORY

__all__ = ["PAGE", "drawn", "replaced"]

PAGE: Final = REPOSITORY / "docs" / "mutations.md"
_BEGIN: Final = "<!-- mutations: written by `python -m tests.mutations` -->\n"
_END: Final = "<!-- end of mutations -->\n"
_CATCHERS: Final[tuple[Catcher, ...]] = ("make test", "make all", "nobody", "not run")


def drawn(faults: list[Fault]) -> str:
    """Return the table by part, the faults that `make test` misses, and those that no test can see."""
    planted = [fault for fault in faults if not fault.equivalent]
    rows = [
        "| part | planted | caught by `make test` | only by `make all` | by nobody | not run yet |",
        "|---|---|---|---|---|---|",
    ]
    for name, ours in [
        *((part.name, [fault for fault in planted if fault.part == part.name]) for part in PARTS),
        ("all", planted),
    ]:
        counted = Counter(fault.caught_by for fault in ours)
        rows.append(f"| {name} | {len(ours)} | {' | '.join(str(counted[catcher]) for catcher in _CATCHERS)} |")
    missed = [fault for fault in planted if fault.caught_by in ("make all", "nobody")]
    rows += ["", "| `make test` misses | changed to | caught by |", "|---|---|---|"]
    rows += [f"| {_place(fault)} | {_code(fault.planted)} | {fault.test or fault.caught_by} |" for fault in missed]
    rows += ["", "| not planted | changed to | why no test can see it |", "|---|---|---|"]
    rows += [
        f"| {_place(fault)} | {_code(fault.planted)} | {fault.equivalent} |" for fault in faults if fault.equivalent
    ]
    return "\n".join(rows) + "\n"


def replaced(page: str, table: str) -> str:
    """Return the page with this table. Raises `ValueError` without its marks."""
    before, rest = page.split(_BEGIN)
    _, after = rest.split(_END)
    return before + _BEGIN + table + _END + after


def _place(fault: Fault) -> str:
    return f"`{fault.name}` {_code(fault.line)}"


def _code(line: str) -> str:
    return f"`` {line.strip()} ``".replace("|", "\\|")
