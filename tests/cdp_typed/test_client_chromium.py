"""The behaviour of Chromium that the client relies on, on a real Chromium over websocket and pipe."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from typing import Literal

import pytest

from cdp_typed import Connection, Session, connect
from cdp_typed._base import Command
from cdp_typed.errors import (
    CommandError,
    CommandTimeout,
    ConnectionLost,
    InvalidParams,
    MethodNotFound,
    SessionNotFound,
    TargetCrashed,
)
from cdp_typed.helpers import goto, js
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import inspector, page, runtime, target
from tests.support.browsers import quiet_launch
from tests.support.servers.sites import Response, Sites, page_with_oopif
from tests.support.wires.wires import WIRES, WireName, own_browser, wired

pytestmark = [pytest.mark.timeout(120), pytest.mark.thorough]


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> WireName:
    name: WireName = request.param
    return name


@pytest.fixture
async def browser(no_leaks: None, chromium: LaunchedBrowser, wire: WireName) -> AsyncIterator[Connection]:
    async with wired(wire, chromium) as connection:
        yield connection


@pytest.fixture
async def tab(browser: Connection) -> AsyncIterator[Session]:
    async with browser.new_page() as session:
        yield session


async def _value(tab: Session, expression: str) -> object:
    result = await tab.send(runtime.Evaluate(expression=expression, return_by_value=True))
    assert result.exception_details is None
    return result.result.value


@pytest.mark.parametrize("address", ["http_url", "ws_url"])  # asked by a ping; by a command, for nothing is known of it
async def test_f10_a_stopped_browser_is_given_up(no_leaks: None, address: Literal["http_url", "ws_url"]) -> None:
    async with (
        quiet_launch() as chromium,
        # A busy machine is silent for a while too.
        connect(getattr(chromium, address), ping_interval=1.0) as browser,
    ):
        await browser.send(browser_domain.GetVersion())
        os.kill(chromium.pid, signal.SIGSTOP)
        try:
            with pytest.raises(ConnectionLost, match=r"the browser was silent for \d+ s$"):
                await asyncio.wait_for(browser.send(browser_domain.GetVersion(), timeout=None), 20)
        finally:
            os.kill(chromium.pid, signal.SIGCONT)


async def test_a_browser_on_a_pipe_that_is_stopped_for_a_while_goes_on(no_leaks: None) -> None:
    async with own_browser("pipe") as (browser, pid):
        os.kill(pid, signal.SIGSTOP)
        waiting = browser.send_nowait(browser_domain.GetVersion())
        with pytest.raises(CommandTimeout):
            await browser.send(browser_domain.GetVersion(), timeout=0.2)
        os.kill(pid, signal.SIGCONT)

        assert (await waiting).protocol_version == "1.3"


async def test_lone_surrogates_are_delivered_in_events_and_results_and_accepted_in_commands(
    browser: Connection, tab: Session
) -> None:
    async with tab.events(runtime.ConsoleAPICalled) as console:
        await tab.send(runtime.Enable())
        result = await tab.send(runtime.Evaluate(expression='console.log("a\\ud800b"); "\\udc00"'))
        logged = await anext(console)

    assert result.result.value == "\\udc00"
    assert logged.args[0].value == "a\\ud800b"
    assert await _value(tab, "'\ud800'.charCodeAt(0)") == 0xD800
    assert browser.drift == ()


async def test_chromium_says_no_in_typed_errors(browser: Connection, tab: Session) -> None:
    class Nothing(Command[None], frozen=True, kw_only=True):
        METHOD = "Foo.bar"
        RESULT = None

    with pytest.raises(MethodNotFound, match=r"^Foo\.bar: 'Foo\.bar' wasn't found \[-32601\]$"):
        await browser.send(Nothing())
    with pytest.raises(InvalidParams, match=r"^Target\.attachToTarget: No target with given id found \[-32602\]$"):
        await browser.attach("nobody")
    with pytest.raises(SessionNotFound, match=r"Session with given id not found\. \[-32001\]$"):
        await browser.send(page.Enable(), session_id="nobody")
    with pytest.raises(CommandError, match=r"Cannot find context with specified id \[-32000\]$"):
        await tab.send(runtime.Evaluate(expression="1", context_id=runtime.ExecutionContextId(4711)))


async def test_a_crash_fails_calls_and_streams_and_a_reload_revives_the_page(browser: Connection, tab: Session) -> None:
    await browser.send(target.SetDiscoverTargets(discover=True))
    await tab.send(inspector.Enable())

    async with tab.events(inspector.TargetCrashed) as crashes:
        with pytest.raises(TargetCrashed):
            await tab.send(page.Crash(), timeout=20)
        assert await anext(crashes) == inspector.TargetCrashed()
        with pytest.raises(TargetCrashed):
            await anext(crashes)
    async with tab.expect(inspector.TargetReloadedAfterCrash, timeout=20):
        await tab.send(page.Reload())

    assert await _value(tab, "1 + 1") == 2


async def test_a_page_with_a_dialog_of_an_oopif_is_closed_without_killing_the_browser(
    no_leaks: None, wire: WireName, sites: Sites
) -> None:
    """The page's session is detached before the page is closed; otherwise Chromium 156 dies of it."""
    sites.pages["/"] = page_with_oopif(sites, "/frame")
    sites.pages["/frame"] = "<script>setTimeout(() => alert('hi'), 0)</script>"
    async with own_browser(wire) as (browser, _):
        async with browser.new_page() as tab:
            await tab.send(page.Enable())
            async with tab.expect(page.JavascriptDialogOpening, timeout=20):
                await tab.send(page.Navigate(url=sites.local("/")))

        assert (await browser.send(browser_domain.GetVersion())).protocol_version == "1.3"


