"""A host with its tasks, on the mock and on a Chromium of its own, without Ray."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from cdp_typed.errors import CDPError
from cdp_typed.mock import ThreadedMockServer
from cdp_typed.protocol import network
from supervisor import Config
from supervisor.addons.fleet import HostLost, Hosts, Limits, TaskRestarted, TooManyCalls
from supervisor.addons.fleet.checkpoints.kept_checkpoint import label
from supervisor.addons.fleet.errors import FleetError, NotHere
from supervisor.addons.fleet.hosting import checkpoint_keeper, host_browser, host_task, task_host
from supervisor.addons.fleet.hosting.host_task import HostTask
from supervisor.addons.fleet.hosting.recording_files import RecordingFiles
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import EPOCH, HostFacts, HostReport, Placement
from supervisor.saved_state.checkpoint_values import Checkpoint
from tests.supervisor.addons.fleet.local_store import LocalStore, begun_store
from tests.support.wires.clocks import clock_from

PLACE = Placement("t1", "h1", 1)
FACTS = HostFacts(node_id="n1", address="127.0.0.1", pid=1, package="0", browser=None)
TOOLS = ("browser_snapshot", "browser_evaluate", "browser_navigate")
NEVER = {"expression": "new Promise(() => {})"}
PATIENCE_S = 30.0
BUSY_S = 3.0
"""Seconds that a busy machine may take longer."""


@dataclass
class Listening:
    """A directory that keeps what a host tells it."""

    forgotten: list[str] = field(default_factory=list[str])
    """Why tasks ended, each once."""
    ended: dict[Placement, str] = field(default_factory=dict[Placement, str])
    kept: list[bytes] = field(default_factory=list[bytes])
    is_there: bool = True
    gone: set[str] = field(default_factory=set[str])
    """Drivers."""
    problem: str = ""
    """Why it keeps no checkpoint."""
    store: LocalStore = field(default_factory=begun_store)
    reports: asyncio.Queue[HostReport] = field(default_factory=asyncio.Queue[HostReport])

    async def receive_report(self, report: HostReport) -> tuple[str, ...]:
        self._check()
        self.reports.put_nowait(report)
        self.forgotten += [reason for placement, reason in report.ended if placement not in self.ended]
        self.ended.update(dict(report.ended))
        return tuple(driver for driver in report.drivers if driver in self.gone)

    async def keep(self, placement: Placement, checkpoint: bytes) -> str:
        self._check()
        if not self.problem:
            self.kept.append(checkpoint)
        return self.problem

    def _check(self) -> None:
        if not self.is_there:
            raise FleetError("the directory does not answer")


def loop_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "cdp-typed loop"]


@asynccontextmanager
async def host_of(plan: Plan, directory: Listening | None = None) -> AsyncGenerator[Host]:
    host = Host("h1", plan, directory or Listening(), FACTS)
    try:
        await host.begin()
        yield host
    finally:
        await host.stop()
    assert loop_threads() == []


@asynccontextmanager
async def host_on_mock(
    directory: Listening | None = None, limits: Limits | None = None, fleet: str = "f"
) -> AsyncGenerator[Host]:
    with ThreadedMockServer() as mock:
        plan = Plan(name=fleet, config=Config(cdp_url=mock.url), limits=limits or Limits(), tools=TOOLS)
        async with host_of(plan, directory) as host:
            yield host


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.02)


def browser_pid() -> int:
    """The one browser that this process has started."""
    lists = [path.read_text() for path in Path("/proc/self/task").glob("*/children")]
    children = [int(pid) for pids in lists for pid in pids.split()]
    (pid,) = (pid for pid in children if b"--remote-debugging-pipe" in Path(f"/proc/{pid}/cmdline").read_bytes())
    return pid


async def test_a_method_that_acts_is_refused_once_and_says_why() -> None:
    async with host_on_mock() as host:
        await host.accept(PLACE, "its host ended", None)

        assert (await host.call_supervisor(PLACE, "snapshot", (), {})).pages
        with pytest.raises(TaskRestarted, match="its host ended"):
            await host.call_supervisor(PLACE, "evaluate", ("1 + 1",), {})
        assert (await host.call_supervisor(PLACE, "evaluate", ("1 + 1",), {})).value == 2


async def test_on_a_machine_that_has_just_started_a_task_is_saved_soon_and_recordings_are_trimmed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    young = SimpleNamespace(monotonic=clock_from(-100), time=time.time)
    for module in (checkpoint_keeper, host_task, task_host):
        monkeypatch.setattr(module, "time", young)
    trimmed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def trim(*_: object) -> None:
        loop.call_soon_threadsafe(trimmed.set)

    monkeypatch.setattr(RecordingFiles, "trim", trim)
    directory = Listening()
    with ThreadedMockServer() as mock:
        hosts, config = Hosts(recordings=str(tmp_path)), Config(cdp_url=mock.url)
        plan = Plan(name="f", config=config, hosts=hosts, limits=Limits(checkpoint_s=3600), tools=TOOLS)
        async with host_of(plan, directory) as host:
            await host.accept(PLACE, "", None)
            await host.call_tool(PLACE, "browser_snapshot", {})

            await until(lambda: directory.kept)
            await until(trimmed.is_set)


@pytest.mark.parametrize(
    ("fleet", "task_id", "refused"),
    [("f", "t1", ""), ("another", "t1", "it is of another fleet"), ("f", "t2", "it is of another task")],
)
async def test_only_a_checkpoint_of_the_same_fleet_and_task_is_restored_and_a_tool_tells_it_once(
    fleet: str, task_id: str, refused: str
) -> None:
    directory = Listening()
    first = Placement(task_id, "h1", 1)
    async with host_on_mock(directory, Limits(checkpoint_s=3600), fleet) as host:
        await host.accept(first, "", None)
        await host.call_tool(first, "browser_snapshot", {})
        directory.kept.clear()
        await host.end_task(first, "its host is drained")
    (kept,) = directory.kept

    async with host_on_mock() as host:
        await host.accept(PLACE, "its host ended", kept)
        told = [json.loads(await host.call_tool(PLACE, "browser_snapshot", {})).get("restarted") for _ in range(2)]

    why = f"; its cookies and storage could not be restored ({refused})" if refused else ""
    assert told == [f"its host ended{why}", None]


async def test_what_a_checkpoint_does_not_bring_back_is_told() -> None:
    unread = tuple(f"https://{name}.test: its page showed a dialog" for name in "abc")
    expired = network.Cookie(
        name="sid", value="1", domain="a.test", path="/", expires=1.0, size=4, http_only=False, secure=False,
        session=False, priority="Medium", source_scheme="Secure", source_port=443,
    )  # fmt: skip
    kept = label(Checkpoint(cookies=(expired,), missing=unread).to_bytes(), "f", "t1", 3600)

    async with host_on_mock() as host:
        await host.accept(PLACE, "its host ended", kept)
        told = json.loads(await host.call_tool(PLACE, "browser_snapshot", {}))["restarted"]

    assert told == f"its host ended; not restored: {'; '.join(unread)}; and 1 more"


async def test_a_host_serves_only_places_that_it_was_given_and_that_were_not_taken_back() -> None:
    taken_back, given = Placement("t0", "h1", EPOCH + 3), Placement("t1", "h1", EPOCH + 1)
    directory = Listening()
    directory.store.values["epoch/1"] = b""
    async with host_on_mock(directory) as host:
        await host.end_task(taken_back, "")
        for refused in (taken_back, PLACE):  # the latter is of an earlier directory
            with pytest.raises(NotHere):
                await host.accept(refused, "", None)
        assert host.report().tasks == ()

        await host.accept(given, "", None)
        for elsewhere in (Placement("t2", "h1", EPOCH + 2), Placement("t1", "h1", EPOCH + 2)):
            with pytest.raises(NotHere):
                await host.call_tool(elsewhere, "browser_snapshot", {})


async def test_a_task_has_so_many_calls_at_once_and_no_more() -> None:
    async with host_on_mock(limits=Limits(calls_per_task=2)) as host:
        await host.accept(PLACE, "", None)
        await host.call_tool(PLACE, "browser_snapshot", {})
        two = [asyncio.create_task(host.call_tool(PLACE, "browser_evaluate", NEVER)) for _ in range(2)]
        await until(lambda: host.report().tasks[0].calls == 2)

        with pytest.raises(TooManyCalls) as refused:
            await host.call_tool(PLACE, "browser_snapshot", {})
        await host.end_task(PLACE, "")
        ended = await asyncio.gather(*two, return_exceptions=True)

    assert refused.value.limit == 2
    assert [type(error) for error in ended] == [HostLost, HostLost]


async def test_a_task_that_is_not_called_is_ended_and_the_directory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_host, "TICK_S", 0.02)
    directory = Listening()
    async with host_on_mock(directory, Limits(ttl_s=0.2)) as host:
        await host.accept(PLACE, "", None)
        await host.call_tool(PLACE, "browser_snapshot", {})

        await until(lambda: directory.forgotten)

        assert host.report().tasks == ()
        assert directory.forgotten == ["it was not called for 0.2 s"]


async def test_a_task_that_has_run_for_its_longest_life_ends_also_during_a_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(task_host, "TICK_S", 0.02)
    directory = Listening()
    async with host_on_mock(directory, Limits(longest_s=0.5)) as host:
        await host.accept(PLACE, "", None)

        with pytest.raises(HostLost, match=r"it had run for 0.5 s"):
            await host.call_tool(PLACE, "browser_evaluate", NEVER)
        await until(lambda: directory.forgotten)

        assert host.report().tasks == ()
        assert set(directory.forgotten) == {"it had run for 0.5 s"}


async def test_a_host_that_reaches_nobody_ends_its_tasks_and_says_so_when_it_can() -> None:
    directory = Listening()
    async with host_on_mock(directory, Limits(fence_s=5)) as host:
        await host.accept(PLACE, "", None)
        await host.call_tool(PLACE, "browser_snapshot", {})
        call = asyncio.create_task(host.call_tool(PLACE, "browser_evaluate", NEVER))
        await until(lambda: host.report().tasks[0].calls)
        values = directory.store.values.copy()

        directory.is_there = False
        directory.store.values.clear()  # as after a restart of the control store, which answers all the time
        began = time.monotonic()

        with pytest.raises(HostLost, match="cut off") as lost:
            await call
        assert time.monotonic() - began < 5.0 + BUSY_S
        assert lost.value.maybe_executed
        assert host.report().tasks == ()
        with pytest.raises(HostLost, match="cut off") as refused:
            await host.call_tool(PLACE, "browser_snapshot", {})
        assert not refused.value.maybe_executed
        with pytest.raises(HostLost, match="cut off"):
            await host.accept(PLACE, "", None)

        directory.is_there = True
        directory.store.values.update(values)
        await until(lambda: directory.forgotten)
        assert directory.forgotten == ["its host was cut off from the cluster"]
        assert not host.outcast.is_set()

        directory.store.values["ended/h1"] = b""
        await asyncio.wait_for(host.outcast.wait(), PATIENCE_S)


@pytest.mark.parametrize("expression", ["1", "throw 1"], ids=["succeeds", "fails"])
async def test_a_tool_that_fails_because_the_browser_ended_says_that_the_host_is_lost(
    monkeypatch: pytest.MonkeyPatch, expression: str
) -> None:
    async with host_on_mock() as host:
        await host.accept(PLACE, "", None)
        await host.call_tool(PLACE, "browser_snapshot", {})
        monkeypatch.setattr(HostTask, "has_lost", True)

        call = host.call_tool(PLACE, "browser_evaluate", {"expression": expression})
        if expression == "1":
            assert json.loads(await call)["success"]
        else:
            with pytest.raises(HostLost, match="the connection to its browser ended"):
                await call


@pytest.mark.chromium
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
async def test_a_browser_that_is_killed_ends_calls_at_once_and_comes_back_until_it_dies_too_often() -> None:
    async with host_of(Plan(name="f", tools=TOOLS)) as host:
        await host.accept(PLACE, "", None)
        for deaths in range(1, host_browser.DEATHS + 1):
            await host.call_tool(PLACE, "browser_evaluate", {"expression": "1"})
            call = asyncio.create_task(host.call_tool(PLACE, "browser_evaluate", NEVER))
            await until(lambda: host.report().tasks[0].calls)

            os.kill(browser_pid(), signal.SIGKILL)

            with pytest.raises(HostLost, match="its browser ended") as lost:
                await call
            assert lost.value.maybe_executed
            assert host.report().browser_deaths == deaths
            assert host.report().is_sick == (deaths == host_browser.DEATHS)
            if not host.report().is_sick:
                told = json.loads(await host.call_tool(PLACE, "browser_evaluate", {"expression": "1"}))
                assert told["restarted"].startswith("its browser ended")
        refused = json.loads(await host.call_tool(PLACE, "browser_evaluate", {"expression": "1"}))

    assert not refused["success"]
    assert "is not started again" in refused["error"]


@pytest.mark.chromium
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
async def test_a_browser_that_cannot_be_started_is_told() -> None:
    host = Host("h1", Plan(name="f", hosts=Hosts(executable="/nowhere/chromium")), Listening(), FACTS)
    with pytest.raises(CDPError, match="nowhere"):
        await host.begin()
    await host.stop()
    assert loop_threads() == []
