"""`Fleet` on a real Ray cluster: drivers and their end, errors, hooks, tools of one's own, and a host that is lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from cdp_typed.mock import MockServer
from cdp_typed.protocol import runtime
from supervisor import BlockedByDialog, Config, EvaluationFailed, NoDialogOpen
from supervisor.addons.fleet import Fleet, FleetStopped, HostLost, Hosts, Limits, NoSuchFleet, NoSuchTask
from supervisor.tools import Catalogue, Toolbox, ToolCall, ToolContext, tool
from supervisor.tools.framework.base_toolbox import CallNext, Result
from tests.supervisor.addons.fleet.running import called, evaluated, wait_until
from tests.support.processes import processes_of

SHARED = "fleet-of-tests"
TTL_S = 20.0

OTHER_DRIVER = f"""
import json, sys
from supervisor.addons.fleet import Fleet
fleet = Fleet.attach({SHARED!r}, address=sys.argv[1])
seen = json.loads(fleet.dispatch("browser_evaluate", {{"expression": "window.mark"}}, "common"))
fleet.dispatch("browser_evaluate", {{"expression": "1"}}, "left-alone")
tasks = sorted(task.task_id for task in fleet.tasks() if task.state == "placed")
print(json.dumps([seen, tasks]), flush=True)
sys.stdin.read()
"""

calls_seen: list[tuple[str, int]] = []


async def note(call: ToolCall, call_next: CallNext) -> Result:
    calls_seen.append((call.name, os.getpid()))
    return await call_next(call)


@pytest.fixture(scope="module")
def fleet(ray_address: str) -> Iterator[Fleet]:
    """A fleet with a Chromium, for the tests of this file."""
    with Fleet(hosts=Hosts(), limits=Limits(ttl_s=TTL_S), toolsets="all", name=SHARED, hooks=[note]) as running:
        yield running
        running.stop()


def profiles_of(pid: int) -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob(f"cdp-typed-{pid}-*"))


def test_a_fleet_leaves_nothing_behind(ray_address: str, no_leaks: None) -> None:
    with Fleet(hosts=Hosts(tasks=1), toolsets="all") as fleet:
        assert evaluated(fleet, "6 * 7", "t1")["value"] == 42
        assert [(task.task_id, task.state) for task in fleet.tasks()] == [("t1", "placed")]
        fleet.end_task("t1")
        with pytest.raises(NoSuchTask, match="no task 't1'"):
            fleet.end_task("t1")
    assert called(fleet, "browser_snapshot")["success"] is False
    with pytest.raises(FleetStopped, match="was stopped"):
        asyncio.run(fleet.supervisor().snapshot())
    fleet.close()
    with pytest.raises(NoSuchFleet):
        Fleet.attach(fleet.name)


def test_another_driver_has_the_same_task_and_its_own_ends_by_the_lease_when_it_is_killed(
    ray_address: str, fleet: Fleet
) -> None:
    assert evaluated(fleet, "window.mark = 'here'", "common")["success"] is True
    program = [sys.executable, "-c", OTHER_DRIVER, ray_address]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as other:
        assert other.stdout is not None
        line = other.stdout.readline()
        other.kill()
        seen, tasks = json.loads(line or other.communicate()[1])

    assert seen["value"] == "here"
    assert {"common", "left-alone"} <= {*tasks}

    def is_over() -> bool:
        evaluated(fleet, "1", "common")  # so it stays
        return {task.task_id: task.state for task in fleet.tasks()}.get("left-alone") != "placed"

    wait_until(is_over)
    assert evaluated(fleet, "window.mark", "common")["value"] == "here"


async def test_errors_of_a_supervisor_arrive_with_their_class_and_fields(fleet: Fleet) -> None:
    remote = fleet.supervisor("errors")
    with pytest.raises(NoDialogOpen):
        await remote.respond_to_dialog("accept")
    with pytest.raises(EvaluationFailed, match="Error: out of ink"):
        await remote.evaluate("throw new Error('out of ink')")
    with pytest.raises(BlockedByDialog) as blocked:
        await remote.evaluate("confirm('Sure?')")

    (dialog,) = (await remote.snapshot()).pending_dialogs
    assert (blocked.value.dialog.id, blocked.value.dialog.message) == (dialog.id, "Sure?")
    assert blocked.value.maybe_executed
    await remote.respond_to_dialog("accept", dialog_id=dialog.id)
    assert (await remote.send(runtime.Evaluate(expression="40 + 2"))).result.value == 42


def test_hooks_run_in_the_driver(fleet: Fleet) -> None:
    calls_seen.clear()

    evaluated(fleet, "1", "hooked")

    assert calls_seen == [("browser_evaluate", os.getpid())]


def test_a_fleet_tells_of_its_tools_what_a_toolbox_tells(fleet: Fleet) -> None:
    box = Toolbox(Config(cdp_url="ws://127.0.0.1:9"), toolsets="all")
    result = fleet.dispatch("browser_evaluate", {"expression": "[1, 2]"}, "told")

    assert fleet.available() == box.available()
    assert fleet.schemas("mcp") == box.schemas("mcp")
    assert fleet.definitions("anthropic") == box.definitions("anthropic")
    assert fleet.as_text("browser_evaluate", result) == box.as_text("browser_evaluate", result)
    assert called(fleet, "browser_click", "told", ref=1.5j)["success"] is False
    assert called(fleet, "browser_clik", "told") == json.loads(box.dispatch("browser_clik", {}))


async def test_a_host_that_is_killed_is_told_once_and_leaves_no_browser(fleet: Fleet) -> None:
    assert json.loads(await fleet.adispatch("browser_evaluate", {"expression": "1"}, "doomed"))["success"]
    placed = {task.task_id: task.host_id for task in fleet.tasks()}["doomed"]
    (pid,) = [host.facts.pid for host in fleet.status().hosts if host.host_id == placed and host.facts is not None]
    (profile,) = profiles_of(pid)
    assert processes_of(0, profile)
    endless = asyncio.create_task(fleet.supervisor("doomed").evaluate("new Promise(() => {})"))
    while not any(task.task_id == "doomed" and task.load and task.load.calls for task in fleet.tasks()):  # noqa: ASYNC110
        await asyncio.sleep(0.05)

    os.kill(pid, signal.SIGKILL)
    with pytest.raises(HostLost) as lost:
        await endless

    assert lost.value.maybe_executed
    again = json.loads(await fleet.adispatch("browser_evaluate", {"expression": "2"}, "doomed"))
    assert (again["value"], again["restarted"]) == (2, "its host's process ended")
    assert "restarted" not in json.loads(await fleet.adispatch("browser_evaluate", {"expression": "3"}, "doomed"))
    await asyncio.to_thread(wait_until, lambda: not processes_of(0, profile) and not profile.exists())


class Place(Struct, frozen=True, kw_only=True):
    """A directory."""

    folder: str
    """Where to write."""


class Written(Struct, frozen=True, kw_only=True):
    """What was done."""

    pid: int


def own_tools() -> Catalogue:
    catalogue = Catalogue()

    @tool(toolset="mine", catalogue=catalogue)
    async def where(context: ToolContext, arguments: Place) -> Written:
        """Tell in which process the tool runs."""
        return Written(pid=os.getpid())

    @tool(toolset="mine", catalogue=catalogue)
    async def linger(context: ToolContext, arguments: Place) -> Written:
        """Never end by itself."""
        folder = Path(arguments.folder)
        (folder / "begun").touch()
        try:
            await asyncio.Event().wait()
        finally:
            (folder / "ended").touch()
        return Written(pid=0)

    assert {known.name for known in (where, linger)} == {known.name for known in catalogue}
    return catalogue


async def test_tools_of_ones_own_run_on_the_host_and_end_there_when_they_are_cancelled(
    ray_address: str, tmp_path: Path
) -> None:
    async with MockServer() as browser:
        config = Config(cdp_url=browser.url)
        fleet = await asyncio.to_thread(lambda: Fleet(config, catalogue=own_tools(), toolsets="all"))
        try:
            done = json.loads(await fleet.adispatch("where", {"folder": str(tmp_path)}))
            lingering = asyncio.create_task(fleet.adispatch("linger", {"folder": str(tmp_path)}))
            await asyncio.to_thread(wait_until, (tmp_path / "begun").exists)
            lingering.cancel()

            await asyncio.to_thread(wait_until, (tmp_path / "ended").exists)
            assert done["success"] is True
            assert done["pid"] != os.getpid()
            with pytest.raises(asyncio.CancelledError):
                await lingering
        finally:
            await asyncio.to_thread(fleet.close)
