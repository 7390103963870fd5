"""docs/agents.md: our tool for each tool of other servers, and what ours does not do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec import structs

from evals.agents.parity.answers import TOOL, answers, rows
from evals.agents.parity.cases import Case, cases
from evals.agents.parity.other_servers import listed
from evals.agents.parity.page import PAGE, page_of
from supervisor.tools import CATALOGUE

ROOT = Path(__file__).parents[3]
NAMED = re.compile(r"browser_[a-z_]+")


@pytest.mark.parametrize("peer", list(listed()))
def test_every_tool_of_the_pinned_version_has_a_row_and_no_other(peer: str) -> None:
    assert set(answers()[peer].tools) == set(listed()[peer].tools)


@pytest.mark.parametrize("peer", list(listed()))
def test_every_option_that_has_a_reason_is_one_of_the_tool(peer: str) -> None:
    ours, theirs = answers()[peer], listed()[peer]
    unknown = [
        f"{tool} {each}"
        for tool, answer in ours.tools.items()
        for each in {*answer.narrower, *answer.absent} - {TOOL, *theirs.tools[tool]}
    ]
    known = {each for options in (theirs.common, *theirs.tools.values()) for each in options}
    assert not unknown
    assert {*ours.options_outside, *ours.shared} <= known
    assert {*ours.narrower, *ours.absent} <= set(ours.shared)


@pytest.mark.parametrize("peer", list(listed()))
def test_every_row_is_played_or_says_what_is_missing(peer: str) -> None:
    assert [row.name for row in rows(peer) if row.state == "unplayed"] == []


def test_an_option_is_played_only_with_each_of_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def states() -> dict[str, str]:
        return {row.name: row.state for row in rows("agent-browser")}

    before = states()
    monkeypatch.setattr("evals.agents.parity.answers.cases", _without_network_idle)
    after = states()

    changed = {name for name, state in after.items() if state != before[name]}
    assert (before["wait_for_load state"], after["wait_for_load state"]) == ("played", "unplayed")
    assert changed == {"wait_for_load state"}


def _without_network_idle() -> list[Case]:
    theirs = [("A", "wait_for_load", {"state": "networkidle"})]
    return [structs.replace(case, theirs=[each for each in case.theirs if each not in theirs]) for case in cases()]


def test_the_versions_are_those_that_are_compared() -> None:
    locked = json.loads((ROOT / "evals/agents/package.json").read_text())["dependencies"]
    packages = {"Playwright MCP": "@playwright/mcp"}
    assert {name: peer.version for name, peer in listed().items()} == {
        name: locked[packages.get(name, name)] for name in listed()
    }


@pytest.mark.parametrize("peer", list(listed()))
def test_every_tool_that_is_named_exists(peer: str) -> None:
    known = {each.name for each in CATALOGUE}
    for tool, answer in answers()[peer].tools.items():
        assert set(NAMED.findall(answer.ours)) <= known, tool


def test_the_page_has_the_tables_of_the_data() -> None:
    assert PAGE.read_text() == page_of(PAGE.read_text())
