"""Examples of the guides run on a real Chromium."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import connect
from cdp_typed.launch import LaunchedBrowser, NoSandboxWarning, SharedBrowser, launch
from supervisor import CDPSupervisor, NavigationFailed
from supervisor.tools import Toolbox
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def browser() -> Iterator[LaunchedBrowser]:
    """One for these examples, which take the tab that they find."""
    with launched(omnibox=False) as running:
        yield running


def example(page: str, number: int, here: Mapping[str, str] | None = None) -> str:
    """An example of a page, with what belongs to this machine in place of its own."""
    text: str = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), flags=re.DOTALL)[number]
    for there, own in (here or {}).items():
        assert there in text
        text = text.replace(there, own)
    return text


def run(program: str, **names: Any) -> dict[str, Any]:
    """The names that a program leaves."""
    exec(compile(program, "docs", "exec"), names)
    return names


async def run_async(program: str, **names: Any) -> dict[str, Any]:
    """The names that a program with `await` leaves."""
    exec(compile(f"async def run():\n{textwrap.indent(program, '    ')}    return locals()\n", "docs", "exec"), names)
    left: dict[str, Any] = await names["run"]()
    return left


async def test_the_first_lines_of_connecting_and_of_the_recipes(browser: LaunchedBrowser) -> None:
    left = await run_async(example("connecting.md", 0), connect=connect, endpoint=browser.http_url)
    recipe = await run_async(example("recipes.md", 0, {"http://127.0.0.1:9222": browser.http_url}), connect=connect)

    assert left["browser"].closed
    assert recipe["tab"].is_over


async def test_the_browser_that_a_person_uses(
    browser: LaunchedBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROME_USER_DATA_DIR", str(browser.profile))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    left = await run_async(example("connecting.md", 1), connect=connect)

    assert left["browser"].closed


async def test_a_browser_on_a_pipe() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        left = await run_async(example("connecting.md", 2), connect=connect, launch=launch)

    assert left["connection"].closed


async def test_a_browser_on_a_pipe_for_several_connections() -> None:
    names = {"connect": connect, "launch": launch, "SharedBrowser": SharedBrowser}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        left = await run_async(example("connecting.md", 3), **names)

    assert left["one"].closed
    assert left["other"].closed
    assert left["shared"].has_ended


def test_the_first_example_of_the_supervisor(browser: LaunchedBrowser, capsys: pytest.CaptureFixture[str]) -> None:
    left = run(example("supervisor.md", 0, {"http://127.0.0.1:9222": browser.http_url}))

    assert capsys.readouterr().out == "True agent Ada\n"
    assert left["supervisor"].snapshot().recent_dialogs[-1].rule_id == "r-1"


def test_a_supervisor_is_restricted(browser: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/"] = "<title>Shop</title>"
    with CDPSupervisor(browser.http_url) as supervisor:
        run(example("supervisor.md", 2), supervisor=supervisor)

        with pytest.raises(NavigationFailed, match="BLOCKED_BY_CLIENT"):
            supervisor.navigate(sites.local("/"))


def test_the_first_example_of_the_tools(browser: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/"] = "<title>Shop</title>"
    here = {"http://127.0.0.1:9222": browser.http_url, "https://example.com": sites.local("/")}

    left = run(example("tools.md", 0, here))

    toolbox: Toolbox = left["toolbox"]
    toolbox.close()
    assert json.loads(left["text"])["title"] == "Shop"
    assert len(left["tools"]) > 5


async def test_the_mcp_server_from_python(browser: LaunchedBrowser, capfd: pytest.CaptureFixture[str]) -> None:
    here = {
        '"cdp-agent"': repr(sys.executable),
        '["mcp", "--launch"]': repr(["-m", "supervisor", "mcp", "--cdp-url", browser.http_url]),
    }

    await asyncio.wait_for(run_async(example("mcp.md", 0, here)), 60)

    assert re.match(r'(".*" )?(http|about):', capfd.readouterr().out)
