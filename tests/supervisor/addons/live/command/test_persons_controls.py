"""An agent that may go everywhere reaches nothing with which a person controls it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import pytest

from cdp_typed import connect
from cdp_typed.helpers import js
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import target
from supervisor import Config, SupervisorRegistry
from supervisor.addons.live import Address, Approvals, LiveView, announce, live_url, serve_live
from supervisor.core.state.pages import Scope
from supervisor.tools import Policy, Toolbox
from tests.support.secrets import CANARY
from tests.support.servers.sites import Response, Sites, iframe

BELONGS = "it belongs to the person who controls the agent"
Call: TypeAlias = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


@asynccontextmanager
async def watched(
    supervised: LaunchedBrowser, *, scope: Scope = "browser", approve: tuple[str, ...] = ("browser_click",)
) -> AsyncGenerator[tuple[Call, str]]:
    """An agent in a browser of its own, with a view that a person watches: its tools, and the view's address."""
    approvals, registry = Approvals(), SupervisorRegistry()
    config = Config(cdp_url=supervised.ws_url, scope=scope)

    def running() -> Any:
        found = registry.get("default")
        return found.aio if found is not None else None

    view, address = LiveView(running, approvals=approvals), Address(token=CANARY)
    with Toolbox(config, toolsets="*", registry=registry, policy=Policy(approve=approve), hooks=[approvals]) as toolbox:

        async def call(name: str, **arguments: Any) -> dict[str, Any]:
            outcome: dict[str, Any] = json.loads(await toolbox.adispatch(name, arguments))
            return outcome

        async with serve_live(view, address) as url:
            with announce("test", url, CANARY):
                yield call, live_url(url, address)


async def addresses(supervised: LaunchedBrowser) -> list[str]:
    """The addresses of all pages, told by the browser itself."""
    async with connect(supervised.ws_url) as connection:
        found = (await connection.send(target.GetTargets())).target_infos
    return [info.url for info in found if info.type in ("page", "iframe")]


async def views(supervised: LaunchedBrowser) -> list[str]:
    """The addresses of the pages and frames that show a live view, told by their documents."""
    async with connect(supervised.ws_url) as connection:
        found = (await connection.send(target.GetTargets())).target_infos
        shown = {
            info.url: await js(await connection.attach(info.target_id), "document.getElementById('picture') !== null")
            for info in found
            if info.type in ("page", "iframe")
        }
    return [url for url, is_view in shown.items() if is_view]


def spelled(url: str) -> list[str]:
    """The same server in other words."""
    port = urlsplit(url).port
    hosts = ["localhost", "127.1", "0.0.0.0", "[::ffff:127.0.0.1]", "2130706433", "LOCALHOST."]
    return [url, *(f"http://{host}:{port}/#token={CANARY}" for host in hosts), f"view-source:{url}"]


async def test_the_view_is_refused_however_it_is_spelled(supervised: LaunchedBrowser) -> None:
    async with watched(supervised) as (call, url):
        for address in spelled(url):
            refused = await call("browser_navigate", url=address)
            assert (refused["error_type"], BELONGS in refused["error"]) == ("Refused", True), address
        assert (await call("browser_tabs", action="open", url=url))["error_type"] == "Refused"
        for method in ("Target.createTarget", "Page.navigate"):
            raw = await call("browser_cdp", method=method, params={"url": url})
            assert raw["error_type"] == "Refused", method


WAYS = {
    "location": "location = VIEW",
    "a link": "const a = Object.assign(document.createElement('a'), {href: VIEW}); document.body.append(a); a.click()",
    "a redirect": "location = '/redirect'",
    "an iframe": "document.body.append(Object.assign(document.createElement('iframe'), {src: VIEW}))",
    "a popup": "window.open(VIEW)",
    "a form": "document.body.insertAdjacentHTML('beforeend', `<form action='${VIEW}'></form>`);"
    "document.forms[0].submit()",
}


