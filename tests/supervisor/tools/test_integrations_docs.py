"""docs/integrations.md is true as far as it can be run without the other programs."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from cdp_typed.mock import ThreadedMockServer
from supervisor.tools import Toolbox

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
    (note,) = executed("Add your tools to a toolbox")
    (host,) = executed("Add the browser tools to your registry")
    (hooks,) = executed("Hooks")

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


@pytest.mark.cdp_refusals("// Replaces alert, confirm and prompt", "new Event")  # the bridge's scripts
async def test_the_examples_beside_other_clients_give_both_the_same_browser(cdp_mock: ThreadedMockServer) -> None:
    """With the other client's calls alone; `make foreign` plays browser-use and Playwright themselves."""
    said: list[Any] = []

    async def task(client: Any, toolbox: Toolbox) -> None:
        said.append((client, json.loads(await toolbox.adispatch("browser_tabs"))["success"]))

    (browser_use,) = executed("browser-use")
    browser_use["launch"] = lambda: nullcontext(SimpleNamespace(ws_url=cdp_mock.url))
    session = AsyncMock()
    await browser_use["play"](Mock(return_value=session), task)
    (playwright,) = executed("Playwright")
    other = Mock(chromium=AsyncMock())
    page = Mock()
    other.chromium.launch.return_value.new_page.return_value = page
    await playwright["play"](other, int(cdp_mock.http_url.rpartition(":")[2]), task)

    assert said == [(session, True), (page, True)]
    assert session.stop.await_count == other.chromium.launch.return_value.close.await_count == 1
