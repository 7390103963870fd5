"""The demos of the repository, as a newcomer starts them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from supervisor import SupervisorSnapshot
from supervisor.addons.report import report_of
from tests.support.wheels import ROOT, build_wheel, install_wheel, run_elsewhere

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(180)]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "examples.demo", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


def check_story(done: subprocess.CompletedProcess[str]) -> SupervisorSnapshot:
    """Return the last snapshot of the demo, whichever stage it was played on."""
    assert done.returncode == 0, done.stderr
    last = msgspec.json.decode("{" + done.stdout.partition("{")[2], type=SupervisorSnapshot)
    assert [(record.type, record.closed_by, record.accepted) for record in last.recent_dialogs] == [
        ("alert", "agent", True),
        ("prompt", "agent", True),
        ("confirm", "agent", False),
        ("alert", "agent", True),
        ("alert", "agent", True),
    ]
    assert last.recent_dialogs[1].user_input == "Ada"
    assert last.pending_dialogs == ()
    assert sorted((frame.name, frame.is_oopif) for frame in last.frame_tree.children) == [
        ("newsletter", False),
        ("payment", True),
    ]
    assert [line.text for line in last.console if line.level == "error"] == ["basket service answered 503"]
    return last


@pytest.mark.parametrize("stage", [("--mock",), ()], ids=["mock", "chromium"])
def test_the_demo_is_recorded_and_prints_the_snapshot_for_programs(stage: tuple[str, ...], tmp_path: Path) -> None:
    last = check_story(run(*stage, "--json", "--record", str(tmp_path / "demo.jsonl")))

    report = report_of(tmp_path / "demo.jsonl")
    assert [dialog.message for dialog in report.dialogs] == [record.message for record in last.recent_dialogs]
    assert {lane.page for lane in report.pages} >= {page.target_id for page in last.pages}
    assert bool(report.pictures) == (not stage)


def test_the_demo_tells_its_story() -> None:
    done = run()

    assert done.returncode == 0, done.stderr
    assert "{" not in done.stdout
    for fact in (
        "payment: http://127.0.0.1:",
        "out-of-process iframe",
        "the page got back Ada",
        "dismissed; the page got back false",
        "its document.title is A payment form from another site",
        "error seen: basket service answered 503",
        "is open and blocks the",
        "accepted with Ada",
    ):
        assert fact in done.stdout


def test_the_mock_says_so_in_its_first_line() -> None:
    assert run("--mock").stdout.splitlines()[0].startswith("This is the mock server, not a browser")


def test_without_a_browser_the_demo_says_so_in_one_line_and_does_not_turn_to_the_mock() -> None:
    done = run(CDP_TYPED_CHROME="/nowhere/chrome")

    assert done.returncode == 1
    assert done.stderr == "python -m examples.demo: error: CDP_TYPED_CHROME: '/nowhere/chrome' does not exist\n"
    assert "{" not in done.stdout


def test_the_demo_needs_the_wheel_and_nothing_else(tmp_path: Path) -> None:
    python = install_wheel(build_wheel(tmp_path / "dist"), tmp_path / "environment")
    shutil.copytree(ROOT / "examples" / "demo", tmp_path / "examples" / "demo")

    check_story(run_elsewhere(python, "-m", "examples.demo", "--mock", "--json", cwd=tmp_path))
