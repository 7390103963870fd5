"""The metrics of a fleet as Prometheus reads them from a node of a real Ray cluster, with a mock browser."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from cdp_typed.mock import Page, ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet, Hosts, Limits
from supervisor.addons.fleet.on_ray.metrics import RayInstruments
from supervisor.addons.fleet.on_ray.ray_api import metrics
from tests.supervisor.addons.fleet.running import called, metrics_of_ray
from tests.support.wheels import ROOT

SECRET = "hunter2-canary"
SITE = {
    f"http://shop.test/?token={SECRET}": Page(title="Shop"),
    "http://shop.test/": Page(title="Shop", on_load="confirm('Buy?')"),
}


def scraped(fleet: str) -> tuple[str, dict[str, float]]:
    """The lines of the fleet, and the value of each series: its name, and our tags in their order."""
    lines = [line for line in metrics_of_ray().splitlines() if f'fleet="{fleet}"' in line]
    values: dict[str, float] = {}
    for line in lines:
        name, tags, value = re.fullmatch(r"ray_cdp_fleet_(\w+)\{(.*)\} (\S+)", line).groups()  # type: ignore[union-attr]
        ours = re.findall(r'(?:tool|outcome|kind|host|state|le)="([^"]*)"', tags)
        values[" ".join((name, *ours))] = float(value)
    return "\n".join(lines), values


def _made() -> set[str]:
    """The names of all series of a fleet, as Prometheus has them."""
    names: set[str] = set()
    held: list[Any] = [*vars(RayInstruments("f")).values()]
    made_by_name: list[dict[str, Any]] = [one for one in held if isinstance(one, dict)]
    for made in (*held, *(each for one in made_by_name for each in one.values())):
        info = getattr(made, "info", None)
        if info is not None:
            ends = {metrics.Counter: ("_total",), metrics.Histogram: ("_bucket", "_count", "_sum")}.get(
                type(made), ("",)
            )
            names |= {f"ray_{info['name']}{end}" for end in ends}
    return names


@pytest.mark.parametrize("name", ["alerts.yaml", "grafana.json"])
def test_an_operators_file_names_only_series_that_there_are_and_each_of_them(name: str) -> None:
    named = set(re.findall(r"ray_cdp_fleet_\w+", (ROOT / "deploy" / name).read_text()))

    assert named - _made() == set()
    if name == "grafana.json":
        whole = {series.removesuffix("_bucket") for series in _made() if not series.endswith(("_count", "_sum"))}
        assert {series.removesuffix("_bucket") for series in named} == whole


def test_prometheus_finds_what_a_fleet_measures(ray_address: str) -> None:
    with (
        ThreadedMockServer(SITE) as server,
        Fleet(
            Config(cdp_url=server.url),
            name="measured",
            hosts=Hosts(tasks=3, most=1),
            limits=Limits(queue_s=10, checkpoint_s=0.1, checkpoints="/proc/nowhere"),
            toolsets="all",
        ) as fleet,
    ):
        called(fleet, "browser_navigate", f"t-{SECRET}", url=f"http://shop.test/?token={SECRET}")
        called(fleet, "browser_navigate", "t2", url="http://shop.test/")
        failed = called(fleet, "browser_click", "t2", ref="e99")
        fleet.dispatch(f"no_{SECRET}", {}, task_id="t2")
        refused = [fleet.dispatch("browser_tabs", {}, task_id=f"t{number}") for number in (3, 4)]
        assert ["FleetFull" in result for result in refused] == [False, True]
        fleet.end_task("t3")
        (host,) = [host.host_id for host in fleet.status().hosts]
        expected = {
            "calls_total success browser_navigate": 2.0,
            f"calls_total {failed['error_type']} browser_click": 1.0,
            "call_seconds_count browser_navigate": 2.0,
            "call_seconds_bucket +Inf browser_navigate": 2.0,
            f"tasks {host}": 2.0,
            f"open_dialogs {host}": 1.0,
            "hosts serving": 1.0,
            "hosts draining": 0.0,
            "waiting_tasks": 0.0,
            "wait_seconds_count placed": 3.0,
            "wait_seconds_count full": 1.0,
        }

        gives_up = time.monotonic() + 90
        text, values = scraped("measured")
        while not expected.items() <= values.items() and time.monotonic() < gives_up:
            time.sleep(0.5)
            text, values = scraped("measured")
        fleet.stop()

    assert {name: values.get(name) for name in expected} == expected
    assert values[f"checkpoint_failures_total {host}"] > 0
    assert values[f"checkpoint_age_seconds {host}"] > 0
    assert all(mark not in text for mark in (SECRET, "t2", "http"))
