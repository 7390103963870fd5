"""The demo as a newcomer types it, each run in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from supervisor import SupervisorSnapshot
from supervisor.report import report_of

pytestmark = pytest.mark.thorough


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "supervisor", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


def check_story(last: SupervisorSnapshot) -> None:
    """The last snapshot of the demo, whichever stage it was played on."""
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


@pytest.mark.parametrize("stage", [("--mock",), ()], ids=["mock", "chromium"])
def test_the_demo_prints_only_the_snapshot_as_json_and_is_recorded(stage: tuple[str, ...], tmp_path: Path) -> None:
    done = run("demo", "--json", *stage, "--record", str(tmp_path / "demo.jsonl"))

    assert done.returncode == 0, done.stderr
    last = msgspec.json.decode(done.stdout, type=SupervisorSnapshot)
    check_story(last)
    report = report_of(tmp_path / "demo.jsonl")
    assert [dialog.message for dialog in report.dialogs] == [record.message for record in last.recent_dialogs]
    assert {lane.page for lane in report.pages} >= {page.target_id for page in last.pages}
    assert bool(report.pictures) == (not stage)


def test_the_demo_tells_its_story_and_ends_with_the_snapshot() -> None:
    done = run("demo")

    assert done.returncode == 0, done.stderr
    story, _, snapshot = done.stdout.partition("The last snapshot\n")
    check_story(msgspec.json.decode(snapshot, type=SupervisorSnapshot))
    for fact in (
        "payment: http://127.0.0.1:",
        "out-of-process iframe",
        "the page got back Ada",
        "dismissed; the page got back false",
        "its document.title is A payment form from another site",
        "error seen: basket service answered 503",
        "is open and blocks the",
    ):
        assert fact in story


def test_the_mock_says_so_in_its_first_line() -> None:
    done = run("demo", "--mock")

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].startswith("This is the mock server, not a browser")


def test_two_demos_at_once_do_not_meet() -> None:
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(run, "demo", "--json") for _ in range(2)]

    for done in (future.result() for future in both):
        assert done.returncode == 0, done.stderr
        check_story(msgspec.json.decode(done.stdout, type=SupervisorSnapshot))


@pytest.mark.parametrize("arguments", [("demo",), ("demo", "--json")])
def test_without_a_browser_the_demo_says_so_in_one_line_and_does_not_turn_to_the_mock(
    arguments: tuple[str, ...],
) -> None:
    done = run(*arguments, CDP_TYPED_CHROME="/nowhere/chrome")

    assert done.returncode == 1
    assert done.stderr == "cdp-supervisor: error: CDP_TYPED_CHROME: '/nowhere/chrome' does not exist\n"
    assert "{" not in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m supervisor demo --mock --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.stdout, done.stderr) == ("{", "")
