"""`replay`: the traffic of a supervisor, played to one that gets no requests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cdp_typed.mock import ThreadedMockServer
from cdp_typed.protocol import page
from cdp_typed.redaction import REDACTED
from supervisor import CDPSupervisor
from tests.supervisor.cli.conftest import Run
from tests.support.stages.stages import is_loaded

PREFIX = "DevTools listening on "


@pytest.fixture
def recording(mock: ThreadedMockServer, tmp_path: Path) -> Path:
    """A supervisor opened a page, answered its prompt, and saw it load."""
    path = tmp_path / "session.jsonl"
    recorder = subprocess.Popen(
        [sys.executable, "-m", "cdp_typed", "record", mock.url, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert recorder.stdout is not None
    with recorder, recorder.stdout:
        url = recorder.stdout.readline().removeprefix(PREFIX).strip()
        with CDPSupervisor(url) as supervisor:
            supervisor.send(page.Navigate(url="http://shop.test/asks"))
            supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=10)
            supervisor.respond_to_dialog("accept", "Ada")
            supervisor.wait_for(is_loaded, timeout_s=10)
        os.kill(recorder.pid, signal.SIGINT)
    return path


@pytest.mark.thorough
def test_the_last_snapshot_is_what_the_recorded_supervisor_saw(run: Run, recording: Path) -> None:
    done = run("replay", str(recording))

    told = json.loads(done.out)
    assert done.code == 0
    assert [(dialog["type"], dialog["user_input"], dialog["closed_by"]) for dialog in told["recent_dialogs"]] == [
        ("prompt", REDACTED, "remote")
    ]
    assert told["frame_tree"]["top"]["url"] == "http://shop.test/asks"
    assert done.err.splitlines() == [
        f"cdp-supervisor: note: the recorded client did this, and it is not done now: {method}"
        for method in ("Page.navigate", "Page.handleJavaScriptDialog")
    ]


def test_a_recording_of_another_client_is_told(run: Run) -> None:
    """It made no call that a supervisor makes."""
    done = run("replay", str(Path(__file__).parents[2] / "data" / "alert.jsonl"), "--timeout", "1")

    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1].startswith("cdp-supervisor: error: ")


@pytest.mark.parametrize(
    ("content", "complaint"), [(None, "No such file or directory"), ('{"dir": "sent"}', "bad.jsonl:1: Invalid enum")]
)
def test_a_file_that_is_no_recording_is_told(run: Run, tmp_path: Path, content: str | None, complaint: str) -> None:
    path = tmp_path / "bad.jsonl"
    if content is not None:
        path.write_text(content)

    done = run("replay", str(path))

    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
