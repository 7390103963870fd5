"""`AsyncSupervisor`: the same supervisor, awaited."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest

from cdp_typed.mock import MockServer, Page, ThreadedMockServer
from cdp_typed.protocol import target
from supervisor import AsyncSupervisor, BlockedByDialog, CDPSupervisor, Config, InvalidConfig, NotRunning
from supervisor.core.state.pages import PAGES_ONLY
from tests.support.servers.silent import silence
from tests.support.stages.stages import Stage

T = TypeVar("T")
SITE = {"http://a.test/": Page(title="A")}


@pytest.mark.parametrize("stage", ["mock", "chromium"], indirect=True)
def test_a_dialog_is_seen_and_answered_from_a_loop_of_ones_own(stage: Stage) -> None:
    async def play() -> object:
        async with AsyncSupervisor(stage.cdp_url, call_timeout_s=10) as supervisor:
            with pytest.raises(BlockedByDialog) as blocked:
                await supervisor.evaluate("window.answer = confirm('sure?')")
            receipt = await supervisor.respond_to_dialog("accept", dialog_id=blocked.value.dialog.id)
            assert (receipt.accepted, receipt.closed_by) == (True, "agent")
            now = await supervisor.wait_for(lambda now: not now.pending_dialogs)
            assert [record.message for record in now.recent_dialogs] == ["sure?"]
            return (await supervisor.evaluate("window.answer")).value

    assert asyncio.run(play()) is True


async def test_it_can_be_used_from_several_loops_at_once(no_leaks: None) -> None:
    async with MockServer(SITE) as server, AsyncSupervisor(server.url) as supervisor:
        here = await supervisor.evaluate("1+1")
        there = await _in_a_thread(lambda: asyncio.run(_evaluate(supervisor)))

    assert here == there


async def _in_a_thread(work: Callable[[], T]) -> T:
    with ThreadPoolExecutor(1) as pool:  # asyncio.to_thread would leave its threads for later
        return await asyncio.get_running_loop().run_in_executor(pool, work)


async def _evaluate(supervisor: AsyncSupervisor) -> object:
    return await supervisor.evaluate("1+1")


async def test_a_caller_that_is_cancelled_leaves_nothing_pending(no_leaks: None) -> None:
    async with MockServer(SITE) as server, AsyncSupervisor(server.url) as supervisor:
        call = asyncio.create_task(supervisor.evaluate("new Promise(() => {})"))
        await supervisor.wait_for(lambda _: supervisor.status().pending_calls == 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

        await supervisor.wait_for(lambda _: supervisor.status().pending_calls == 0)
        assert supervisor.status().timers == 0
        assert (await supervisor.evaluate("1+1")).value == 2


async def test_both_facades_are_one_supervisor(no_leaks: None) -> None:
    async with MockServer(SITE) as server:
        supervisor = CDPSupervisor(server.url)
        await supervisor.aio.start()
        assert supervisor.is_running
        assert supervisor.snapshot() is supervisor.aio.snapshot()
        assert (repr(supervisor), repr(supervisor.aio)) == ("<CDPSupervisor ready>", "<AsyncSupervisor ready>")
        await _in_a_thread(supervisor.stop)
        assert not supervisor.aio.is_running


async def test_settings_read_elsewhere_are_taken(no_leaks: None) -> None:
    async with MockServer(SITE) as server:
        config = Config(cdp_url=server.url, dialog_policy="auto_dismiss")
        supervisor = CDPSupervisor.from_config(config)
        assert supervisor.config is supervisor.aio.config is config
        async with supervisor.aio:
            assert (await supervisor.aio.evaluate("confirm('sure?')")).value is False


async def test_starts_at_the_same_time_are_one(no_leaks: None) -> None:
    async with MockServer(SITE) as server:
        supervisor = AsyncSupervisor(server.url)
        await asyncio.gather(*(supervisor.start() for _ in range(5)))
        attaching = [
            command for command in server.browser.received(target.SetAutoAttach) if command.filter == PAGES_ONLY
        ]
        assert len(attaching) == 1
        await supervisor.stop()
        assert not any(thread.name == "cdp-typed loop" for thread in threading.enumerate())


async def test_stop_ends_a_start_under_way(no_leaks: None) -> None:
    with silence() as silent:
        supervisor = AsyncSupervisor(silent.url)
        starting = asyncio.create_task(supervisor.start(timeout_s=60))
        also = asyncio.create_task(supervisor.start(timeout_s=60))
        await _in_a_thread(silent.accept)

        await asyncio.wait_for(supervisor.stop(), 10)

        for start in (starting, also):
            with pytest.raises(NotRunning, match="stopped while it was starting"):
                await start
    assert supervisor.status().state == "not started"


async def test_a_start_that_is_given_up_leaves_nothing(no_leaks: None) -> None:
    with silence() as silent:
        supervisor = AsyncSupervisor(silent.url)
        starting = asyncio.create_task(supervisor.start(timeout_s=60))
        await _in_a_thread(silent.accept)

        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting

    await supervisor.stop()
    with pytest.raises(NotRunning, match="not started"):
        supervisor.snapshot()


async def test_what_is_not_allowed_is_refused_before_anything_is_sent(no_leaks: None) -> None:
    async with MockServer(SITE) as server, AsyncSupervisor(server.url) as supervisor:
        with pytest.raises(InvalidConfig, match="timeout_s=0"):
            await supervisor.evaluate("1+1", timeout_s=0)
        with pytest.raises(InvalidConfig, match="one of accept, dismiss"):
            await supervisor.respond_to_dialog("maybe")  # type: ignore[arg-type]  # the mistake
    with pytest.raises(NotRunning):
        await supervisor.evaluate("1+1")


async def test_the_status_says_how_it_is_doing(no_leaks: None) -> None:
    async with MockServer(SITE) as server:
        supervisor = AsyncSupervisor(server.url)
        assert supervisor.status().state == "not started"
        async with supervisor:
            status = supervisor.status()
            assert (status.state, status.reason, status.pages, status.sessions, status.frames) == ("ready", "", 1, 1, 1)
            assert (status.open_dialogs, status.pending_calls, status.waiting_inputs, status.timers) == (0, 0, 0, 0)
            assert status.round_trip_s is not None
            assert status.round_trip_s > 0
            assert status.uptime_s > 0
            assert status.counters.replies > 0


def test_a_child_of_a_fork_neither_uses_nor_ends_what_its_parent_has(no_leaks: None) -> None:
    with ThreadedMockServer(SITE) as server, CDPSupervisor(server.url) as supervisor:
        child = multiprocessing.get_context("fork").Process(target=_in_the_child, args=(supervisor,))
        child.start()
        child.join(30)
        assert child.exitcode == 0
        assert supervisor.evaluate("1+1").value == 2


def _in_the_child(supervisor: CDPSupervisor) -> None:
    try:
        with pytest.raises(NotRunning):
            supervisor.evaluate("1+1")
        supervisor.stop()
        with pytest.raises(NotRunning, match="not started"):
            supervisor.snapshot()
    except BaseException:
        os._exit(1)
    os._exit(0)  # and nothing of the parent's test run
