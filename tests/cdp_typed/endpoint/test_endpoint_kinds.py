"""The kinds of endpoint, and their use: a browser, one page of it, or an inspector of Node or Deno."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import Connection, EndpointError, EndpointKind, NotABrowser, connect, connect_sync
from cdp_typed.endpoint.discovery import ListedTarget, Resolved, fetch_targets, resolve
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import MockServer
from cdp_typed.protocol import page, runtime
from cdp_typed.transport.websocket import open_websocket
from tests.support.secrets import CANARY
from tests.support.servers.inspector import inspector
from tests.support.servers.listeners import http_answer, listening
from tests.support.wires.memory_wire import MemoryWire

pytestmark = pytest.mark.usefixtures("no_leaks")


async def _page_address(mock: MockServer) -> str:
    return f"ws://{mock.address}/devtools/page/{mock.browser.pages[0].id}"


async def test_the_address_tells_a_browser_from_a_page_without_asking() -> None:
    async with MockServer() as mock:
        for address, kind in ((mock.url, "browser"), (mock.http_url, "browser"), (await _page_address(mock), "page")):
            async with connect(address) as connection:
                assert await connection.kind() == kind

        assert mock.browser.calls == ()


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({"result": {"targetInfo": {"type": "browser"}}}, "browser"),
        ({"result": {"targetInfo": {"type": "page"}}}, "page"),
        ({"result": {"targetInfo": {"type": "iframe"}}}, "page"),
        ({"result": {"targetInfo": {}}}, "browser"),
        ({"result": {}}, "browser"),
        ({"error": {"code": -32602, "message": "Invalid parameters", "data": "targetId: string"}}, "browser"),  # 64
        ({"error": {"code": -32601, "message": "'Target.getTargetInfo' wasn't found"}}, "node"),
    ],
)
async def test_where_an_address_tells_nothing_the_peer_is_asked(answer: dict[str, object], kind: EndpointKind) -> None:
    wire = MemoryWire()
    async with Connection(wire, endpoint=Resolved("wss://browsers.example/?token=t")) as connection:
        asking = asyncio.create_task(connection.kind())
        await asyncio.sleep(0)
        wire.feed({"id": 1, **answer})

        assert await asking == kind
        assert await connection.kind() == kind
        assert [call["method"] for call in wire.sent] == ["Target.getTargetInfo"]


async def test_a_page_and_an_inspector_take_commands_without_a_session() -> None:
    async with MockServer() as mock, connect(await _page_address(mock)) as tab:
        await tab.send(page.Enable())
        assert mock.browser.received(page.Enable) == (page.Enable(),)
    with inspector() as node:
        for address in (node.http_url, node.ws_url()):
            async with connect(address) as script:
                assert await script.kind() == "node"
                assert (await script.send(runtime.Evaluate(expression="6 * 7"))).result.value == 42


async def test_an_inspector_keeps_the_users_host_and_one_of_several_scripts_or_of_none_says_so() -> None:
    with inspector() as node:
        assert await resolve(f"{node.http_url}?token=t") == Resolved(f"{node.ws_url()}?token=t")
    with inspector(2) as node, pytest.raises(EndpointError) as several:
        await connect(f"{node.http_url}?token={CANARY}")
    with inspector(0) as node, pytest.raises(EndpointError) as none:
        await connect(node.http_url)

    assert str(several.value) == (
        f"{several.value.url}: an inspector without a browser, and with 2 targets; give the websocket of one of them "
        "(cdp-typed targets lists them)"
    )
    assert (str(none.value), none.value.retryable) == (
        f"{none.value.url}: an inspector without a browser, which has nothing to inspect yet",
        True,  # Deno's list is empty for a moment
    )


async def test_what_is_no_browser_is_refused_in_one_sentence() -> None:
    async with MockServer() as mock, connect(mock.url) as browser:
        await browser.require_browser()
        async with connect(f"{await _page_address(mock)}?token={CANARY}") as tab:
            with pytest.raises(NotABrowser) as single:
                await tab.require_browser()
    with inspector() as node:
        async with connect(node.ws_url()) as script:
            with pytest.raises(NotABrowser) as no_pages:
                await script.require_browser()

    assert (single.value.kind, str(single.value)) == (
        "page",
        f"{single.value.url}: the websocket of a single page; give the address of its browser, http://host:port",
    )
    assert (no_pages.value.kind, str(no_pages.value)) == (
        "node",
        f"{no_pages.value.url}: an inspector of JavaScript, such as Node's or Deno's, where there are no pages; "
        "give the address of a browser, http://host:port",
    )


def test_a_blocking_connection_says_it_too() -> None:
    with inspector() as node, connect_sync(node.ws_url()) as script:
        assert script.kind() == "node"
        with pytest.raises(NotABrowser):
            script.require_browser()


@pytest.mark.parametrize("is_page", [False, True])
async def test_chromium_says_what_it_is(chromium: LaunchedBrowser, is_page: bool) -> None:
    async with connect(chromium) as browser, browser.new_page() as tab:
        url = f"{chromium.http_url.replace('http', 'ws')}/devtools/page/{tab.target_id}" if is_page else chromium.ws_url
        wire = await open_websocket(url, open_timeout=10, max_size=2**20)
        async with Connection(wire, endpoint=Resolved(url)) as connection:
            assert await connection.kind() == ("page" if is_page else "browser")


async def test_what_can_be_debugged_is_listed_for_any_address_of_it() -> None:
    with inspector(2) as node:
        expected = tuple(
            ListedTarget(
                id=id_,
                type="node",
                title=f"node[{at}]",
                url="file://",
                description="node.js instance",
                websocket_url=node.ws_url(at),
            )
            for at, id_ in enumerate(node.ids)
        )
        assert await fetch_targets(node.http_url) == expected
        assert await fetch_targets(node.ws_url(1)) == expected
    async with MockServer() as mock:
        tab = mock.browser.pages[0]
        (listed,) = await fetch_targets(await _page_address(mock))
        assert listed == ListedTarget(
            id=tab.id, type="page", url="about:blank", websocket_url=await _page_address(mock)
        )


@pytest.mark.parametrize(("status", "body"), [(404, ""), (200, "{}"), (200, "<html>")])
async def test_a_server_without_a_list_is_told(status: int, body: str) -> None:
    async with listening(http_answer(status, body)) as port:
        with pytest.raises(EndpointError, match="an HTTP server without a list of targets at /json/list"):
            await fetch_targets(f"127.0.0.1:{port}")
    with pytest.raises(EndpointError, match="unreachable"):
        await fetch_targets("127.0.0.1:1")
