"""docs/tools.md and docs/toolsets.md are true; tools of other packages are found."""

from __future__ import annotations

import json
import logging
import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from msgspec.structs import replace

from supervisor import InvalidConfig
from supervisor.declarations import declarations
from supervisor.tools import CATALOGUE, Catalogue, Tool, dispatch, get_definitions
from supervisor.tools.default_toolbox import from_environment

FOLDER = Path(__file__).parents[4] / "docs"
DOCS = (FOLDER / "tools.md").read_text(encoding="utf-8")
OPT_IN = (FOLDER / "toolsets.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCS, flags=re.DOTALL)
SINGLE: Tool = replace(next(iter(CATALOGUE)), name="single")
SEVERAL: list[Tool] = [replace(SINGLE, name="first")]
WRONG = 7


def test_the_docs_have_every_tool_with_its_toolset() -> None:
    lines = (*DOCS.splitlines(), *OPT_IN.splitlines())
    rows = [line.split("|") for line in lines if line.startswith("| `browser_")]
    toolsets = {f"`{known.toolset}`" for known in CATALOGUE}
    there = [row for row in rows if any(toolset in row[2] for toolset in toolsets)]
    told = {name: row[2] for row in there for name in re.findall(r"`(\w+)`", row[1])}

    assert set(told) == {tool.name for tool in CATALOGUE}
    for known in CATALOGUE:
        assert f"`{known.toolset}`" in told[known.name]


def test_the_examples_of_the_docs_run() -> None:
    first, own, policy = EXAMPLES
    compile(first, "docs/tools.md", "exec")
    before = {tool.name for tool in CATALOGUE}
    module: dict[str, object] = {"__name__": "docs"}
    exec(compile(policy, "docs/tools.md", "exec"), module)
    spoken = own.replace("import PageText, ToolContext, tool", "import Catalogue, PageText, ToolContext, tool")
    catalogue = Catalogue()
    module["mine"] = catalogue
    exec(compile(spoken.replace('toolset="mine"', 'toolset="mine", catalogue=mine'), "docs/tools.md", "exec"), module)

    assert [known.name for known in catalogue] == ["page_title"]
    assert {tool.name for tool in CATALOGUE} == before


def test_plugins_are_tools_lists_or_modules_and_one_that_fails_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    plugins = {"broken": "no_such", "wrong": "WRONG", "single": "SINGLE", "several": "SEVERAL", "module": "json"}
    entries = [EntryPoint(name, f"{__name__}:{value}", "cdp_typed.tools") for name, value in plugins.items()]
    catalogue = Catalogue()

    with caplog.at_level(logging.ERROR):
        catalogue.add_declared(declarations(entries))

    assert [plugin.name for plugin in catalogue] == ["single", "first"]
    assert caplog.messages == ["the addon broken is left out", "the addon wrong is left out"]


def test_the_environment_names_the_toolsets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CDP_SUPERVISOR_CDP_URL", "ws://127.0.0.1:9")

    assert "browser_cdp" not in {tool.name for tool in from_environment({}).available()}
    with_raw = from_environment({"CDP_TOOLSETS": "browser, browser-cdp"})
    assert "browser_cdp" in {tool.name for tool in with_raw.available()}
    with pytest.raises(InvalidConfig):
        from_environment({"CDP_TOOLSETS": "nonsense"})


def test_definitions_and_dispatch_need_no_toolbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CDP_SUPERVISOR_CDP_URL", raising=False)

    assert get_definitions() == []
    assert json.loads(dispatch("browser_cdp", {"method": "Page.reload"}))["error_type"] == "ToolUnavailable"
