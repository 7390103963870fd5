"""Plays the scenarios on the mock and on Chromium, and prints what agrees, by domain; usage: `[--write] [NAME ...]`."""

from __future__ import annotations

import asyncio
import datetime
import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.honesty.comparison.agreement import KINDS, Agreement, measure
from tests.honesty.scenarios.all_scenarios import DOMAINS, FATAL, SCENARIOS
from tests.honesty.stages import chromium_stage

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "mock.md"
_PLACE: Final = re.compile(
    r"(?<=<!-- honesty: written by `make honesty` -->\n).*?(?=<!-- end of honesty -->)", re.DOTALL
)


def table(total: Mapping[str, Counter[Agreement]]) -> str:
    """Return what agrees by domain, with the day."""
    rows = [
        f"\nPlayed on {datetime.datetime.now(tz=datetime.UTC).date().isoformat()}.\n",
        "| domain | compared | equal | refused by the mock | listed below | different |",
        "|---|---|---|---|---|---|",
    ]
    everything: Counter[Agreement] = Counter()
    for counted in total.values():
        everything.update(counted)
    for domain, counted in [*sorted(total.items()), ("all", everything)]:
        numbers = " | ".join(str(counted[kind]) for kind in KINDS)
        rows.append(f"| {domain} | {counted.total()} | {numbers} |")
    return "\n".join(rows) + "\n\n"


async def main(names: list[str]) -> int:
    total: dict[str, Counter[Agreement]] = {}
    different = 0
    written = "--write" in names
    names = [name for name in names if name != "--write"]
    with chromium_stage(omnibox=True) as chromium:
        for name in names or [name for name in SCENARIOS if name not in FATAL]:
            counted, differences = await measure(name, chromium)
            total.setdefault(DOMAINS[name], Counter()).update(counted)
            if differences:
                different += 1
                print(f"== {name}\n{differences}")
    text = table(total)
    print(text)
    if written:
        document = DOCUMENT.read_text("utf-8")
        DOCUMENT.write_text(_PLACE.sub(lambda _: text, document), "utf-8")
    return different and 1


sys.exit(asyncio.run(main(sys.argv[1:])))
