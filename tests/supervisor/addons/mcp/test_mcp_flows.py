"""A real MCP client and a real Chromium, over stdio and over HTTP: an agent sees pages and answers dialogs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from mcp import Client

from cdp_typed.launch import LaunchedBrowser
from tests.supervisor.addons.mcp.conftest import Transport, connected
from tests.support.browsers import launched
from tests.support.secrets import heard
from tests.support.servers.sites import Sites

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]

DEADLINE_S = 20.0


@pytest.fixture(scope="module")
def browser() -> Iterator[LaunchedBrowser]:
    """One for all flows; each begins with a page of its own choice."""
    with launched(omnibox=False) as running:
        yield running


ASKING = """<title>Asking</title>
<button onclick="said.textContent = confirm('sure?') ? 'deleted' : 'kept'">Delete</button>
<button onclick="said.textContent = 'Hello ' + prompt('who?', 'nobody')">Greet</button>
<p id=said></p>"""


@pytest.fixture(scope="module")
def web() -> Iterator[Sites]:
    """The pages of the flows."""
    with Sites() as sites:
        html = {
            "/alerting": "<title>Alerting</title><script>alert('during load')</script><h1>Loaded after all</h1>",
            "/asking": ASKING,
            "/long": "<title>Long</title>" + "".join(f"<h2>Part {number}</h2><p>Words" for number in range(3000)),
        }
        sites.pages.update({path: f"<!doctype html><link rel=icon href=data:,>{body}" for path, body in html.items()})
        yield sites


def connecting(transport: Transport, browser: LaunchedBrowser) -> AbstractAsyncContextManager[Client]:
    """A client whose server has all tools."""
    return connected(transport, "--cdp-url", browser.ws_url, "--toolsets", "all", "--structured")


async def call(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """Return the result of a tool, which comes as text, too; no call hangs."""
    result = await client.call_tool(name, arguments, read_timeout_seconds=DEADLINE_S)
    told: dict[str, Any] = result.structured_content
    assert heard(getattr(result.content[0], "text", ""))
    assert result.is_error is not told["success"]
    return told


async def done(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """Return the result of a tool that succeeds."""
    told = await call(client, name, **arguments)
    assert told["success"], told
    return told


async def blocked(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """The dialog that stops a tool."""
    told = await call(client, name, **arguments)
    return next(dialog for dialog in told["pending_dialogs"] if dialog["id"] == told["blocked_by_dialog"])


async def asked(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """The dialog that a tool opened by what it did."""
    told = await done(client, name, **arguments)
    return next(dialog for dialog in told["pending_dialogs"] if dialog["id"] == told["opened_dialog"])


async def seen(client: Client) -> str:
    """The current page as text."""
    return str((await done(client, "browser_snapshot"))["page"])


async def ref(client: Client, label: str) -> str:
    """The ref that the element has in a snapshot of now."""
    shown = await seen(client)
    match = re.search(rf"{re.escape(label)}.*? \[ref=(e\d+)\]", shown)
    assert match, shown
    return match[1]


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_alert_during_load_confirm_and_prompt_are_answered(
    transport: Transport, browser: LaunchedBrowser, web: Sites
) -> None:
    """Both transports carry the same messages in every flow: this one, with blocked calls, is played on both."""
    async with connecting(transport, browser) as client:
        alert = await asked(client, "browser_navigate", url=web.local("/alerting"))
        assert (alert["type"], alert["message"]) == ("alert", "during load")
        assert (await blocked(client, "browser_evaluate", expression="1"))["id"] == alert["id"]
        assert (await done(client, "browser_dialog", action="accept"))["closed_by"] == "agent"
        await done(client, "browser_wait", until="loaded")
        assert 'heading "Loaded after all"' in await seen(client)

        await done(client, "browser_navigate", url=web.local("/asking"))
        confirm = await asked(client, "browser_click", ref=await ref(client, 'button "Delete"'))
        assert (confirm["type"], confirm["message"]) == ("confirm", "sure?")
        await done(client, "browser_dialog", action="dismiss")
        assert '"kept"' in await seen(client)

        prompt = await asked(client, "browser_click", ref=await ref(client, 'button "Greet"'))
        assert (prompt["type"], prompt["default_prompt"]) == ("prompt", "nobody")
        receipt = await done(client, "browser_dialog", action="accept", prompt_text="Ada")
        assert receipt["user_input"] == "Ada"
        assert '"Hello Ada"' in await seen(client)


async def test_a_long_page_comes_in_parts_that_no_host_cuts(browser: LaunchedBrowser, web: Sites) -> None:
    """Some hosts cut results of more than 10,000 characters in the middle."""
    async with connecting("http", browser) as client:
        opened = await client.call_tool("browser_navigate", {"url": web.local("/long"), "snapshot": True})
        whole = await client.call_tool("browser_snapshot", {})
        cursor = whole.structured_content["cursor"]
        following = await client.call_tool("browser_snapshot", {"cursor": cursor})
        opened_behind = await client.call_tool("browser_tabs", {"snapshot": True})

    for result in (opened, whole, following, opened_behind):
        told = heard(getattr(result.content[0], "text", ""))
        assert len(told) < 10_000
        assert "cursor=" in told[:300]
    assert following.structured_content["page"].partition("\n")[0] not in whole.structured_content["page"]
