"""Our side of other servers' tools, and the rows that the cases play."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from evals.agents.parity.cases import Case, cases, values_in
from evals.agents.parity.other_servers import OtherServer, listed

OURS = Path(__file__).parent / "ours.toml"
SHORT: Mapping[str, str] = {"P": "Playwright MCP", "C": "chrome-devtools-mcp", "A": "agent-browser"}
"""How the cases name the servers."""
_ONE = re.compile(r"(browser_\w+)(?: \(([^()]+)\))?")
"""One of our tools, and what of it."""
TOOL = ""
"""The row of the tool itself, among those of its options."""
State: TypeAlias = Literal["played", "narrower", "absent", "unplayed", "outside"]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Our side of one tool. The texts are by option; an empty name is the tool itself."""

    ours: str = ""
    outside: str = ""
    """Why it is no matter of a web page; then none of its rows counts."""
    narrower: Mapping[str, str] = {}
    """The difference, where ours does less."""
    absent: Mapping[str, str] = {}


class Answers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Our side of one server's tools."""

    options_outside: Mapping[str, str]
    """Options that are no matter of a web page, and why."""
    shared: Mapping[str, str]
    """Options that mean the same in several tools, and ours for it. Each is one row."""
    narrower: Mapping[str, str] = {}
    """Of the shared options."""
    absent: Mapping[str, str] = {}
    tools: Mapping[str, Answer]


class Row(msgspec.Struct, frozen=True):
    """A tool or an option."""

    tool: str
    option: str
    state: State
    why: str = ""

    @property
    def name(self) -> str:
        """As the page shows it."""
        return " ".join(filter(None, (_short(self.tool), self.option)))


def answers() -> dict[str, Answers]:
    """Our side of the table, by server."""
    return msgspec.convert(tomllib.loads(OURS.read_text(encoding="utf-8")), dict[str, Answers])


def rows(name: str) -> list[Row]:
    """All rows of a server. An option whose schema lists its values is played if each of these values is."""
    peer, ours, played = listed()[name], answers()[name], _played(name)
    return [*_rows_of_tools(peer, ours, played), *_shared_rows(peer, ours, played)]


def _rows_of_tools(peer: OtherServer, ours: Answers, played: Mapping[tuple[str, str], set[str]]) -> Iterator[Row]:
    for tool, answer in ours.tools.items():
        for option in (TOOL, *peer.tools[tool]):
            if option in ours.shared:
                continue
            choices = peer.tools[tool].get(option, [])
            if answer.outside or option in ours.options_outside:
                why = answer.outside or ours.options_outside[option]
                yield Row(tool, option, "outside", why)
            elif option in answer.absent or TOOL in answer.absent:
                yield Row(tool, option, "absent", answer.absent.get(option) or answer.absent[TOOL])
            elif option in answer.narrower:
                yield Row(tool, option, "narrower", answer.narrower[option])
            else:
                yield Row(tool, option, _state(played.get((tool, option)), choices))


def _shared_rows(peer: OtherServer, ours: Answers, played: Mapping[tuple[str, str], set[str]]) -> Iterator[Row]:
    for option in sorted(peer.common.keys() - ours.shared.keys()):
        yield Row("", option, "outside", ours.options_outside[option])
    for option in ours.shared:
        values = [texts for (_, name), texts in played.items() if name == option]
        choices = peer.common.get(option, [])
        if option in ours.absent:
            yield Row("", option, "absent", ours.absent[option])
        elif option in ours.narrower:
            yield Row("", option, "narrower", ours.narrower[option])
        else:
            yield Row("", option, _state(set[str]().union(*values) if values else None, choices))


def _state(values: set[str] | None, choices: list[str]) -> State:
    return "played" if values is not None and values.issuperset(choices) else "unplayed"


def _played(name: str) -> dict[tuple[str, str], set[str]]:
    """Tool and option -> the texts that the cases give to it."""
    found = dict[tuple[str, str], set[str]]()
    for case in cases():
        for short, tool, arguments in case.theirs:
            if SHORT[short] == name:
                found.setdefault((full(short, tool), TOOL), set())
                for option, value in arguments.items():
                    found.setdefault((full(short, tool), option), set()).update(values_in(value))
    return found


def full(short: str, tool: str) -> str:
    """The whole name of a tool; the cases and the page leave the beginning out."""
    return f"agent_browser_{tool}" if short == "A" else f"browser_{tool}" if short == "P" else tool


def unknown_in(case: Case) -> list[str]:
    """The tools and options in a case that the other servers do not have."""
    wrong = list[str]()
    for short, tool, arguments in case.theirs:
        peer, name = listed()[SHORT[short]], full(short, tool)
        if name not in peer.tools:
            wrong.append(name)
            continue
        wrong += [f"{name} {option}" for option in arguments if option not in peer.options(name)]
    return wrong


def rendered() -> str:
    """The generated part of docs/agents.md."""
    all_rows = {name: rows(name) for name in listed()}
    together = [row for found in all_rows.values() for row in found]
    lines = [f"Together: {_counts(together)}\n"]
    for name, found in all_rows.items():
        lines += [f"### {name} {listed()[name].version}\n", f"{_counts(found)}\n", *_table(name, found)]
    return "\n".join(lines) + "\n"


def _counts(found: list[Row]) -> str:
    count = Counter(row.state for row in found)
    total = count.total() - count["outside"]
    told = [f"**{count['played']} of {total} rows ({count['played'] / total:.1%}) are played**"]
    told += [f"{count['narrower']} are narrower", f"{count['absent']} are not there"]
    if count["unplayed"]:
        told.append(f"{count['unplayed']} are not played")
    return f"{', '.join(told)}."


def _table(name: str, found: list[Row]) -> Iterator[str]:
    ours = answers()[name]
    by_ours: dict[str, tuple[list[str], list[str]]] = {}
    for tool, answer in ours.tools.items():
        if answer.ours:
            one = _ONE.fullmatch(answer.ours)
            tools, details = by_ours.setdefault(one[1] if one else answer.ours, ([], []))
            tools.append(f"`{_short(tool)}`")
            details += [each for each in [one[2] if one else None] if each and each not in details]
    yield "| their tool | ours |"
    yield "|---|---|"
    for text, (tools, details) in by_ours.items():
        more = f" ({', '.join(details)})" if details else ""
        yield f"| {', '.join(tools)} | {text}{more} |"
    for option, text in ours.shared.items():
        if option not in ours.absent:
            yield f"| `{option}` of several tools | {text} |"
    states: dict[State, str] = {
        "narrower": "Narrower", "absent": "Not there", "unplayed": "Not played", "outside": "Not counted",
    }  # fmt: skip
    outside = {tool for tool, answer in ours.tools.items() if answer.outside}
    for state, title in states.items():
        reasons: dict[str, list[str]] = {}
        for row in found:
            if row.state == state:
                is_option = state == "outside" and row.tool not in outside
                shown = row.option if is_option else _short(row.tool) if state == "outside" else row.name
                if f"`{shown}`" not in reasons.setdefault(row.why, []):
                    reasons[row.why].append(f"`{shown}`")
        if reasons:
            yield f"\n{title}:\n"
            yield from (f"- {', '.join(names)}{f': {why}' if why else ''}" for why, names in reasons.items())
    yield ""


def _short(tool: str) -> str:
    return tool.removeprefix("agent_browser_")
