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
from tests.honesty.player import Stage
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
        for name in names or SCENARIOS:
            counted, differences = await measure_on(chromium, name)
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


async def measure_on(shared: Stage, name: str) -> tuple[Counter[Agreement], str]:
    """Play a scenario on this Chromium; one that may end its Chromium, on its own."""
    if name not in FATAL:
        return await measure(name, shared)
    with chromium_stage(omnibox=False) as doomed:
        return await measure(name, doomed)


sys.exit(asyncio.run(main(sys.argv[1:])))
