"""What the drivers have written down, and what must be true of it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

from msgspec import Struct

from .fleets import DEADLINE_S


class Outcomes(Struct):
    ended: dict[str, Counter[str]]
    """By fleet."""
    slowest: dict[tuple[str, str], float]
    """By fleet and outcome, in seconds."""
    restarts: Counter[str]
    """By the reason that a result has told."""
    texts: dict[str, Counter[str]]
    """By outcome, what the errors say."""
    wrong: list[str]
    answered: set[str]
    """The tasks that answered after the end of the chaos."""


def read(folder: Path, killed: set[str]) -> Outcomes:
    """Read the logs of the drivers, of which some were killed; a call of those need not have ended."""
    found = Outcomes(defaultdict(Counter), defaultdict(float), Counter(), defaultdict(Counter), [], set())
    for log in sorted(folder.glob("calls-*")):
        _read(log, found, name := log.name.removeprefix("calls-"), name in killed)
    return found


def _read(log: Path, found: Outcomes, name: str, was_killed: bool) -> None:
    fleet = name.partition("-")[0]
    text = log.read_text()
    under_way: dict[int, str] = {}
    for line in text.splitlines() if text.endswith("\n") else text.splitlines()[:-1]:
        entry = json.loads(line)
        if "begin" in entry:
            under_way[entry["begin"]] = f"{entry['what']} of {entry['task']}"
        elif "last" in entry:
            found.answered.add(entry["last"])
        else:
            call, kind, took = under_way.pop(entry["end"]), entry["kind"], entry["took"]
            found.ended[fleet][kind] += 1
            found.slowest[fleet, kind] = max(found.slowest[fleet, kind], took)
            found.texts[kind][entry["text"]] += kind not in ("value", "HostLost")
            if entry["restarted"]:
                found.restarts[entry["restarted"]] += 1
            if kind == "WRONG":
                found.wrong.append(f"{call}: {entry['text']}")
            if took > DEADLINE_S:
                found.wrong.append(f"{call}: ended ({kind}) after {took:.0f} s")
    if was_killed and under_way:
        found.ended[fleet]["(its driver was killed)"] += len(under_way)
    elif not was_killed:
        found.wrong += [f"{call} never ended" for call in under_way.values()]


def table(found: Outcomes) -> str:
    """The count of each kind of outcome."""
    lines = [f"{'fleet':10}{'outcome':28}{'calls':>8}{'slowest':>10}"]
    for fleet, ended in sorted(found.ended.items()):
        for kind, count in ended.most_common():
            slowest = found.slowest.get((fleet, kind))
            lines.append(f"{fleet:10}{kind:28}{count:8}{f'{slowest:8.1f} s' if slowest is not None else '':>10}")
    lines += ["", *(f"began anew {count:4} times: {reason}" for reason, count in found.restarts.most_common())]
    for kind, texts in found.texts.items():
        lines += [f"{kind:22}{count:4} {text[:160]}" for text, count in texts.most_common(3) if count]
    return "\n".join(lines)