@pytest.mark.parametrize("scope", ["browser", "own"])
@pytest.mark.parametrize("way", WAYS)
async def test_no_page_gets_there_by_itself(supervised: LaunchedBrowser, sites: Sites, way: str, scope: Scope) -> None:
    async with watched(supervised, scope=scope) as (call, url):
        sites.pages["/"] = "<h1>Page</h1>"
        sites.pages["/redirect"] = Response("", 302, {"Location": url})
        opened = await call("browser_tabs", action="open", url=sites.local("/"))
        assert opened["success"], opened

        await call("browser_evaluate", expression=f"const VIEW = {json.dumps(url)}; {WAYS[way]}; 1", user_gesture=True)
        await asyncio.sleep(0.5)  # there is nothing to wait for: it must not come

        assert not await views(supervised)


async def test_a_view_that_is_served_later_is_refused_from_then_on(supervised: LaunchedBrowser, sites: Sites) -> None:
    async with watched(supervised) as (call, _):
        sites.pages["/"] = "<h1>Page</h1>"
        assert (await call("browser_navigate", url=sites.local("/")))["success"]
        async with serve_live(LiveView(lambda: None), Address(token=CANARY)) as later:
            await call("browser_evaluate", expression=f"location = {json.dumps(later)}; 1")
            await asyncio.sleep(0.5)
            assert not await views(supervised)


async def test_the_files_with_its_token_are_refused(
    supervised: LaunchedBrowser, sites: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    (tmp_path / "run").mkdir()
    (tmp_path / "elsewhere").symlink_to(tmp_path / "run")
    async with watched(supervised) as (call, _):
        (listed,) = (tmp_path / "run").rglob("*.json")
        assert CANARY in listed.read_text()
        (tmp_path / "frame.html").write_text(iframe(listed.as_uri()))
        escaped = listed.as_uri().replace("cdp", "%63dp")
        linked = (tmp_path / "elsewhere" / listed.relative_to(tmp_path / "run")).as_uri()
        for url in (listed.as_uri(), listed.parent.as_uri(), escaped, linked, f"view-source:{listed.as_uri()}"):
            refused = await call("browser_navigate", url=url)
            assert (refused["error_type"], BELONGS in refused["error"]) == ("Refused", True), url
        assert (await call("browser_navigate", url="file:///proc/self/environ"))["error_type"] == "Refused"

        framed = await call("browser_navigate", url=(tmp_path / "frame.html").as_uri())
        await asyncio.sleep(0.5)
        assert CANARY not in json.dumps([framed, await call("browser_snapshot"), await call("browser_read")])
        assert listed.as_uri() not in await addresses(supervised)

        sites.pages["/"] = "<input type=file>"
        assert (await call("browser_navigate", url=sites.local("/")))["success"]
        given = await call("browser_file", ref="css=input", paths=[str(listed)])
        assert given["error_type"] == "Refused", given


async def test_the_port_of_the_browser_is_refused(supervised: LaunchedBrowser) -> None:
    async with watched(supervised) as (call, _):
        port = urlsplit(supervised.ws_url).port
        devtools = f"devtools://devtools/bundled/inspector.html?ws={urlsplit(supervised.ws_url).netloc}/devtools/page/1"
        for url in (f"http://127.0.0.1:{port}/json/list", f"http://localhost:{port}/json/version", devtools):
            refused = await call("browser_navigate", url=url)
            assert (refused["error_type"], BELONGS in refused["error"]) == ("Refused", True), url
        await call("browser_evaluate", expression=f"location = 'http://localhost:{port}/json/list'; 1")
        for _ in range(100):
            if not [each for each in await addresses(supervised) if f":{port}/" in each]:
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError("the list of all pages stays on the screen")


async def test_raw_commands_are_as_free_as_without_a_view(supervised: LaunchedBrowser) -> None:
    async with watched(supervised) as (call, _):
        made = await call("browser_cdp", method="Target.createTarget", params={"url": "about:blank#mine"})
        assert made["success"], made
        listed = await call("browser_cdp", method="Target.getTargets")
        assert listed["success"], listed
        closing = {"targetId": made["result"]["targetId"]}
        assert (await call("browser_cdp", method="Target.closeTarget", params=closing))["success"]
