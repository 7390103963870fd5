"""Writes the table of foreign clients into `docs/mock.md`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from evals.foreign.verdicts import Verdict

__all__ = ["DOCUMENT", "table", "write"]

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "mock.md"
_GOOD: Final = ("agrees", "refused", "unheard")
_PLACE: Final = re.compile(
    r"(?<=<!-- foreign: written by `make foreign` -->\n).*?(?=<!-- end of foreign -->)", re.DOTALL
)


def table(results: Mapping[str, Mapping[str, Verdict] | str], day: datetime.date) -> str:
    """Return the table: each client, how many of its steps agree, which the mock refuses, or why it was left out."""
    rows = [
        f"\nPlayed on {day.isoformat()}.\n",
        "| client | steps | as on Chromium | refused | which |",
        "|---|---|---|---|---|",
    ]
    for client, steps in results.items():
        if isinstance(steps, str):
            rows.append(f"| {client} | {steps} | | | |")
            continue
        heard = [name for name, verdict in steps.items() if verdict == "refused"]
        unheard = [f"{name} (the client does not say so)" for name, verdict in steps.items() if verdict == "unheard"]
        refused = [*heard, *unheard]
        other = [f"**{verdict}**: {name}" for name, verdict in steps.items() if verdict not in _GOOD]
        agrees = list(steps.values()).count("agrees")
        rows.append(f"| {client} | {len(steps)} | {agrees} | {len(refused)} | {'; '.join([*refused, *other])} |")
    return "\n".join(rows) + "\n\n"


def write(results: Mapping[str, Mapping[str, Verdict] | str]) -> None:
    """Replace the table in the document."""
    today = datetime.datetime.now(tz=datetime.UTC).date()
    text = DOCUMENT.read_text("utf-8")
    DOCUMENT.write_text(_PLACE.sub(lambda _: table(results, today), text), "utf-8")
