"""A real MCP client and a real Chromium, over stdio and over HTTP: what an agent does all day, with its own tools.

Pages are seen in snapshots and touched through refs; scripts and raw commands are what an agent uses when nothing else
will do, and here that is one crash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from cdp_typed import connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page
from tests.supervisor.addons.mcp.conftest import Transport, connected
from tests.support.browsers import launched
from tests.support.secrets import heard
from tests.support.servers.sites import Sites, iframe

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
<button onclick="alert('whose?')">Warn</button><p id=said></p>"""

INNER = """<title>Inner</title><form onsubmit="event.preventDefault(); said.textContent = 'ordered ' + dish.value">
<input id=dish aria-label=Dish><button>Order</button></form><p id=said></p>"""

UPLOAD = (
    "<title>Upload</title><input type=file aria-label=Paper onchange='said.textContent = files[0].name'><p id=said>"
)

LEAVING = "<title>Leaving</title><input aria-label=Draft><script>onbeforeunload = e => e.preventDefault()</script>"


@pytest.fixture(scope="module")
def web() -> Iterator[Sites]:
    """The pages of the flows."""
    with Sites() as sites:
        html = {
            "/empty": "<title>Empty</title><h1>Nothing here</h1>",
            "/alerting": "<title>Alerting</title><script>alert('during load')</script><h1>Loaded after all</h1>",
            "/asking": ASKING,
            "/nested": "<title>Nested</title>" + iframe(sites.remote("/middle"), "middle"),
            "/middle": "<title>Middle</title><script>console.error('broken in the middle')</script>"
            + iframe(sites.local("/inner"), "inner"),
            "/inner": INNER,
            "/upload": UPLOAD,
            "/leaving": LEAVING,
            "/long": "<title>Long</title>" + "".join(f"<h2>Part {number}</h2><p>Words" for number in range(3000)),
            "/opening": "<title>Opening</title>"
            f"<button onclick=\"window.open('{sites.remote('/alerting')}')\">Offer</button>",
        }
        sites.pages.update({path: f"<!doctype html><link rel=icon href=data:,>{body}" for path, body in html.items()})
        yield sites


BOTH_TRANSPORTS = pytest.mark.parametrize("transport", ["stdio", "http"])
"""A transport carries the same messages in every flow: one flow, with dialogs and blocked calls, is played on both."""


@pytest.fixture
def transport() -> Transport:
    """HTTP, for flows that are played on one alone."""
    return "http"


@pytest.fixture
def connecting(transport: Transport, browser: LaunchedBrowser) -> AbstractAsyncContextManager[Client]:
    """A client whose server has all tools, to be entered by the test itself (anyio wants one task for both ends)."""
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


@BOTH_TRANSPORTS
async def test_alert_during_load_confirm_and_prompt_are_answered(
    connecting: AbstractAsyncContextManager[Client], web: Sites
) -> None:
    async with connecting as client:
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


async def test_a_form_two_origins_deep_is_filled_in_and_the_errors_of_its_frames_are_read(
    connecting: AbstractAsyncContextManager[Client], web: Sites
) -> None:
    async with connecting as client:
        await done(client, "browser_navigate", url=web.local("/nested"))
        await done(client, "browser_wait", until="loaded")
        assert (await done(client, "browser_type", ref=await ref(client, '"Dish"'), text="soup"))["value"] == "soup"
        await done(client, "browser_click", ref=await ref(client, 'button "Order"'))
        assert '"ordered soup"' in await seen(client)

        await done(client, "browser_type", ref=await ref(client, '"Dish"'), text="cake")
        await done(client, "browser_press", key="Enter")
        assert '"ordered cake"' in await seen(client)

        frames = (await done(client, "browser_snapshot"))["frame_tree"]["children"]
        middle, inner = ({frame["name"]: frame for frame in frames}[name] for name in ("middle", "inner"))
        assert (middle["is_oopif"], inner["is_oopif"]) == (True, True)
        said = (await done(client, "browser_console", levels=["error"]))["messages"]
        assert ("broken in the middle", middle["frame_id"]) in [
            (message["text"], message["frame_id"]) for message in said
        ]


