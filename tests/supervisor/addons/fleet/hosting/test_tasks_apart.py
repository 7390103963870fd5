"""Two tasks of a host in one Chromium, without Ray: no raw command of a tool or a program leads to the other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.errors import CDPError
from cdp_typed.protocol import network, target
from supervisor import Config, SupervisorSnapshot
from supervisor.addons.fleet import Hosts
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from supervisor.tools import PolicyRefused
from supervisor.tools.browser.cdp import build
from tests.attacks.other_tasks import WAYS, Params, play
from tests.attacks.two_tasks import PLACE, SECRET, Ground, Judge, ground_of, judged
from tests.supervisor.addons.fleet.hosting.test_task_host import FACTS, Listening
from tests.support.browsers import LaunchBrowser

OURS, THEIRS = Placement("ours", "h1", 1), Placement("theirs", "h1", 2)
TOOLS = ("browser_cdp", "browser_evaluate", "browser_navigate", "browser_tabs")


@asynccontextmanager
async def two_tasks(ground: Ground) -> AsyncGenerator[Host]:
    plan = Plan(name="f", config=Config(cdp_url=ground.browser.ws_url), hosts=Hosts(tasks=2), tools=TOOLS)
    host = Host("h1", plan, Listening(), FACTS)
    try:
        await host.begin()
        for place, url in ((OURS, ground.ours), (THEIRS, ground.theirs)):
            await host.accept(place, "", None)
            assert json.loads(await host.call_tool(place, "browser_navigate", {"url": url}))["success"]
        yield host
    finally:
        await host.stop()


async def target_of(host: Host, place: Placement) -> str:
    now: SupervisorSnapshot = await host.call_supervisor(place, "snapshot", (), {})
    return next(page.target_id for page in now.pages if page.is_current)


Send = Callable[[str, Params, Params], dict[str, Any]]


def by_tool(host: Host, loop: asyncio.AbstractEventLoop) -> Send:
    def send(method: str, params: Params, named: Params) -> dict[str, Any]:
        arguments = {"method": method, "params": dict(params), "timeout": 10, **named}
        calling = host.call_tool(OURS, "browser_cdp", arguments)
        answer: dict[str, Any] = json.loads(asyncio.run_coroutine_threadsafe(calling, loop).result())
        return answer

    return send


def by_supervisor(host: Host, loop: asyncio.AbstractEventLoop) -> Send:
    def send(method: str, params: Params, named: Params) -> dict[str, Any]:
        try:
            given = {"frame_id": next(iter(named.values()), None), "timeout_s": 10}
            calling = host.call_supervisor(OURS, "send", (build(method, dict(params)),), given)
            return {"result": asyncio.run_coroutine_threadsafe(calling, loop).result()}
        except CDPError as error:
            return {"error": str(error)}

    return send


def played(judge: Judge, send: Send) -> dict[str, str]:
    """The ways that worked, and how."""
    before, worked = judge.state(), dict[str, str]()
    assert SECRET in before
    for way in WAYS:
        told = json.dumps([*play(way, judge.other, send)])
        if SECRET in told or PLACE in told:
            worked[way.name] = "told"
    if judge.state() != before:
        worked["one of them"] = "changed"
    return worked


@pytest.mark.parametrize("by", [by_tool, by_supervisor])
async def test_no_way_leads_from_one_task_of_a_host_to_the_other(
    chromium_factory: LaunchBrowser, tmp_path: Path, by: Callable[[Host, asyncio.AbstractEventLoop], Send]
) -> None:
    with ExitStack() as stack:
        ground = ground_of(stack, chromium_factory(), tmp_path)
        async with two_tasks(ground) as host:
            send = by(host, asyncio.get_running_loop())
            look = judged(ground, await target_of(host, OURS), await target_of(host, THEIRS))
            judge = await asyncio.to_thread(look.__enter__)
            try:
                assert await asyncio.to_thread(partial(played, judge, send)) == {}
            finally:
                await asyncio.to_thread(look.__exit__, None, None, None)


async def test_a_program_keeps_the_cookies_of_its_own_task(chromium_factory: LaunchBrowser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        ground = ground_of(stack, chromium_factory(), tmp_path)
        async with two_tasks(ground) as host:
            mine = network.SetCookie(name="mine", value="1", url=ground.ours)
            await host.call_supervisor(OURS, "send", (mine,), {})

            own = await host.call_supervisor(OURS, "send", (network.GetCookies(urls=[ground.ours]),), {})
            with pytest.raises(PolicyRefused, match=r"^Target\.getTargets is refused: it reaches the whole browser"):
                await host.call_supervisor(OURS, "send", (target.GetTargets(),), {})

    assert [cookie.name for cookie in own.cookies] == ["mine"]
