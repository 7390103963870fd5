"""The second connection: a dialog stays answerable when the first one is lost. On the mock and on Chromium."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from cdp_typed import ConnectionLost, connect
from cdp_typed._base import Command
from cdp_typed.protocol import page, runtime, target
from supervisor import BlockedByDialog, DialogReceipt
from supervisor.config import Config
from supervisor.core.step import State
from supervisor.core.wishes import AnswerRequested, CallRequested, Evaluate
from supervisor.driver import Driver
from tests.support.cutting import CuttingProxy
from tests.support.stage_names import REAL_STAGES
from tests.support.stages import Stage

PATIENCE_S = 20.0
"""No correct run comes near it."""


@pytest.fixture
async def proxy(stage: Stage) -> AsyncIterator[CuttingProxy]:
    with CuttingProxy(urlsplit(stage.cdp_url).port or 0) as running:
        yield running


@pytest.fixture
async def driver(stage: Stage, proxy: CuttingProxy) -> AsyncIterator[Driver]:
    """Behind the proxy, whose first connection is the main one and whose second one is the anchor's."""
    driver = Driver(Config(cdp_url=proxy.url(stage.cdp_url), dialog_anchor=True))
    await driver.start(PATIENCE_S)
    await until(driver, lambda state: bool(state.world.anchor.sessions))
    yield driver
    await driver.stop()


async def until(driver: Driver, holds: Callable[[State], bool]) -> State:
    async with asyncio.timeout(PATIENCE_S):
        return await driver.wait_for(holds)


async def call(driver: Driver, work: Command[Any] | Evaluate, frame_id: str | None = None) -> Any:
    return await driver.request(
        lambda call_id: CallRequested(call_id=call_id, work=work, frame_id=frame_id, timeout_s=PATIENCE_S)
    )


async def evaluate(driver: Driver, expression: str, frame_id: str | None = None) -> Any:
    return (await call(driver, Evaluate(expression=expression), frame_id)).value


async def answer(driver: Driver, text: str) -> DialogReceipt:
    receipt: DialogReceipt = await driver.request(
        lambda call_id: AnswerRequested(call_id=call_id, action="accept", prompt_text=text, dialog_id=None)
    )
    return receipt


async def ask(driver: Driver, frame_id: str | None = None) -> None:
    """Open a prompt, and wait until both connections have told of it."""
    with pytest.raises(BlockedByDialog):
        await evaluate(driver, "window.answer = prompt('how?', 'default')", frame_id)
    await until(driver, lambda state: bool(state.world.dialogs.open and state.world.anchor.showing))


async def visit(driver: Driver, url: str) -> None:
    await call(driver, page.Navigate(url=url))
    await until(driver, lambda state: _is_loaded(state, url))


def _is_loaded(state: State, url: str) -> bool:
    top = state.world.frame(None)
    frames = state.world.frames
    everything = [] if top is None else [top, *frames.descendants(top.frame_id)]
    return top is not None and top.url == url and all(not one.is_loading and frames.context(one) for one in everything)


def is_main(number: int) -> bool:
    return number == 0


async def test_a_dialog_is_answered_while_the_main_connection_is_away(
    stage: Stage, proxy: CuttingProxy, driver: Driver
) -> None:
    await visit(driver, f"{stage.own}/plain")
    await ask(driver)
    proxy.refuses = True
    assert proxy.cut(only=is_main) == 1
    state = await until(driver, lambda state: state.world.link.state == "reconnecting")
    (dialog,) = state.world.dialogs.open
    assert (dialog.info.answerable, dialog.info.stale) == (True, False)

    receipt = await answer(driver, "over the anchor")

    assert (receipt.dialog_id, receipt.closed_by, receipt.user_input) == (dialog.info.id, "agent", "over the anchor")
    proxy.refuses = False
    await until(driver, lambda state: state.world.link.state == "ready")
    assert await evaluate(driver, "window.answer") == "over the anchor"


@pytest.mark.usefixtures("soon_unresponsive")
async def test_a_dialog_is_answered_after_the_main_connection_is_back(
    stage: Stage, proxy: CuttingProxy, driver: Driver
) -> None:
    """The page is frozen for the new session, which cannot answer; the anchor can."""
    await visit(driver, f"{stage.own}/plain")
    await ask(driver)
    proxy.cut(only=is_main)
    await until(driver, lambda state: state.world.link.state == "ready" and state.world.link.epoch == 2)

    receipt = await answer(driver, "after all")

    assert (receipt.closed_by, receipt.user_input) == ("agent", "after all")
    assert await evaluate(driver, "window.answer") == "after all"


