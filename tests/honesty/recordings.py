"""Recordings of Chromium's side of the scenarios: a text file for each domain, written by `make honesty`.

After the version of Chromium, a file has for each scenario its name, and for each lane the lane and its lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from tests.honesty.comparison.normalise import Lanes
from tests.honesty.scenarios.all_scenarios import DOMAINS

FOLDER: Final = Path(__file__).parent / "recordings"
_BROWSER, _SCENARIO, _LINE = "Chromium ", "# ", "  "


class Recording(Struct, frozen=True):
    """The lanes of a domain's scenarios on one version of Chromium; without a version if there is no file."""

    version: str = ""
    scenarios: Mapping[str, Lanes] = {}


def command_for(name: str = "") -> str:
    """Return the command that records one scenario, or all."""
    return f"`python -m tests.honesty --write {name}`" if name else "`make honesty`"


@cache
def read(domain: str) -> Recording:
    """Return the recording of a domain."""
    file = FOLDER / f"{domain}.txt"
    if not file.exists():
        return Recording()
    head, *lines = file.read_text("ascii").splitlines()
    scenarios: dict[str, Lanes] = {}
    lanes: Lanes = {}
    said: list[str] = []
    for line in filter(None, lines):
        if line.startswith(_SCENARIO):
            lanes = scenarios[line.removeprefix(_SCENARIO)] = {}
        elif line.startswith(_LINE):
            said.append(line.removeprefix(_LINE))
        else:
            said = lanes[line] = []
    return Recording(head.removeprefix(_BROWSER), scenarios)


def recorded(name: str) -> Lanes:
    """Return what Chromium says in a scenario. Raises `AssertionError` if nobody recorded it."""
    scenarios = read(DOMAINS[name]).scenarios
    assert name in scenarios, f"{name} is not recorded; {command_for(name)} records it on Chromium"
    return scenarios[name]


def text_of(recording: Recording) -> str:
    """Return the recording as text. The order of scenarios and lanes does not depend on the run."""
    parts = [_BROWSER + recording.version]
    for name, lanes in sorted(recording.scenarios.items()):
        parts += ["", _SCENARIO + name]
        for lane, lines in sorted(lanes.items(), key=_by_numbers):
            parts += [lane, *(_LINE + line for line in lines)]
    return "\n".join(parts) + "\n"


def write(version: str, lanes: Mapping[str, Lanes]) -> None:
    """Write new recordings of these scenarios, and drop those of scenarios that do not exist.

    Raises `ValueError` if other scenarios of these domains were recorded on another version.
    """
    merged = {domain: _merged(domain, version, lanes) for domain in {DOMAINS[name] for name in lanes}}
    for domain, recording in merged.items():
        (FOLDER / f"{domain}.txt").write_text(text_of(recording), "ascii")
    for file in FOLDER.iterdir():
        if file.stem not in DOMAINS.values():
            file.unlink()
    read.cache_clear()


def _merged(domain: str, version: str, lanes: Mapping[str, Lanes]) -> Recording:
    before = read(domain)
    names = {name for name in DOMAINS if DOMAINS[name] == domain}
    kept = {name: said for name, said in before.scenarios.items() if name in names - lanes.keys()}
    if kept and before.version != version:
        raise ValueError(
            f"{domain} was recorded on Chromium {before.version}, this is {version}; {command_for()} records all again"
        )
    return Recording(version, kept | {name: said for name, said in lanes.items() if name in names})


def _by_numbers(lane: tuple[str, list[str]]) -> list[str]:
    return [part.rjust(4) if part.isdigit() else part for part in re.split(r"(\d+)", lane[0])]
