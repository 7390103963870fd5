"""Python functions that pages call, on a real Chromium."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import JavaScriptError, Session, connect_sync
from cdp_typed.helpers import blocking, expose, js
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page, runtime
from tests.cdp_typed.helpers.conftest import load
from tests.support.servers.sites import Sites, iframe

PAGE = "<!doctype html><link rel=icon href=data:,>"


@pytest.fixture
def site(sites: Sites) -> Sites:
    sites.pages["/"] = PAGE
    sites.pages["/early"] = f"{PAGE}<script>window.early = add(1, 2)</script>{iframe(sites.local('/'), 'inner')}"
    return sites


def add(*numbers: float) -> float:
    return sum(numbers)


async def test_arguments_and_results_are_json(tab: Session) -> None:
    async def described(*values: object) -> dict[str, object]:
        await asyncio.sleep(0)
        return {"values": values, "nothing": None}

    async with expose(tab, "add", add), expose(tab, "described", described):
        assert await js(tab, "add(1, 2, 0.5)") == 3.5
        assert await js(tab, "described('\u2028', [1, {a: null}], undefined)") == {
            "values": ["\u2028", [1, {"a": None}], None],
            "nothing": None,
        }
        assert await js(tab, "Promise.all([add(1), described(), add(2)])") == [1, {"values": [], "nothing": None}, 2]


async def test_it_is_there_before_scripts_and_after_navigations_to_other_sites(tab: Session, site: Sites) -> None:
    async with expose(tab, "add", add):
        for url in (site.local("/early"), site.remote("/early"), site.local("/early")):
            await load(tab, url)
            assert await js(tab, "window.early") == 3
        assert await js(tab, "frames[0].add(3, 4)") == 7


async def test_an_exception_rejects_the_promise_with_its_name_and_message(tab: Session) -> None:
    def refuse(reason: str) -> None:
        raise PermissionError(reason)

    async with expose(tab, "refuse", refuse), expose(tab, "unsendable", lambda: {1}), expose(tab, "add", add):
        with pytest.raises(JavaScriptError, match="PermissionError: not you"):
            await js(tab, "refuse('not you')")
        assert await js(tab, "refuse('x').catch(error => [error instanceof Error, error.name, error.message])") == [
            True, "PermissionError", "x",
        ]  # fmt: skip
        with pytest.raises(JavaScriptError, match="TypeError: Object of type set is not JSON serializable"):
            await js(tab, "unsendable()")
        with pytest.raises(JavaScriptError, match="TypeError: unsupported operand"):
            await js(tab, "add('text')")
        with pytest.raises(JavaScriptError, match="TypeError: Do not know how to serialize a BigInt"):
            await js(tab, "add(1n)")


async def test_a_page_that_forges_calls_reaches_no_other_function(tab: Session) -> None:
    called: list[object] = []
    forged = ("['add', 1]", '{"id": 1}', "[1]", "not json", "[true, []]", "[1, " + "[" * 100_000)
    async with expose(tab, "harmless", lambda *args: called.append(args)), expose(tab, "add", add):
        frame = (await tab.send(page.GetFrameTree())).frame_tree.frame.id
        world = await tab.send(page.CreateIsolatedWorld(frame_id=frame, world_name="other"))
        for payload in forged:  # the binding itself, which the wrapper hides from the page
            await tab.send(
                runtime.CallFunctionOn(
                    function_declaration="function (payload) { harmless(payload) }",
                    arguments=[runtime.CallArgument(value=payload)],
                    execution_context_id=world.execution_context_id,
                )
            )
        assert await js(tab, "harmless('real')") is None

    assert called == [("real",)]


async def test_after_the_block_it_is_gone_and_calls_that_wait_are_rejected(tab: Session, site: Sites) -> None:
    await load(tab, site.local("/"))
    never = asyncio.Event()
    async with expose(tab, "wait", never.wait):
        await js(tab, "() => { window.waiting = wait().catch(error => error.message) }")

    assert await js(tab, "window.waiting") == "wait is not exposed any more"
    assert await js(tab, "typeof wait") == "undefined"
    await load(tab, site.remote("/"))
    assert await js(tab, "typeof wait") == "undefined"
    never.set()


async def test_a_name_is_exposed_once(tab: Session) -> None:
    async with expose(tab, "add", add):
        with pytest.raises(RuntimeError, match="has an exposed function add already"):
            async with expose(tab, "add", add):
                raise AssertionError
        assert await js(tab, "add(1, 1)") == 2
    async with expose(tab, "add", lambda: "again"):
        assert await js(tab, "add()") == "again"


def test_without_async_the_function_may_use_the_client(no_leaks: None, chromium: LaunchedBrowser) -> None:
    with connect_sync(chromium.http_url) as browser, browser.new_page() as tab:

        def times(a: float, b: float) -> float:
            ten: float = blocking.js(tab, "10")
            return a * b * ten

        with blocking.expose(tab, "times", times):
            assert blocking.js(tab, "Promise.all([times(2, 3), times(1, 1)])") == [60, 10]
        assert blocking.js(tab, "typeof times") == "undefined"
