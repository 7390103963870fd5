"""The shell around the core: what it does when a caller, a watcher or a command is at fault."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cdp_typed.mock import MockServer, Page, Refusal
from cdp_typed.protocol import log, page, target
from supervisor import Evaluation, NotRunning, UnsupportedByBrowser
from supervisor.config import Config
from supervisor.core.vocabulary.requests import CallRequested, Evaluate
from supervisor.driver.driver import Driver

SITE = {"http://a.test/": Page(title="A")}


@pytest.fixture
async def mock(no_leaks: None) -> AsyncIterator[MockServer]:
    async with MockServer(SITE) as server:
        yield server


@pytest.fixture
async def driver(mock: MockServer) -> AsyncIterator[Driver]:
    driver = Driver(Config(cdp_url=mock.url))
    await driver.start(5)
    yield driver
    await driver.stop()


async def call(driver: Driver, work: Any, timeout_s: float = 5.0) -> Any:
    return await driver.request(
        lambda call_id: CallRequested(call_id=call_id, work=work, frame_id=None, timeout_s=timeout_s)
    )


async def works(driver: Driver) -> bool:
    evaluation = await call(driver, Evaluate(expression="1+1"))
    return isinstance(evaluation, Evaluation) and evaluation.value == 2


async def test_a_command_that_is_no_json_is_its_caller_s_mistake_alone(driver: Driver) -> None:
    nonsense: Any = object()

    with pytest.raises(TypeError):
        await call(driver, page.Navigate(url=nonsense))

    assert await works(driver)


async def test_a_caller_that_gives_up_leaves_nothing_behind(driver: Driver) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await call(driver, Evaluate(expression="new Promise(() => {})"), timeout_s=0.2)

    await driver.wait_for(lambda state: not state.world.calls.pending)
    assert await works(driver)


async def test_a_watcher_s_mistake_is_told_to_it_alone(driver: Driver) -> None:
    def mistaken(state: Any) -> bool:
        if state.world.calls.pending:
            raise ZeroDivisionError("mine")
        return False

    watching = asyncio.create_task(driver.wait_for(mistaken))
    await asyncio.sleep(0)

    assert await works(driver)
    with pytest.raises(ZeroDivisionError, match="mine"):
        await watching


async def test_a_watcher_that_gives_up_is_forgotten(driver: Driver) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await driver.wait_for(lambda _: False)

    assert await works(driver)


async def test_what_holds_already_is_not_waited_for(driver: Driver) -> None:
    assert await driver.wait_for(lambda state: state.world.connection.is_up) is driver.state


async def test_stopping_ends_callers_and_watchers(driver: Driver) -> None:
    waiting = [
        asyncio.create_task(call(driver, Evaluate(expression="new Promise(() => {})"))),
        asyncio.create_task(driver.wait_for(lambda _: False)),
    ]
    await driver.wait_for(lambda state: any(pending.sent for pending in state.world.calls.pending.values()))

    await driver.stop()

    for outcome in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(outcome, NotRunning)


async def test_stopping_during_the_start_ends_the_start(mock: MockServer) -> None:
    mock.browser.hang(target.SetAutoAttach)
    driver = Driver(Config(cdp_url=mock.url))
    starting = asyncio.create_task(driver.start(5))
    await driver.wait_for(lambda state: state.world.connection.is_up)

    await driver.stop()

    with pytest.raises(NotRunning):
        await starting


async def test_a_browser_that_refuses_to_attach_fails_the_start(mock: MockServer) -> None:
    mock.browser.on(target.SetAutoAttach, Refusal(-32000, "Not allowed"))
    driver = Driver(Config(cdp_url=mock.url))

    with pytest.raises(UnsupportedByBrowser, match=r"Target\.setAutoAttach.*Not allowed"):
        await driver.start(5)

    await driver.stop()


async def test_a_refused_part_of_the_set_up_is_survived_and_noted(
    mock: MockServer, caplog: pytest.LogCaptureFixture
) -> None:
    mock.browser.on(log.Enable, Refusal(-32000, "No log here"))
    driver = Driver(Config(cdp_url=mock.url))

    with caplog.at_level(logging.DEBUG, logger="supervisor.driver"):
        await driver.start(5)
        assert await works(driver)

    assert [record.getMessage() for record in caplog.records] == [
        "set-up command refused: Log.enable: No log here [-32000]"
    ]
    await driver.stop()