async def test_a_browser_that_is_killed_fails_everything_at_once(no_leaks: None, wire: WireName) -> None:
    async with own_browser(wire) as (browser, pid), browser.new_page() as tab:
        forever = tab.send_nowait(
            runtime.Evaluate(expression="new Promise(() => {})", await_promise=True), timeout=None
        )
        await _value(tab, "1 + 1")
        os.killpg(os.getpgid(pid), signal.SIGKILL)

        with pytest.raises(ConnectionLost, match="the browser is gone"):
            await asyncio.wait_for(forever, 5)
        with pytest.raises(ConnectionLost):
            await browser.send(browser_domain.GetVersion())
        how = "the pipe closed" if wire == "pipe" else "the socket closed without a close frame"
        assert (await browser.lost).reason == f"the browser is gone: {how}"


async def test_results_and_commands_of_many_megabytes_arrive_whole(tab: Session) -> None:
    assert await _value(tab, "'x'.repeat(20 * 2 ** 20)") == "x" * 20 * 2**20
    assert await _value(tab, f"'{'x' * 10 * 2**20}'.length") == 10 * 2**20


async def test_a_service_worker_has_one_session_though_browser_and_page_announce_it(
    chromium: LaunchedBrowser, sites: Sites
) -> None:
    sites.pages.update(
        {"/": "<title>Home</title>", "/worker.js": Response("", headers={"Content-Type": "text/javascript"})}
    )
    register = "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => 1)"
    async with connect(chromium) as browser, browser.auto_attach() as attached, browser.new_page() as tab:
        await goto(tab, sites.local("/"))
        assert await js(tab, register) == 1
        await js(tab, "navigator.serviceWorker.getRegistration().then(r => 1)")
        workers = [session for session in attached.sessions if session.target_info.type == "service_worker"]
        living = [session for session in browser.sessions if session.target_info.type == "service_worker"]

        assert (len(workers), workers) == (1, living)
        assert await js(workers[0], "2 + 2") == 4
        await js(tab, "navigator.serviceWorker.getRegistration().then(r => r.unregister())")
