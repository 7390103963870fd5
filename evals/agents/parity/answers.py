"""Our tool for each tool of another server, and the share of what concerns a web page that is there."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evals.agents.parity.other_servers import OtherServer, listed

OURS = Path(__file__).parent / "ours.toml"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of another server: ours and its test, or why there is none, or why it concerns no web page."""

    ours: str = ""
    test: str = ""
    why: str = ""
    outside: str = ""
    lacks: Mapping[str, str] = {}
    """Option -> why ours has none like it."""

    def __post_init__(self) -> None:
        if [bool(self.ours), bool(self.why), bool(self.outside)].count(True) != 1:
            raise ValueError("a row has one of `ours`, `why` and `outside`")
        if bool(self.ours) != bool(self.test):
            raise ValueError("a row with `ours` has the test that shows it")


class Answers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Our side of one server's tools."""

    options_outside: Mapping[str, str]
    """The options that concern no web page, with the reason."""
    tools: Mapping[str, Row]


@dataclass(frozen=True)
class Share:
    """How many tools and options concern a web page, and how many of them are there."""

    there: int = 0
    concerned: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.there + other.there, self.concerned + other.concerned)

    def __str__(self) -> str:
        return f"{self.there} of {self.concerned} ({self.there / self.concerned:.0%})"


def answers() -> dict[str, Answers]:
    """Our side of the table, by server."""
    return msgspec.convert(tomllib.loads(OURS.read_text()), dict[str, Answers])


def share_of_tools(ours: Answers) -> Share:
    """Count the tools that concern a web page."""
    concerned = [row for row in ours.tools.values() if not row.outside]
    return Share(sum(bool(row.ours) for row in concerned), len(concerned))


def share_of_options(peer: OtherServer, ours: Answers) -> Share:
    """Count the options of those tools. Options of a tool that is not there are not there."""
    total = Share()
    for tool, row in ours.tools.items():
        options = [] if row.outside else [each for each in peer.tools[tool] if each not in ours.options_outside]
        total += Share(sum(bool(row.ours) and each not in row.lacks for each in options), len(options))
    return total


def rendered() -> str:
    """The generated part of docs/parity.md."""
    return "\n".join(line for peer in listed() for line in _peer(peer)) + "\n"


def _peer(name: str) -> Iterator[str]:
    peer, ours = listed()[name], answers()[name]
    tools, options = share_of_tools(ours), share_of_options(peer, ours)
    yield f"## {name} {peer.version}\n"
    yield f"We have {tools} of the tools that concern a web page, and {options} of their options.\n"
    yield "| tool | ours | shown by |"
    yield "|---|---|---|"
    for tool, row in ours.tools.items():
        if row.ours:
            yield f"| `{_short(tool)}` | {row.ours} | `{row.test.rpartition('::')[2]}` |"
    yield from _reasons("Not there", "tool", {_short(tool): row.why for tool, row in ours.tools.items() if row.why})
    lacks = {f"{_short(tool)} {each}": why for tool, row in ours.tools.items() for each, why in row.lacks.items()}
    yield from _reasons("Options that are not there", "option", lacks)
    outside = {_short(tool): row.outside for tool, row in ours.tools.items() if row.outside}
    yield from _reasons("No matter of a web page", "tool or option", {**outside, **ours.options_outside})


def _reasons(title: str, first: str, reasons: Mapping[str, str]) -> Iterator[str]:
    if not reasons:
        return
    by_reason: dict[str, list[str]] = {}
    for each, why in reasons.items():
        by_reason.setdefault(why, []).append(f"`{each}`")
    yield f"\n{title}:\n"
    yield f"| {first} | why |"
    yield "|---|---|"
    for why, names in by_reason.items():
        yield f"| {', '.join(names)} | {why} |"
    yield ""


def _short(tool: str) -> str:
    return tool.removeprefix("agent_browser_")
