"""docs/integrations.md is true as far as it can be run without the other programs."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from pathlib import Path
from typing import Any

from supervisor.tools import CATALOGUE, Toolbox
from tests.supervisor.compat.test_hermes import Registry

DOCS = (Path(__file__).parents[3] / "docs" / "integrations.md").read_text(encoding="utf-8")


def executed(heading: str) -> list[dict[str, Any]]:
    """The examples under a heading, executed."""
    section = DOCS.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    modules: list[dict[str, Any]] = []
    for example in re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL):
        module: dict[str, Any] = {"__name__": "docs"}
        exec(compile(example, "docs/integrations.md", "exec"), module)
        modules.append(module)
    assert modules
    return modules


def test_the_examples_for_a_host_with_tools_of_its_own_do_what_they_say() -> None:
    note, host, hooks = executed("A host with tools of its own")

    assert json.loads(note["text"]) == {"success": True, "result": {"count": 1}}
    assert note["notes"] == ["buy milk"]
    assert '`text` is `{"success": true, "result": {"count": 1}}`' in DOCS
    tools: dict[str, Any] = {}
    catalogue = note["Catalogue"]([note["note"]])
    toolbox = Toolbox(catalogue=catalogue, toolsets="*")
    host["add_browser_tools"](tools, toolbox)
    schema, function = tools["take_note"]
    assert (schema["required"], json.loads(function({"text": "again"}))["result"]) == (["text"], {"count": 2})
    clicked = json.loads(asyncio.run(hooks["toolbox"].adispatch("browser_click", {"ref": "e1"})))
    assert clicked["error"] == "browser_click is refused by the policy: this agent only looks"


def test_the_example_for_hermes_registers_the_tools() -> None:
    (module,) = executed("Moving from Hermes' supervisor")
    host = Registry()

    with module["add_browser"](host, {"browser": {"engine": "auto"}}):
        assert set(host.tools) == {tool.name for tool in CATALOGUE}


def test_the_examples_beside_other_clients_are_python() -> None:
    for heading in ("Beside browser-use", "Beside Playwright"):
        (module,) = executed(heading)
        assert inspect.iscoroutinefunction(module["play"])