async def test_a_page_is_left_or_not_and_somebody_else_may_answer(
    connecting: AbstractAsyncContextManager[Client], web: Sites, browser: LaunchedBrowser
) -> None:
    async with connecting as client:
        await done(client, "browser_navigate", url=web.local("/leaving"))
        await done(client, "browser_type", ref=await ref(client, '"Draft"'), text="Dear")
        await done(client, "browser_click", ref=await ref(client, '"Draft"'))  # Chromium asks only who has touched it
        for action, after in (("dismiss", "/leaving"), ("accept", "/asking")):
            leaving = await asked(client, "browser_navigate", url=web.local("/asking"))
            assert leaving["type"] == "beforeunload"
            await done(client, "browser_dialog", action=action)
            await done(client, "browser_wait", until="url", value=after)
        await done(client, "browser_wait", until="loaded")

        top = (await done(client, "browser_tabs"))["tabs"][0]["target_id"]
        async with connect(browser.ws_url) as other:
            tab = await other.attach(top)
            await tab.send(page.Enable())
            async with tab.expect(page.JavascriptDialogOpening, timeout=DEADLINE_S):
                theirs = await asked(client, "browser_click", ref=await ref(client, 'button "Warn"'))
            await tab.send(page.HandleJavaScriptDialog(accept=True))
        late = await call(client, "browser_dialog", action="accept", dialog_id=theirs["id"])
        assert (late["success"], late["closed_dialog"]["closed_by"]) == (False, "remote")
        assert 'button "Warn"' in await seen(client)


async def test_a_popup_may_alert_and_is_seen_and_closed(
    connecting: AbstractAsyncContextManager[Client], web: Sites
) -> None:
    async with connecting as client:
        await done(client, "browser_navigate", url=web.local("/opening"))
        await done(client, "browser_click", ref=await ref(client, 'button "Offer"'))
        (alert,) = (await done(client, "browser_wait", until="dialog"))["pending_dialogs"]
        assert alert["message"] == "during load"
        popup = alert["target_id"]
        assert 'button "Offer"' in await seen(client)  # another site's popup does not stop it

        await done(client, "browser_dialog", action="accept", dialog_id=alert["id"])
        await done(client, "browser_tabs", action="select", target_id=popup)
        await done(client, "browser_wait", until="loaded")
        assert 'heading "Loaded after all"' in await seen(client)
        left = (await done(client, "browser_tabs", action="close", target_id=popup))["tabs"]
        assert [tab["url"] for tab in left if tab.get("is_current")] == [web.local("/opening")]


async def test_a_crash_is_reported_and_survived(connecting: AbstractAsyncContextManager[Client], web: Sites) -> None:
    async with connecting as client:
        await done(client, "browser_navigate", url=web.local("/asking"))
        button = await ref(client, 'button "Delete"')
        assert (await call(client, "browser_cdp", method="Page.crash"))["success"] is False

        told = await call(client, "browser_click", ref=button)
        assert told["error_type"] == "TargetCrashed"
        assert told["error"].endswith("Load it again with browser_navigate.")
        assert [blocker["kind"] for blocker in told["blockers"]] == ["crash"]
        assert "(not read: it crashed)" in await seen(client)
        again = await done(client, "browser_navigate", url=web.local("/empty"))
        assert "blockers" not in again
        assert 'heading "Nothing here"' in await seen(client)


async def test_a_file_chooser_is_a_blocker_and_is_answered(
    connecting: AbstractAsyncContextManager[Client], web: Sites, tmp_path: Path
) -> None:
    paper = tmp_path / "paper.txt"
    paper.write_text("content")
    async with connecting as client:
        await done(client, "browser_navigate", url=web.local("/upload"))
        await done(client, "browser_click", ref=await ref(client, '"Paper"'))
        (chooser,) = (await done(client, "browser_wait", until="file_chooser"))["blockers"]
        assert chooser["kind"] == "file_chooser"
        await done(client, "browser_file", paths=[str(paper)])

        assert '"paper.txt"' in await seen(client)


async def test_a_long_page_comes_in_parts_that_no_host_cuts(
    connecting: AbstractAsyncContextManager[Client], web: Sites
) -> None:
    """Some hosts cut results of more than 10,000 characters in the middle."""
    async with connecting as client:
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
