"""A process of a browser that holds cookies or storage dies: its tasks learn of it, and keep their checkpoints."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from cdp_typed.protocol.system_info import GetProcessInfoResult, ProcessInfo
from supervisor.addons.fleet import HostLost, Limits
from supervisor.addons.fleet.hosting import host_browser
from supervisor.addons.fleet.hosting.browser_services import services_in, what_ended
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.hosting.test_task_host import NEVER, TOOLS, Listening, browser_pid, host_of, until
from tests.support.servers.sites import Sites

FIRST, SECOND = Placement("t1", "h1", 1), Placement("t2", "h1", 2)
NETWORK, STORAGE = "network.mojom.NetworkService", "storage.mojom.StorageService"
FOUND = "[document.cookie, localStorage.b, sessionStorage.c]"


class Keeping(Listening):
    """A directory that knows which users are in its checkpoints."""

    def holds(self, user: str) -> bool:
        """Whether a checkpoint has this text as a cookie, and in localStorage."""
        return any(checkpoint.count(user.encode()) == 2 for checkpoint in self.kept)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ({}, {NETWORK: 1}, ""),
        ({NETWORK: 1, STORAGE: 2}, {NETWORK: 1, STORAGE: 2}, ""),
        ({NETWORK: 1}, {NETWORK: 1, STORAGE: 2}, ""),
        ({NETWORK: 1, STORAGE: 2}, {NETWORK: 3, STORAGE: 2}, "network service"),
        ({NETWORK: 1, STORAGE: 2}, {NETWORK: 1, STORAGE: 3}, "storage service"),
        ({NETWORK: 1, STORAGE: 2}, {NETWORK: 1}, "storage service"),
        ({NETWORK: 1, STORAGE: 2}, {}, "network service"),
    ],
)
def test_another_process_in_the_place_of_one_is_its_death(
    before: dict[str, int], now: dict[str, int], told: str
) -> None:
    ended = what_ended(before, now)

    assert (told in ended, bool(ended)) == (True, bool(told))


def test_only_the_processes_with_state_of_pages_count() -> None:
    kinds = ("browser", "renderer", "GPU", NETWORK, "audio.mojom.AudioService", STORAGE)
    found = tuple(ProcessInfo(type=kind, id=number, cpu_time=0.0) for number, kind in enumerate(kinds))

    assert services_in(GetProcessInfoResult(process_info=found)) == {NETWORK: 3, STORAGE: 5}


def service_pid(kind: str) -> int:
    """The process of the one browser here that is of this kind."""
    mark, browser = f"--utility-sub-type={kind}".encode(), browser_pid()
    found = [int(path.name) for path in Path("/proc").glob("[0-9]*") if mark in _read(path / "cmdline")]
    (pid,) = (pid for pid in found if _is_below(pid, browser))
    return pid


def _is_below(pid: int, ancestor: int) -> bool:
    while pid not in (0, ancestor):
        lines = _read(Path(f"/proc/{pid}/status")).decode().splitlines()
        pid = next((int(line.split()[1]) for line in lines if line.startswith("PPid:")), 0)
    return pid == ancestor


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


async def evaluated(host: Host, place: Placement, expression: str) -> dict[str, object]:
    result: dict[str, object] = json.loads(await host.call_tool(place, "browser_evaluate", {"expression": expression}))
    return result


async def logged_in(host: Host, place: Placement, url: str, name: str) -> None:
    await host.accept(place, "", None)
    await host.call_tool(place, "browser_navigate", {"url": url})
    remember = f"document.cookie = 'a={name}; max-age=600'; localStorage.b = '{name}'; sessionStorage.c = 1"
    await evaluated(host, place, remember)


@pytest.mark.chromium
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
@pytest.mark.parametrize("kind", [NETWORK, STORAGE])
async def test_each_task_is_told_of_a_service_that_died_and_goes_on_with_its_checkpoint(
    sites: Sites, kind: str
) -> None:
    sites.pages["/"] = "<title>Shop</title>"
    directory = Keeping()
    async with host_of(Plan(name="f", limits=Limits(checkpoint_s=0.1), tools=TOOLS), directory) as host:
        for place in (FIRST, SECOND):
            await logged_in(host, place, sites.local("/"), f"user-{place.task_id}")
            await until(partial(directory.holds, f"user-{place.task_id}"))
        call = asyncio.create_task(host.call_tool(FIRST, "browser_evaluate", NEVER))
        await until(lambda: host.report().tasks[0].calls)

        os.kill(service_pid(kind), signal.SIGKILL)

        with pytest.raises(HostLost, match=f"{kind.partition('.')[0]} service ended") as lost:
            await call
        assert lost.value.maybe_executed
        await until(lambda: host.report().browser_deaths == 1)
        for place in (FIRST, SECOND):
            told = json.loads(await host.call_tool(place, "browser_navigate", {"url": sites.local("/")}))
            assert f"{kind.partition('.')[0]} service ended" in told["restarted"]
            found = await evaluated(host, place, FOUND)
            assert found["value"] == [f"a=user-{place.task_id}", f"user-{place.task_id}", None]


@pytest.mark.chromium
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
@pytest.mark.parametrize("kind", [NETWORK, STORAGE])
async def test_a_checkpoint_that_a_dead_service_emptied_is_not_kept(
    sites: Sites, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(host_browser, "LOOK_S", 3600.0)  # nobody else looks
    sites.pages["/"] = "<title>Shop</title>"
    directory = Keeping()
    plan = Plan(name="f", limits=Limits(checkpoint_s=0.1), tools=TOOLS)
    async with host_of(replace(plan, hosts=replace(plan.hosts, hang_s=7200)), directory) as host:
        await logged_in(host, FIRST, sites.local("/"), "good")
        await until(partial(directory.holds, "good"))
        directory.kept.clear()
        os.kill(service_pid(kind), signal.SIGKILL)

        await host.end_task(FIRST, "its host is drained")

    assert all(checkpoint.count(b"good") == 2 for checkpoint in directory.kept)
