"""Workers of supervised pages: on the mock and on real Chromium."""

from __future__ import annotations

import asyncio
import time

import pytest

from cdp_typed import Connection, Session, connect
from cdp_typed.protocol import page, runtime, target
from supervisor import CDPSupervisor
from tests.support.stages.stages import Stage, open_page

PATIENCE_S = 20.0


async def only_worker(browser: Connection) -> Session:
    """The only dedicated worker, as the page tells that has it: older Chromes (131) do not list workers."""
    attached = await browser.auto_attach(wait_for_debugger=False)
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        workers = [session for session in attached.sessions if session.target_info.type == "worker"]
        if workers:
            return workers[0]
        await asyncio.sleep(0.02)
    raise AssertionError("no worker")


async def has_run(worker: Session) -> bool:
    """True if the worker's script has run."""
    result = await worker.send(runtime.Evaluate(expression="self.answer === 42"))
    return result.result.value is True


async def runs_in_the_end(worker: Session) -> bool:
    """The same, once it is so or has had plenty of time."""
    give_up = time.monotonic() + PATIENCE_S
    while not await has_run(worker):
        if time.monotonic() > give_up:
            return False
        await asyncio.sleep(0.02)
    return True


async def runs(stage: Stage) -> bool:
    """True if the browser's only worker gets to run, as another client sees it."""
    async with connect(stage.cdp_url) as browser:
        return await runs_in_the_end(await only_worker(browser))


@pytest.mark.parametrize("place", ["page", "opened page", "oopif"])
def test_a_dedicated_worker_of_a_supervised_page_runs(stage: Stage, supervisor: CDPSupervisor, place: str) -> None:
    if place == "opened page":
        supervisor.open_page(f"{stage.own}/frames")
    now = open_page(supervisor, f"{stage.own}/frames")
    oopif = next(frame for frame in now.frame_tree.children if frame.is_oopif)

    supervisor.evaluate("window.made = new Worker('/worker.js'); 1", oopif.frame_id if place == "oopif" else None)

    assert asyncio.run(runs(stage))


async def test_a_filter_that_leaves_workers_out_keeps_them_from_running(stage: Stage) -> None:
    """The fact that the supervisor's own `Target.setAutoAttach` respects: seen on Chromium 131 to 156."""
    only_iframes = target.SetAutoAttach(
        auto_attach=True, wait_for_debugger_on_start=True, flatten=True, filter=[target.FilterEntry(type="iframe")]
    )
    async with connect(stage.cdp_url) as browser, connect(stage.cdp_url) as other:
        infos = (await browser.send(target.GetTargets())).target_infos
        tab = await browser.attach(next(info.target_id for info in infos if info.type == "page"))
        await tab.send(page.Enable())
        await tab.send(only_iframes)
        async with tab.expect(page.LoadEventFired, timeout=PATIENCE_S):
            await tab.send(page.Navigate(url=f"{stage.own}/plain"))
        await tab.send(runtime.Evaluate(expression="window.made = new Worker('/worker.js'); 1"))
        worker = await only_worker(other)
        assert not await has_run(worker)

        await worker.send(runtime.RunIfWaitingForDebugger())
        assert await runs_in_the_end(worker)
