"""A page that takes more memory than a host allows is ended, and the pages of other tasks go on."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from typing import Any

import pytest

from cdp_typed.errors import TargetCrashed
from cdp_typed.protocol.system_info import ProcessInfo
from supervisor.addons.fleet import Hosts
from supervisor.addons.fleet.hosting.page_memory import PageMemory, resident_mb
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.hosting.test_task_host import TOOLS, Listening, host_of

LARGE, SMALL = Placement("t1", "h1", 1), Placement("t2", "h1", 2)


async def result_of(host: Host, place: Placement, tool: str, **arguments: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(await host.call_tool(place, tool, arguments))
    return result


@pytest.mark.chromium
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
@pytest.mark.parametrize(
    ("filling", "by_tool"),
    [
        ("new Uint8Array(5e8).fill(1)", True),
        ("Array.from({length: 3e7}, (_, index) => [index])", True),
        ("Array.from({length: 60}, () => new Uint8Array(1e7).fill(1))", False),
    ],
)
async def test_a_page_that_takes_too_much_crashes_alone_and_its_task_goes_on(filling: str, by_tool: bool) -> None:
    hosts, page = Hosts(tasks=2, page_mb=300), "data:text/html,<title>Shop</title>"
    async with host_of(Plan(name="f", hosts=hosts, tools=TOOLS), Listening()) as host:
        for place in (LARGE, SMALL):
            await host.accept(place, "", None)
            await result_of(host, place, "browser_navigate", url=page)

        expression = f"(window.kept = {filling}, new Promise(() => {{}}))"
        if by_tool:
            crashed = await result_of(host, LARGE, "browser_evaluate", expression=expression)
            why, is_crash = crashed["page_ended"], crashed["error_type"] == "TargetCrashed"
        else:
            with pytest.raises(TargetCrashed) as failed:
                await host.call_supervisor(LARGE, "evaluate", (expression,), {})
            (why,), is_crash = pickle.loads(pickle.dumps(failed.value)).__notes__, True
        again = await result_of(host, LARGE, "browser_navigate", url=page)
        other = await result_of(host, SMALL, "browser_evaluate", expression="document.title")
        report = host.report()

    assert is_crash
    assert re.fullmatch(r"a page of this browser took \d+ MiB, more than Hosts\(page_mb=300\)", why)
    assert (again["success"], other["value"]) == (True, "Shop")
    assert (report.pages_ended, report.browser_deaths, report.restarts) == (1, 0, 0)
    assert (report.browser_mb or 0) > (report.largest_page_mb or 0) > 0


def test_only_a_renderer_is_ended_and_an_unknown_process_has_no_size() -> None:
    memory = PageMemory(1)
    program = "kept = bytearray(b'1') * 30_000_000; print(len(kept), flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        memory.look([ProcessInfo(type="renderer", id=other.pid, cpu_time=0.0)])  # its number was used again
        assert other.poll() is None
        assert (memory.ended, memory.browser_mb) == (0, memory.largest_page_mb)
        assert (memory.browser_mb or 0) > 20
        assert other.stdin is not None
        other.stdin.close()
    memory.look([ProcessInfo(type="renderer", id=other.pid, cpu_time=0.0)])

    assert resident_mb(other.pid) is None
    assert (memory.browser_mb, memory.largest_page_mb) == (None, None)
