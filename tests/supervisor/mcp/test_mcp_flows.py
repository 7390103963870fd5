"""A real MCP client and a real Chromium, over stdio and over HTTP: what an agent does all day."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from cdp_typed import connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page
from tests.supervisor.mcp.conftest import Transport, connected
from tests.support.browsers import launched
from tests.support.sites import Sites, iframe

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]

DEADLINE_S = 20.0


@pytest.fixture(scope="module")
def browser() -> Iterator[LaunchedBrowser]:
    """One for all flows; each begins with a page of its own choice."""
    with launched() as running:
        yield running


@pytest.fixture(scope="module")
def web() -> Iterator[Sites]:
    """The pages of the flows."""
    with Sites() as sites:
        sites.pages.update(
            {
                "/empty": "<title>Empty</title>",
                "/alerting": "<title>Alerting</title><script>alert('during load')</script>",
                "/asking": "<title>Asking</title><script>"
                "sure = () => { window.answer = confirm('sure?') };"
                "who = () => { window.answer = prompt('who?', 'nobody') }"
                "</script>",
                "/nested": "<title>Nested</title>" + iframe(sites.remote("/middle"), "middle"),
                "/middle": "<title>Middle</title><script>console.error('broken in the middle')</script>"
                + iframe(sites.local("/inner"), "inner"),
                "/inner": "<title>Inner</title><button onclick='window.clicked = true'>go</button>",
                "/upload": "<title>Upload</title><input type=file onchange='window.chosen = this.files[0].name'>",
                "/leaving": "<title>Leaving</title><script>onbeforeunload = event => event.preventDefault()</script>",
            }
        )
        yield sites


@pytest.fixture(params=["stdio", "http"])
def connecting(request: pytest.FixtureRequest, browser: LaunchedBrowser) -> AbstractAsyncContextManager[Client]:
    """A client whose server has all tools, to be entered by the test itself (anyio wants one task for both ends)."""
    transport: Transport = request.param
    return connected(transport, "--cdp-url", browser.ws_url, "--toolsets", "all")


async def call(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """What a tool gives; it is the same as text and as structured content, and no call hangs."""
    result = await client.call_tool(name, arguments, read_timeout_seconds=DEADLINE_S)
    told: dict[str, Any] = result.structured_content
    assert json.loads(getattr(result.content[0], "text", "")) == told
    assert result.is_error is not told["success"]
    return told


async def cdp(client: Client, method: str, **params: Any) -> dict[str, Any]:
    """What a raw command gives."""
    return await call(client, "browser_cdp", method=method, params=params)


async def evaluate(client: Client, expression: str, frame_id: str | None = None) -> Any:
    """The value of an expression that nothing stops."""
    told = await call(client, "browser_evaluate", expression=expression, frame_id=frame_id)
    assert told["success"], told
    return told["value"]


async def until(client: Client, uri: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """A resource, once it is as it should be."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            content = (await client.read_resource(uri)).contents[0]
            told: dict[str, Any] = json.loads(getattr(content, "text", ""))
            if holds(told):
                return told
            await asyncio.sleep(0.02)


async def open_dialog(client: Client) -> dict[str, Any]:
    """The one dialog that is open, or opens."""
    told = await until(client, "cdp://dialogs", lambda now: bool(now["pending_dialogs"]))
    dialog: dict[str, Any] = told["pending_dialogs"][0]
    return dialog


