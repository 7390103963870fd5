"""The report of a real flight: a call that a dialog blocks, a connection that is cut, a crash, a storm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from cdp_typed import TargetCrashed
from cdp_typed.protocol import page
from supervisor import BlockedByDialog, CDPSupervisor, DialogRule
from supervisor.core.snapshot import snapshot
from supervisor.journal import replay
from supervisor.report import report_of, state_at
from tests.support.servers.cutting import CuttingProxy
from tests.support.stages.stages import Stage, is_loaded, open_page

pytestmark = pytest.mark.parametrize("stage", ["chromium"], indirect=True)
PATIENCE_S = 20.0


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
    with CDPSupervisor(
        url,
        call_timeout_s=PATIENCE_S,
        dialog_storm_limit=3,
        dialog_storm_window_s=60,
        watch_requests=True,
        record_to=str(path),
    ) as supervisor:
        fly(supervisor, stage, proxy)
        seen = msgspec.to_builtins(supervisor.snapshot())

    report = report_of(path)

    counts = report.summary.counts
    assert (counts["reconnects"], counts["crashes"], counts["storms"], counts["dialogs"]) == (1, 1, 1, 7)
    kinds = [item.kind for item in report.summary.items if item.kind != "waited"]
    assert sorted(set(kinds)) == ["crash", "failed", "reconnect", "storm"]
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
