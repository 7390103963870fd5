"""The examples of docs/client.md run, on the mock and on real Chromium."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import UNSET, Connection, Session, connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page
from tests.support.servers.sites import Sites
from tests.support.stages.stages import Stage, raise_stage

PAGE = (Path(__file__).parents[2] / "docs" / "client.md").read_text(encoding="utf-8")
EXAMPLES: list[str] = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
COMMANDS, VALUES, HELPERS, CONTEXTS, EVENTS, SESSIONS, BLOCKING, CALLED_BACK, BLOCKING_HELPERS = EXAMPLES

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module", params=["mock", "chromium"])
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    with raise_stage(request.param, omnibox=True) as raised:
        yield raised


def _executed(code: str) -> dict[str, Any]:
    """Return the names that the code leaves."""
    namespace: dict[str, Any] = {}
    exec(compile(code, "client.md", "exec"), namespace)
    return namespace


async def _run(example: str, browser: Connection, tab: Session) -> dict[str, Any]:
    """Return the names that the example leaves."""
    body = textwrap.indent(example, "    ")
    function = _executed(f"async def example(browser, tab):\n{body}    return locals()\n")["example"]
    left: dict[str, Any] = await function(browser, tab)
    return left


async def _run_on(stage: Stage, example: str) -> dict[str, Any]:
    async with connect(stage.cdp_url) as browser, browser.new_page() as tab:
        await tab.send(page.Enable())
        async with tab.expect(page.LoadEventFired, timeout=20):
            await tab.send(page.Navigate(url=f"{stage.own}/plain"))
        return await _run(example, browser, tab)


async def test_the_ways_to_send(stage: Stage) -> None:
    if stage.mock is not None:
        stage.mock.on(page.CaptureScreenshot, {"data": "AA=="})
    left = await _run_on(stage, COMMANDS)

    assert left["title"].result.value == "Plain"
    assert isinstance(left["png"], bytes)
    assert left["version"]["protocolVersion"] == "1.3"
    assert left["two"] == 2


async def test_the_helpers(chromium: LaunchedBrowser, sites: Sites) -> None:
    """On real Chromium only: the mock has no elements."""
    sites.pages["/"] = "<title>Shop</title><form><input name=q><button>Go</button></form><h2>a</h2><h2>b</h2>"
    example = (HELPERS + CONTEXTS).replace("https://example.com/", sites.local("/"))
    example = example.replace("http://127.0.0.1:3128", sites.remote("/").rstrip("/"))
    async with connect(chromium.http_url) as browser, browser.new_page() as tab:
        left = await _run(example, browser, tab)

    assert (left["shop"].status, left["headings"], left["title"]) == (200, ["a", "b"], "Shop")
    assert (left["image"][:4], left["document"][:4]) == (b"\x89PNG", b"%PDF")


def test_the_blocking_helpers(chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/"] = "<title>Shop</title>"
    here = BLOCKING_HELPERS.replace("http://127.0.0.1:9222", chromium.http_url)

    assert _executed(here.replace("https://example.com/", sites.local("/")))["title"] == "Shop"


async def test_the_values_that_go_round(stage: Stage) -> None:
    left = await _run_on(stage, VALUES)

    assert isinstance(left["cookies"], tuple)
    assert (left["nothing"].value, left["null"].value) == (UNSET, None)


async def test_the_ways_to_hear(stage: Stage) -> None:
    left = await _run_on(stage, EVENTS)

    assert left["loaded_at"] > 0
    assert left["said"] == "hello"


async def test_the_sessions(stage: Stage) -> None:
    left = await _run_on(stage, SESSIONS)

    assert "page" in left["kinds"]
    assert left["popup"].is_over


def _run_blocking(example: str, stage: Stage) -> dict[str, Any]:
    here = example.replace("http://127.0.0.1:9222", stage.cdp_url)
    return _executed(here.replace("https://example.com", f"{stage.own}/plain"))


def test_the_blocking_client(stage: Stage) -> None:
    assert _run_blocking(BLOCKING, stage)["title"] == "Plain"


def test_the_blocking_client_is_called_back(stage: Stage) -> None:
    assert _run_blocking(CALLED_BACK, stage)["said"] == "Sure? Yes."
