"""Connections on which nothing is said for long: kept, given up or left alone."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from typing import Any

import pytest

from cdp_typed import CommandTimeout, connect
from cdp_typed.mock import PERSONALITIES, MockBrowser, MockServer, Personality
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import target
from cdp_typed.transport.keepalive import Keepalive
from cdp_typed.wire.counters import Counters
from tests.support.wires.clocks import clock_from

pytestmark = pytest.mark.usefixtures("no_leaks")

OLD = PERSONALITIES["drops_pings"]
INTERVAL = 0.25
"""In seconds; on a busy machine an answer takes a while."""
VERSION = {"protocolVersion": "1.3", "product": "P", "revision": "R", "userAgent": "U", "jsVersion": "9.2.0"}


def _after_asks(browser: MockBrowser, number: int, done: Callable[[], object]) -> None:
    """Call `done` when the browser was asked for its version so many times."""
    asked: list[dict[str, Any]] = []

    def answer(params: dict[str, Any]) -> dict[str, Any]:
        asked.append(params)
        if len(asked) == number:
            done()
        return dict(VERSION)

    browser.on(browser_domain.GetVersion, answer)


@pytest.mark.parametrize("over_http", [True, False], ids=["http", "ws"])
async def test_a_browser_that_ends_at_a_ping_is_kept_by_a_command_of_which_nobody_else_hears(over_http: bool) -> None:
    async with MockServer(personality=OLD) as mock:
        asked = asyncio.Event()
        _after_asks(mock.browser, 2, asked.set)
        address = mock.http_url if over_http else mock.url
        async with connect(address, ping_interval=INTERVAL) as browser:
            seen: list[bytes] = []
            browser.tap(lambda _, data: seen.append(data))
            await asyncio.wait_for(asked.wait(), 20)

            assert (seen, browser.pending, browser.counters) == ([], 0, Counters())
            assert len((await browser.send(target.GetTargets())).target_infos) == 1


async def test_a_ping_ends_such_a_connection() -> None:
    """The mock is as bad as what it stands for: one that says to be newer than it is, is pinged, and lost."""
    async with (
        MockServer(personality=Personality(drops_pings=True)) as mock,
        connect(mock.http_url, ping_interval=INTERVAL) as browser,
    ):
        lost = await asyncio.wait_for(asyncio.shield(browser.lost), 20)

    assert lost.reason == "the browser is gone: the socket closed without a close frame"


@pytest.mark.parametrize("personality", [OLD, PERSONALITIES["local"]], ids=["drops_pings", "local"])
async def test_f10_a_browser_that_falls_silent_is_given_up(personality: Personality) -> None:
    async with MockServer(personality=personality) as mock, connect(mock.http_url, ping_interval=INTERVAL) as browser:
        mock.browser.end("silence")
        lost = await asyncio.wait_for(asyncio.shield(browser.lost), 20)

    assert lost.reason.startswith("the browser was silent for ")


async def test_without_an_interval_silence_is_borne() -> None:
    async with MockServer() as mock, connect(mock.http_url, ping_interval=None) as browser:
        mock.browser.end("silence")

        with pytest.raises(CommandTimeout):
            await browser.send(browser_domain.GetVersion(), timeout=0.5)
        assert not browser.closed


@pytest.mark.parametrize("seconds", [0, -1, math.nan])
async def test_an_interval_that_is_none_is_refused_at_once(seconds: float) -> None:
    with pytest.raises(ValueError, match="ping_interval must be a number of seconds above 0, or None, not "):
        _ = connect("127.0.0.1:1", ping_interval=seconds)


async def test_the_first_heartbeat_comes_in_time_whatever_the_clock_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio.get_running_loop(), "time", clock_from(-100))
    ended: asyncio.Queue[str | None] = asyncio.Queue()
    keepalive = Keepalive(0.05, ask=lambda: ended.put_nowait("asked"), give_up=ended.put_nowait)
    keepalive.start()

    assert await ended.get() == "asked"
    keepalive.stop()


async def test_a_loop_that_was_held_up_gives_the_peer_another_interval() -> None:
    asked, gave_up = asyncio.Event(), list[str | None]()
    keepalive = Keepalive(0.05, ask=asked.set, give_up=gave_up.append)
    keepalive.start()
    await asked.wait()

    asked.clear()
    time.sleep(0.2)  # noqa: ASYNC251 - this is what holds the loop up
    await asyncio.wait_for(asked.wait(), 20)
    keepalive.stop()

    assert gave_up == []


async def test_a_loop_that_was_held_up_until_the_next_tick_reads_before_it_gives_the_peer_up() -> None:
    asked, gave_up = asyncio.Event(), list[str | None]()
    keepalive = Keepalive(1.0, ask=asked.set, give_up=gave_up.append)
    keepalive.start()
    await asked.wait()

    asked.clear()
    loop = asyncio.get_running_loop()
    loop.call_later(0.01, loop.call_soon, keepalive.received)
    time.sleep(1.02)  # noqa: ASYNC251 - the next tick is on time all the same
    await asyncio.wait_for(asked.wait(), 20)
    keepalive.stop()

    assert gave_up == []
