"""The spans of a call in the processes of a fleet whose Ray traces calls: one trace, and whose work each span is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

from tests.support.secrets import CANARY
from tests.support.wheels import ROOT

FOLDER = "CDP_TYPED_TEST_SPANS"
HOOK = "tests.supervisor.addons.fleet.on_ray.nodes.test_fleet_tracing:collect"
TRACED = """
import json, os, signal, sys, threading, time
from pathlib import Path
from opentelemetry import trace
from cdp_typed.mock import Page, ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet, Hosts
from tests.supervisor.addons.fleet.plugin import NODE, ray_cluster

def kill_during_a_call(fleet, pid):
    while not (fleet.status().hosts[0].calls == 2 and fleet.tasks()[0].load.calls):  # the two before were answered
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)

hook, secret = sys.argv[1:]
NODE["tracing_startup_hook"] = hook
shop = f"http://shop.test/?{secret}"
with ray_cluster(), ThreadedMockServer({shop: Page(title="Shop")}) as mock:
    with Fleet(Config(cdp_url=mock.url), name="shop", hosts=Hosts(most=1), toolsets="all") as fleet:
        with trace.get_tracer("agent").start_as_current_span("order"):
            fleet.dispatch("browser_navigate", {"url": shop}, task_id="ada")
        fleet.dispatch("browser_click", {"ref": secret}, task_id="ada")
        (host,) = fleet.status().hosts
        threading.Thread(target=kill_during_a_call, args=(fleet, host.facts.pid)).start()
        waiting = {"expression": "new Promise(() => {})"}
        lost = json.loads(fleet.dispatch("browser_evaluate", waiting, task_id="ada"))
        fleet.stop()
    logs = [path.read_text() for path in Path(os.environ["RAY_TMPDIR"]).rglob("worker-*.err")]
    print(json.dumps([host.host_id, lost["error_type"], logs]))
"""


def collect() -> None:
    """The hook that Ray calls at the start of each process: spans are lines of a file."""

    def line(span: ReadableSpan) -> str:
        return f"{span.to_json(indent=None)}\n"

    file = (Path(os.environ[FOLDER]) / str(os.getpid())).open("w")
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=file, formatter=line)))
    trace.set_tracer_provider(provider)


def test_a_call_is_one_trace_over_driver_directory_and_host_with_the_tool_the_task_and_the_outcome(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, FOLDER: str(tmp_path), "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", TRACED, HOOK, CANARY], env=environment, capture_output=True, text=True, check=True
    )
    host, lost, logs = json.loads(ran.stdout)
    spans: list[dict[str, Any]] = [
        json.loads(line) for path in tmp_path.iterdir() for line in path.read_text().splitlines()
    ]

    calls = [span for span in spans if span["name"].startswith("fleet ")]
    task = {"cdp_fleet.fleet": "shop", "cdp_fleet.task": "ada", "cdp_fleet.host": host}
    assert sorted((span["name"], span["attributes"]) for span in calls) == [
        ("fleet browser_click", {**task, "cdp_fleet.outcome": "NotLocated"}),
        ("fleet browser_evaluate", {**task, "cdp_fleet.outcome": lost}),
        ("fleet browser_navigate", {**task, "cdp_fleet.outcome": "success"}),
    ]
    traces = {span["name"]: span["context"]["trace_id"] for span in calls}
    assert lost == "HostLost"
    assert len(set(traces.values())) == len(calls)
    assert {span["attributes"]["cdp_fleet.host"] for span in spans if span["name"].startswith("host browser")} == {host}
    outcomes = [
        {
            span["name"]: span["attributes"].get("cdp_fleet.outcome")
            for span in spans
            if span["context"]["trace_id"] == traces[f"fleet {tool}"] and " ray." not in span["name"]
        }
        for tool in ("browser_navigate", "browser_click")
    ]
    assert outcomes == [
        {
            "order": None,
            "fleet browser_navigate": "success",
            "directory place": "placed",
            "host browser_navigate": "success",
        },
        {"fleet browser_click": "NotLocated", "host browser_click": "NotLocated"},
    ]
    endless = {"HostActor.stay ray.remote", "directory receive_report", "directory greet"}
    apart = [span["context"]["trace_id"] for span in spans if span["name"] in endless]
    assert {span["name"] for span in spans} > endless
    assert len({*apart, *traces.values()}) == len(apart) + len(calls)
    assert f"the task 'ada' lost its host {host}: its host's process ended\n" in ran.stderr
    assert f"\nthe host {host} ended (its host's process ended); tasks lost: 1\n" in "".join(logs)
    named = {name for log in logs if host in log for name in re.findall(r"^:actor_name:(shop/.*)$", log, re.MULTILINE)}
    assert named == {"shop/directory", f"shop/host/{host}"}
    assert CANARY not in json.dumps(spans)