async def loaded(client: Client, title: str, frame_id: str | None = None) -> None:
    """Wait for a document without dialogs; while it is being replaced, calls may fail."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            asked = "document.readyState + document.title"
            told = await call(client, "browser_evaluate", expression=asked, frame_id=frame_id)
            if told.get("value") == f"complete{title}":
                return
            await asyncio.sleep(0.02)


async def test_alert_during_load_confirm_and_prompt_are_answered(
    connecting: AbstractAsyncContextManager[Client], web: Sites
) -> None:
    async with connecting as client:
        await cdp(client, "Page.navigate", url=web.local("/alerting"))
        alert = await open_dialog(client)
        assert (alert["type"], alert["message"]) == ("alert", "during load")
        stopped = await call(client, "browser_evaluate", expression="1")
        assert (stopped["success"], stopped["blocked_by_dialog"]["id"]) == (False, alert["id"])
        assert (await call(client, "browser_dialog", action="accept"))["closed_by"] == "agent"
        await loaded(client, "Alerting")

        await cdp(client, "Page.navigate", url=web.local("/asking"))
        await loaded(client, "Asking")
        stopped = await call(client, "browser_evaluate", expression="sure()")
        assert stopped["blocked_by_dialog"]["type"] == "confirm"
        await call(client, "browser_dialog", action="dismiss")
        assert await evaluate(client, "window.answer") is False

        stopped = await call(client, "browser_evaluate", expression="who()")
        assert stopped["blocked_by_dialog"]["default_prompt"] == "nobody"
        receipt = await call(client, "browser_dialog", action="accept", prompt_text="Ada")
        assert receipt["user_input"] == "Ada"
        assert await evaluate(client, "window.answer") == "Ada"


async def test_a_nested_cross_origin_frame_is_read_and_its_console_heard(
    connecting: AbstractAsyncContextManager[Client], web: Sites
) -> None:
    async with connecting as client:
        await cdp(client, "Page.navigate", url=web.local("/nested"))
        told = await until(
            client,
            "cdp://frames",
            lambda now: {one.get("name") for one in now["frame_tree"]["children"]} == {"middle", "inner"},
        )
        inner = next(one for one in told["frame_tree"]["children"] if one["name"] == "inner")
        await loaded(client, "Inner", inner["frame_id"])
        await evaluate(client, "document.querySelector('button').click()", inner["frame_id"])

        assert await evaluate(client, "window.clicked", inner["frame_id"]) is True
        assert inner["is_oopif"] is True
        middle = next(one for one in told["frame_tree"]["children"] if one["name"] == "middle")
        said = ("error", "broken in the middle", middle["frame_id"])
        await until(
            client,
            "cdp://console",
            lambda now: said in [(one["level"], one["text"], one["frame_id"]) for one in now["messages"]],
        )


async def test_a_page_is_left_or_not_and_somebody_else_may_answer(
    connecting: AbstractAsyncContextManager[Client], web: Sites, browser: LaunchedBrowser
) -> None:
    async with connecting as client:
        await cdp(client, "Page.navigate", url=web.local("/leaving"))
        await loaded(client, "Leaving")
        for kind in ("mousePressed", "mouseReleased"):  # without a gesture Chromium does not ask
            await cdp(client, "Input.dispatchMouseEvent", type=kind, x=5, y=5, button="left", clickCount=1)
        for action in ("dismiss", "accept"):
            stopped = await cdp(client, "Page.navigate", url=web.local("/empty"))
            assert stopped["blocked_by_dialog"]["type"] == "beforeunload"
            await call(client, "browser_dialog", action=action)
            await loaded(client, "Leaving" if action == "dismiss" else "Empty")

        snapshot = await call(client, "browser_snapshot")
        async with connect(browser.ws_url) as other:
            tab = await other.attach(snapshot["frame_tree"]["top"]["frame_id"])
            await tab.send(page.Enable())
            async with tab.expect(page.JavascriptDialogOpening, timeout=DEADLINE_S):
                stopped = await call(client, "browser_evaluate", expression="alert('whose?')")
            await tab.send(page.HandleJavaScriptDialog(accept=True))
        theirs = stopped["blocked_by_dialog"]["id"]
        late = await call(client, "browser_dialog", action="accept", dialog_id=theirs)
        assert (late["success"], late["closed_dialog"]["closed_by"]) == (False, "remote")


async def test_a_popup_may_alert_and_a_crash_is_survived(
    connecting: AbstractAsyncContextManager[Client], web: Sites
) -> None:
    async with connecting as client:
        await cdp(client, "Page.navigate", url=web.local("/empty"))
        await loaded(client, "Empty")
        opening = f"void open('{web.local('/alerting')}')"
        await cdp(client, "Runtime.evaluate", expression=opening, userGesture=True)  # else it is blocked
        alert = await open_dialog(client)
        top = (await call(client, "browser_snapshot"))["frame_tree"]["top"]["frame_id"]
        assert alert["target_id"] != top
        await call(client, "browser_dialog", action="accept", dialog_id=alert["id"])
        await cdp(client, "Target.closeTarget", targetId=alert["target_id"])

        crashed = await cdp(client, "Page.crash")
        assert crashed["success"] is False
        told = await until(client, "cdp://status", lambda now: any(one["kind"] == "crash" for one in now["blockers"]))
        assert told["status"]["state"] == "ready"
        await cdp(client, "Page.navigate", url=web.local("/empty"))
        await loaded(client, "Empty")


async def test_a_file_chooser_is_a_blocker_and_is_answered(
    connecting: AbstractAsyncContextManager[Client], web: Sites, tmp_path: Path
) -> None:
    paper = tmp_path / "paper.txt"
    paper.write_text("content")
    async with connecting as client:
        await cdp(client, "Page.navigate", url=web.local("/upload"))
        await loaded(client, "Upload")
        opening = "document.querySelector('input').click()"
        await cdp(client, "Runtime.evaluate", expression=opening, userGesture=True)
        await until(client, "cdp://status", lambda now: any(one["kind"] == "file_chooser" for one in now["blockers"]))
        chosen = await call(client, "browser_file", paths=[str(paper)])

        assert chosen["success"], chosen
        assert await evaluate(client, "window.chosen") == "paper.txt"
