"""Plays the scenarios on Chromium and compares them with their recordings, and these with the mock.

Usage: `[--write] [NAME ...]`. With `--write` it records Chromium, and writes into `docs/mock.md` how many lanes of each
domain agree.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.honesty.comparison.agreement import KINDS, Agreement, counted
from tests.honesty.comparison.normalise import Lanes, compare
from tests.honesty.observation import lanes_of_chromium, lanes_of_mock
from tests.honesty.player import Client, Stage
from tests.honesty.recordings import read, recorded, write
from tests.honesty.scenarios.all_scenarios import DOMAINS, FATAL, SCENARIOS
from tests.honesty.stages import chromium_stage

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "mock.md"
_SIDES: Final = ("Chromium", "recording")
_PLACE: Final = re.compile(
    r"(?<=<!-- honesty: written by `make honesty` -->\n).*?(?=<!-- end of honesty -->)", re.DOTALL
)


def table(version: str, total: Mapping[str, Counter[Agreement]]) -> str:
    """Return what agrees by domain, with the version of Chromium."""
    rows = [
        f"\nRecorded on Chromium {version}.\n",
        "| domain | compared | equal | refused by the mock | listed below | different |",
        "|---|---|---|---|---|---|",
    ]
    everything: Counter[Agreement] = Counter()
    for of_domain in total.values():
        everything.update(of_domain)
    for domain, of_domain in [*sorted(total.items()), ("all", everything)]:
        numbers = " | ".join(str(of_domain[kind]) for kind in KINDS)
        rows.append(f"| {domain} | {of_domain.total()} | {numbers} |")
    return "\n".join(rows) + "\n\n"


async def main(names: list[str], *, writing: bool) -> int:
    version, played, problems = await play_on_chromium(names, writing=writing)
    if writing:
        write(version, played)
    total: dict[str, Counter[Agreement]] = {}
    for name in SCENARIOS:
        mock, chromium = await lanes_of_mock(name), recorded(name)
        total.setdefault(DOMAINS[name], Counter()).update(counted(name, mock, chromium))
        problems += show(name, compare(mock, chromium, name))
    text = table(read(next(iter(total))).version, total)
    print(text)
    if writing:
        DOCUMENT.write_text(_PLACE.sub(lambda _: text, DOCUMENT.read_text("utf-8")), "utf-8")
    return problems and 1


async def play_on_chromium(names: list[str], *, writing: bool) -> tuple[str, dict[str, Lanes], int]:
    """Return the version, what it says in these scenarios, and how many failed or are not as recorded."""
    played: dict[str, Lanes] = {}
    failed = 0
    with chromium_stage(omnibox=True) as chromium:
        for name in names:
            known = read(DOMAINS[name]).scenarios.get(name)
            try:
                played[name] = await on_chromium(chromium, name, known)
            except Exception as error:  # whatever a scenario raises is shown, and the next one is played
                failed += show(name, f"{type(error).__name__}: {error}")
            else:
                new = "not recorded so far" if known is None else compare(played[name], known, sides=_SIDES)
                failed += show(name, new) and not writing
        return await version_of(chromium), played, failed


async def on_chromium(shared: Stage, name: str, known: Lanes | None) -> Lanes:
    """Play a scenario on this Chromium; one that may end its Chromium, on another."""
    if name in FATAL:
        with chromium_stage(omnibox=False) as doomed:
            return await whole(doomed, name, known)
    return await whole(shared, name, known)


async def whole(chromium: Stage, name: str, known: Lanes | None) -> Lanes:
    """Play a scenario until Chromium has said what is recorded or, if nothing is, as much as the mock says."""
    if known is None:
        return await lanes_of_chromium(name, chromium, await lanes_of_mock(name), scenario=name)
    return await lanes_of_chromium(name, chromium, known)


async def version_of(chromium: Stage) -> str:
    client = Client("asking", await chromium.connect(), [])
    product: str = (await client.call("Browser.getVersion"))["product"]
    await client.leave()
    return product.partition("/")[2]


def show(name: str, difference: str) -> int:
    """Print a difference, and return 1 if there is one."""
    if difference:
        print(f"== {name}\n{difference}")
    return int(bool(difference))


given = [name for name in sys.argv[1:] if name != "--write"]
sys.exit(asyncio.run(main(given or [*SCENARIOS], writing="--write" in sys.argv)))