@pytest.mark.usefixtures("soon_unresponsive")
async def test_the_dialog_of_an_iframe_in_another_process_is_answered_too(
    stage: Stage, proxy: CuttingProxy, driver: Driver
) -> None:
    await visit(driver, f"{stage.own}/frames")
    inner = next(one.frame_id for one in driver.state.world.frames.nodes.values() if one.is_oopif)
    await ask(driver, inner)
    proxy.cut(only=is_main)
    await until(driver, lambda state: state.world.link.state == "ready" and state.world.link.epoch == 2)

    await answer(driver, "inside")

    assert await evaluate(driver, "window.answer", inner) == "inside"


async def test_a_dialog_that_opens_while_the_main_connection_is_away_is_known_and_answered(
    stage: Stage, proxy: CuttingProxy, driver: Driver
) -> None:
    await visit(driver, f"{stage.own}/plain")
    page_id = driver.state.world.targets.current
    assert page_id is not None
    proxy.refuses = True
    proxy.cut(only=is_main)
    await until(driver, lambda state: not state.world.link.is_up)
    async with connect(stage.cdp_url) as other:
        session = await other.attach(target.TargetID(page_id))
        asks = "setTimeout(() => { window.answer = prompt('late?') }, 0)"
        await session.send(runtime.Evaluate(expression=asks))

    state = await until(driver, lambda state: bool(state.world.dialogs.open))
    assert [dialog.info.message for dialog in state.world.dialogs.open] == ["late?"]
    await answer(driver, "seen")

    proxy.refuses = False
    assert await evaluate(driver, "window.answer") == "seen"
    assert [closed.record.closed_by for closed in driver.state.world.dialogs.closed] == ["agent"]


@pytest.mark.usefixtures("soon_unresponsive")
async def test_when_both_connections_are_lost_a_dialog_is_stale(
    stage: Stage, proxy: CuttingProxy, driver: Driver
) -> None:
    await visit(driver, f"{stage.own}/plain")
    await ask(driver)
    proxy.cut()

    state = await until(driver, lambda state: state.world.link.state == "ready" and state.world.link.epoch == 2)
    assert [(one.info.stale, one.info.answerable) for one in state.world.dialogs.open] == [(True, False)]


async def test_an_anchor_that_is_lost_alone_comes_back_and_nobody_notices(
    stage: Stage, proxy: CuttingProxy, driver: Driver
) -> None:
    await visit(driver, f"{stage.own}/plain")
    proxy.cut(only=lambda number: number == 1)
    await until(driver, lambda state: state.world.anchor.failures == 1)
    await until(driver, lambda state: bool(state.world.anchor.sessions))

    await ask(driver)
    proxy.cut(only=is_main)
    with_anchor = await until(driver, lambda state: state.world.link.state == "reconnecting")

    assert [one.info.answerable for one in with_anchor.world.dialogs.open] == [True]
    assert (await answer(driver, "again")).user_input == "again"


async def test_a_call_in_flight_is_lost_all_the_same(stage: Stage, proxy: CuttingProxy, driver: Driver) -> None:
    waiting = asyncio.create_task(evaluate(driver, "new Promise(() => {})"))
    await until(driver, lambda state: any(one.sent for one in state.calls.pending.values()))

    proxy.cut(only=is_main)

    with pytest.raises(ConnectionLost):
        await waiting


@pytest.mark.parametrize("stage", REAL_STAGES, indirect=True)
async def test_an_iframe_that_is_removed_under_its_dialog_takes_nothing_down(
    stage: Stage, proxy: CuttingProxy, driver: Driver
) -> None:
    """With two connections that listen there are two that could kill the browser by it."""
    await visit(driver, f"{stage.own}/frames")
    inner = next(one.frame_id for one in driver.state.world.frames.nodes.values() if one.is_oopif)
    await ask(driver, inner)

    await evaluate(driver, "document.getElementById('inner').remove()")

    await until(driver, lambda state: not state.world.dialogs.open and not state.world.rescues.pages)
    await ask(driver)
    await answer(driver, "alive")
    assert await evaluate(driver, "window.answer") == "alive"


@pytest.mark.parametrize("stage", REAL_STAGES, indirect=True)
async def test_nor_does_one_that_is_removed_while_only_the_anchor_listens(
    stage: Stage, proxy: CuttingProxy, driver: Driver
) -> None:
    await visit(driver, f"{stage.own}/frames")
    inner = next(one.frame_id for one in driver.state.world.frames.nodes.values() if one.is_oopif)
    await ask(driver, inner)
    await evaluate(driver, "setTimeout(() => document.getElementById('inner').remove(), 300)")
    proxy.refuses = True
    proxy.cut(only=is_main)

    await until(driver, lambda state: not state.world.anchor.showing)
    proxy.refuses = False

    await until(driver, lambda state: not state.world.dialogs.open and not state.world.rescues.pages)
    assert await evaluate(driver, "document.title") == "Frames"
