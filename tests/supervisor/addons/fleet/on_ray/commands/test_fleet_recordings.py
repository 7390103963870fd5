"""Recordings of tasks, fetched from the hosts of a real Ray cluster, with a mock browser."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from cdp_agent.program import main
from cdp_typed.mock import Page, ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet, Hosts
from supervisor.addons.fleet.values import EPOCH
from supervisor.addons.report import report_of

LONG = "x" * 3_000_000
"""So that a recording is fetched in several pieces."""
SITE = {"http://shop.test/": Page(title="Shop")}


def test_the_recordings_of_a_task_are_fetched_also_when_it_has_ended(
    ray_address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hosts = Hosts(tasks=2, recordings=str(tmp_path / "hosts"))
    with (
        ThreadedMockServer(SITE) as server,
        Fleet(Config(cdp_url=server.url), name="recorded", hosts=hosts, toolsets="all") as fleet,
    ):
        for _ in range(2):
            assert json.loads(fleet.dispatch("browser_navigate", {"url": "http://shop.test/"}, "../t 1"))["success"]
            fleet.dispatch("browser_evaluate", {"expression": f"'{LONG}'.length"}, "../t 1")
            fleet.end_task("../t 1")
        (host,) = fleet.status().hosts
        infos = fleet.recordings("../t 1")
        paths = fleet.fetch_recordings("../t 1", tmp_path / "here")
        main(["fleet", "report", "../t 1", "--name", "recorded", "-o", str(tmp_path / "report.html")])
        told = capsys.readouterr()
        main(["fleet", "record", "../t 1", "--name", "recorded", "-o", str(tmp_path / "again"), "--json"])
        copied = json.loads(capsys.readouterr().out)
        assert main(["fleet", "record", "never", "--name", "recorded", "-o", str(tmp_path / "again")]) == 1
        fleet.stop()

    assert [path.name for path in paths] == [info.name for info in infos]
    assert [path.name for path in paths] == [f"{host.host_id}-{EPOCH + number}.jsonl" for number in (1, 2)]
    originals = {path.name: path for path in (tmp_path / "hosts").rglob("*.jsonl")}
    for info, path in zip(infos, paths, strict=True):
        assert info.size > len(LONG)
        assert path.read_bytes() == originals[path.name].read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert report_of(paths[0]).summary is not None
    assert told.out == f"{tmp_path / 'report.html'}\n"
    assert "the task has 2 recordings" in told.err
    assert "<html" in (tmp_path / "report.html").read_text()
    assert [Path(path).name for path in copied] == [path.name for path in paths]
