"""docs/parity.md: our tool for each tool of other servers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evals.agents.parity.answers import Row, answers
from evals.agents.parity.other_servers import listed
from evals.agents.parity.page import PAGE, page_of
from supervisor.tools import CATALOGUE

TESTS = Path(__file__).parents[2]
NAMED = re.compile(r"browser_[a-z_]+")


@pytest.mark.parametrize("peer", list(listed()))
def test_every_tool_of_the_pinned_version_has_a_row_and_no_other(peer: str) -> None:
    assert set(answers()[peer].tools) == set(listed()[peer].tools)


@pytest.mark.parametrize("peer", list(listed()))
def test_every_option_that_a_row_names_is_one_of_the_tool(peer: str) -> None:
    tools = listed()[peer].tools
    unknown = [
        f"{tool} {each}" for tool, row in answers()[peer].tools.items() for each in set(row.lacks) - set(tools[tool])
    ]
    assert not unknown
    assert set(answers()[peer].options_outside) <= {each for options in tools.values() for each in options}


def test_the_versions_are_those_that_are_compared() -> None:
    locked = json.loads((TESTS.parent / "evals/agents/package.json").read_text())["dependencies"]
    packages = {"Playwright MCP": "@playwright/mcp"}
    assert {name: peer.version for name, peer in listed().items()} == {
        name: locked[packages.get(name, name)] for name in listed()
    }


@pytest.mark.parametrize("peer", list(listed()))
def test_every_tool_and_test_that_is_named_exists(peer: str) -> None:
    known = {each.name for each in CATALOGUE}
    for tool, row in answers()[peer].tools.items():
        if row.ours:
            assert set(NAMED.findall(row.ours)) <= known, tool
            path, _, name = row.test.partition("::")
            assert f"def {name}(" in (TESTS / path).read_text(), tool


def test_the_page_has_the_tables_of_the_data() -> None:
    assert PAGE.read_text() == page_of(PAGE.read_text())


def test_a_row_is_one_thing() -> None:
    with pytest.raises(ValueError, match="one of"):
        Row(ours="browser_click", test="x", why="not there")
    with pytest.raises(ValueError, match="test"):
        Row(ours="browser_click")
