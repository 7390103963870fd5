"""The flights of `tests/supervisor/core/test_flights.py`: recordings of supervisors on real Chromium.

    python -m tests.data.make_flights --snapshots    steps the recordings again and rewrites their last snapshots
    python -m tests.data.make_flights                records all of them anew, on real Chromium

A recording holds the settings, the inputs of the core, and the last snapshot. Rewrite the snapshots when a field of a
snapshot changes, record anew when the core takes a new input, and read the differences in both cases.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from cdp_typed.errors import CDPError
from cdp_typed.protocol import page, runtime, target
from supervisor import BlockedByDialog, CDPSupervisor, FrameInfo
from supervisor.core.snapshot import snapshot
from supervisor.journal import replay
from tests.support.stages.stages import Stage, is_loaded, open_page, raise_stage, send_as_another_client

HOME = Path(__file__).parent / "flights"
Flight = Callable[[Stage, CDPSupervisor], object]


def _inner(stage: Stage, supervisor: CDPSupervisor, path: str = "/frames") -> FrameInfo:
    return next(frame for frame in open_page(supervisor, stage.own + path).frame_tree.children if frame.is_oopif)


def _dialog(supervisor: CDPSupervisor, expression: str, frame_id: str | None = None) -> None:
    with contextlib.suppress(BlockedByDialog):
        supervisor.evaluate(expression, frame_id)


def alert_accepted(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    _dialog(supervisor, "alert('hello')")
    supervisor.respond_to_dialog("accept")


def prompt_answered_and_dismissed(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    for action in ("accept", "dismiss"):
        _dialog(supervisor, "prompt('name?', 'nobody')")
        supervisor.respond_to_dialog("accept" if action == "accept" else "dismiss")


def dialog_of_an_oopif(stage: Stage, supervisor: CDPSupervisor) -> None:
    inner = _inner(stage, supervisor)
    _dialog(supervisor, "confirm('inside')", inner.frame_id)
    supervisor.evaluate("document.title")


def second_dialog_in_a_tab(stage: Stage, supervisor: CDPSupervisor) -> None:
    inner = _inner(stage, supervisor)
    _dialog(supervisor, "alert('first')", inner.frame_id)
    _dialog(supervisor, "alert('second')")


def dialog_while_loading(stage: Stage, supervisor: CDPSupervisor) -> None:
    supervisor.open_page(f"{stage.own}/early")
    supervisor.wait_for(lambda now: bool(now.pending_dialogs))


def dialogs_in_two_tabs(stage: Stage, supervisor: CDPSupervisor) -> None:
    _dialog(supervisor, "alert('one')")
    supervisor.open_page(f"{stage.own}/plain")
    supervisor.wait_for(is_loaded)
    _dialog(supervisor, "alert('two')")


def reload_under_a_dialog(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    _dialog(supervisor, "alert('hello')")
    supervisor.send(page.Reload())
    supervisor.wait_for(lambda now: not now.pending_dialogs)


def iframe_removed_under_its_dialog(stage: Stage, supervisor: CDPSupervisor) -> None:
    inner = _inner(stage, supervisor)
    _dialog(supervisor, "alert('inside')", inner.frame_id)
    supervisor.evaluate("document.getElementById('inner').remove()")
    supervisor.wait_for(lambda now: not now.pending_dialogs)


def answered_by_somebody_else(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    _dialog(supervisor, "alert('hello')")
    supervisor.send(page.HandleJavaScriptDialog(accept=True))
    supervisor.wait_for(lambda now: not now.pending_dialogs)


def nested_iframes(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/nested")


def frame_between_processes(stage: Stage, supervisor: CDPSupervisor) -> None:
    inner = _inner(stage, supervisor)
    supervisor.evaluate(f"document.getElementById('inner').src = '{stage.own}/local'")
    supervisor.wait_for(
        lambda now: any(frame.frame_id == inner.frame_id and not frame.is_oopif for frame in now.frame_tree.children)
    )


def crash_and_reload(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    with contextlib.suppress(CDPError):
        supervisor.send(page.Crash())
    supervisor.send(page.Reload())
    supervisor.wait_for(lambda now: now.pages[0].status == "ok")


def console_and_exceptions(stage: Stage, supervisor: CDPSupervisor) -> None:
    inner = _inner(stage, supervisor)
    supervisor.evaluate("console.warn('count', 42, {a: 1})", inner.frame_id)
    supervisor.evaluate("setTimeout(() => { throw new Error('boom') }, 0)")
    supervisor.wait_for(lambda now: len(now.console) == 2)


def popup(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    supervisor.send(runtime.Evaluate(expression=f"window.open('{stage.own}/inner')", user_gesture=True))
    supervisor.wait_for(lambda now: len(now.pages) == 2 and now.pages[1].url.endswith("/inner"))


def tab_closed_by_somebody_else(stage: Stage, supervisor: CDPSupervisor) -> None:
    opened = supervisor.open_page(f"{stage.own}/frames")
    supervisor.wait_for(lambda now: is_loaded(now) and now.frame_tree.total == 3)
    send_as_another_client(stage, target.CloseTarget(target_id=target.TargetID(opened.target_id)))
    supervisor.wait_for(lambda now: len(now.pages) == 1)


FLIGHTS: Mapping[str, Flight] = {
    flight.__name__: flight
    for flight in (
        alert_accepted,
        prompt_answered_and_dismissed,
        dialog_of_an_oopif,
        second_dialog_in_a_tab,
        dialog_while_loading,
        dialogs_in_two_tabs,
        reload_under_a_dialog,
        iframe_removed_under_its_dialog,
        answered_by_somebody_else,
        nested_iframes,
        frame_between_processes,
        crash_and_reload,
        console_and_exceptions,
        popup,
        tab_closed_by_somebody_else,
    )
}


def last_sight(path: Path) -> Any:
    """The snapshot before the end of a recorded flight, as plain JSON."""
    states = [state for state in replay(path) if state.world.connection.state != "stopped"]
    return msgspec.to_builtins(snapshot(states[-1]))


def write_snapshots(home: Path = HOME) -> None:
    """Step the recordings again, and write the last snapshot of each. No browser is needed."""
    for path in sorted(home.glob("*.jsonl")):
        path.with_suffix(".json").write_text(json.dumps(last_sight(path), indent=1) + "\n")


def record() -> None:
    """Record all flights anew."""
    for name, flight in FLIGHTS.items():
        with tempfile.TemporaryDirectory() as folder, raise_stage("chromium") as stage:
            whole = Path(folder) / "flight.jsonl"
            with CDPSupervisor(stage.cdp_url, call_timeout_s=10, record_to=str(whole)) as supervisor:
                flight(stage, supervisor)
            kept = [line for line in whole.read_text().splitlines() if '"input"' in line or '"settings"' in line]
        (HOME / f"{name}.jsonl").write_text("\n".join([*kept, ""]))


def main() -> None:
    """Record, unless only the snapshots are asked for; then write the snapshots."""
    if "--snapshots" not in sys.argv:
        record()
    write_snapshots()


if __name__ == "__main__":
    main()
