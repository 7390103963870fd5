"""The report of a real flight: a call that a dialog blocks, a connection that is cut, a crash, a storm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from cdp_typed import Event, SyncSession, TargetCrashed, connect_sync
from cdp_typed.helpers.blocking import goto, js, press
from cdp_typed.protocol import log, page, runtime
from supervisor import BlockedByDialog, CDPSupervisor, DialogRule
from supervisor.addons.report import Report, report_html, report_of, state_at, viewer
from supervisor.addons.report.viewer import SCRIPTS
from supervisor.core.snapshot import snapshot
from supervisor.journal import replay
from tests.support.servers.cutting import CuttingProxy
from tests.support.stages.stages import Stage, is_loaded, open_page

pytestmark = pytest.mark.parametrize("stage", ["chromium"], indirect=True)
PATIENCE_S = 20.0
FOLDER = Path(viewer.__file__).parent


@pytest.fixture
def proxy(stage: Stage) -> Iterator[CuttingProxy]:
    with CuttingProxy(urlsplit(stage.cdp_url).port or 0) as running:
        yield running


def fly(supervisor: CDPSupervisor, stage: Stage, proxy: CuttingProxy) -> None:
    """A flight on which everything goes wrong."""
    open_page(supervisor, f"{stage.own}/frames")
    supervisor.evaluate("console.error('hidden <b>here</b>')")
    supervisor.evaluate("fetch('/missing').then(answer => answer.status, () => 0)")
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("confirm('Sure?')")
    supervisor.respond_to_dialog("accept")
    proxy.cut()
    supervisor.wait_for(lambda now: now.epoch == 2 and now.state == "ready", timeout_s=PATIENCE_S)
    with pytest.raises(TargetCrashed):
        supervisor.send(page.Crash())
    supervisor.send(page.Reload())
    supervisor.wait_for(lambda now: now.pages[0].status == "ok" and is_loaded(now), timeout_s=PATIENCE_S)
    supervisor.arm_dialog(DialogRule(action="accept", type="alert"))
    for _ in range(6):
        supervisor.evaluate("setTimeout(() => alert('again'), 0)")
    supervisor.wait_for(lambda now: len(now.recent_dialogs) == 7, timeout_s=PATIENCE_S)


def test_a_report_tells_what_went_wrong_in_a_real_flight(stage: Stage, proxy: CuttingProxy, tmp_path: Path) -> None:
    path = tmp_path / "flight.jsonl"
    url = proxy.url(stage.cdp_url)
    settings: dict[str, Any] = {"dialog_storm_limit": 3, "dialog_storm_window_s": 60, "watch_requests": True}
    with CDPSupervisor(url, call_timeout_s=PATIENCE_S, record_to=str(path), **settings) as supervisor:
        fly(supervisor, stage, proxy)
        seen = msgspec.to_builtins(supervisor.snapshot())

    report = report_of(path)

    counts = report.summary.counts
    assert (counts["reconnects"], counts["crashes"], counts["storms"], counts["dialogs"]) == (1, 1, 1, 7)
    kinds = [item.kind for item in report.summary.items if item.kind != "waited"]
    assert sorted(set(kinds)) == ["crash", "dialog", "reconnect", "storm"]
    assert kinds.index("reconnect") < kinds.index("crash") < kinds.index("storm")
    blocked = next(call for call in report.calls if call.arguments == "confirm('Sure?')")
    sure = report.dialogs[0]
    assert (blocked.error, blocked.blocked_by) == ("BlockedByDialog", [sure.id])
    assert (sure.message, sure.closed_by, sure.accepted) == ("Sure?", "agent", True)
    assert next(call for call in report.calls if call.id == sure.call).kind == "answer_dialog"
    assert [dialog.closed_by for dialog in report.dialogs[1:]] == ["auto_policy"] * 6
    assert "hidden <b>here</b>" in [entry.text for entry in report.console]
    assert f"{stage.own}/missing" in [failure.url for failure in report.network]
    assert [span.state for span in report.connection if span.epoch == 2][-1] == "stopped"
    lane = next(lane for lane in report.pages if lane.page == sure.page)
    assert "crashed" in [span.status for span in lane.statuses]
    inner = [frame for frame in lane.frames if f"{stage.other}/inner" in [visit.url for visit in frame.visits]]
    assert inner
    assert all(frame.stays[-1].is_oopif for frame in inner)
    assert report.summary.ended == "stopped"
    assert report.summary.versions["recorder"] == report.summary.versions["report"]

    states = [json.loads(json.dumps(msgspec.to_builtins(snapshot(state)))) for state in replay(path)]
    assert [state_at(report.timeline, index) for index in range(-1, report.summary.inputs)] == states
    assert json.loads(json.dumps(seen)) in states
    look_at(report, stage, tmp_path / "report.html", states)


READY = """new Promise((done) => {
  const id = setInterval(() => document.documentElement.dataset.ready && done(clearInterval(id)), 10);
})"""
STATES = """unpacked(document.getElementById("data").textContent).then((data) => {
  const report = new FlightReport(data);
  return JSON.stringify(Array.from({length: report.inputs.count}, (_, input) => report.state(input)));
})"""
"""Every state as the page computes it."""


def texts(tab: SyncSession, selector: str) -> list[str]:
    """The texts of the elements that match."""
    found: list[str] = js(tab, "selector => [...document.querySelectorAll(selector)].map(e => e.textContent)", selector)
    return found


def look_at(report: Report, stage: Stage, file: Path, states: list[Any]) -> None:
    """The page of the report shows these states, and what went wrong."""
    file.write_text(report_html(report), "utf-8")
    with connect_sync(stage.cdp_url) as browser, browser.new_page() as tab:
        complaints: list[Event] = []
        tab.listen(lambda _, event: complaints.append(event), runtime.ExceptionThrown, log.EntryAdded)
        tab.send(runtime.Enable())
        tab.send(log.Enable())
        goto(tab, f"{file.as_uri()}#view=timeline")
        js(tab, READY)

        sources = "\n".join((FOLDER / name).read_text("utf-8") for name in SCRIPTS if name != "viewer.js")
        assert json.loads(js(tab, f"(() => {{ {sources}\nreturn {STATES} }})()")) == states[1:]
        lanes = texts(tab, ".lane-name")
        assert {"Connection", "Calls", "Dialogs", "Storms", "Frames", "Console", "Network failures"} <= set(lanes)
        assert {"dialog", "connection", "crash", "storm"} <= set(texts(tab, "#findings .badge"))
        press(tab, "End")
        assert f"input {len(states) - 2} of {len(states) - 1}" in texts(tab, "#moment")[0]
    assert complaints == []
