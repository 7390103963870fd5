"""The leak check sees what a test leaves, and waits for what is about to go."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from cdp_typed.testing import leaks
from cdp_typed.testing.leaks import Traces, assert_no_leaks, assert_no_leaks_blocking


async def test_a_task_is_named() -> None:
    before = Traces.now()
    task = asyncio.create_task(asyncio.Event().wait(), name="forgotten")

    with pytest.raises(AssertionError, match=re.escape("left behind: tasks: ['forgotten']")):
        await assert_no_leaks(before, settle_s=0.05)

    task.cancel()
    await assert_no_leaks(before)


def test_threads_and_sockets_are_seen_without_a_loop() -> None:
    before = Traces.now()
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten")
    thread.start()

    with (
        socket.socket(),
        pytest.raises(AssertionError, match=r"^left behind: threads: \['forgotten \(\d+\)'\]; sockets: 1$"),
    ):
        assert_no_leaks_blocking(before, settle_s=0.05)

    threading.Timer(0.2, end.set).start()
    assert_no_leaks_blocking(before, settle_s=10)
    thread.join()


def test_a_child_that_runs_is_seen_and_one_that_ended_is_not() -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no children that wait to be reaped")
    before = Traces.now()
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as child:
        running = Traces.now().leaked_since(before)
        assert child.stdin is not None
        child.stdin.close()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        not_yet_reaped = Traces.now().leaked_since(before)

    assert running["children"] == [f"{child.pid} {Path(sys.executable).name}"]
    assert not_yet_reaped == {}


def test_the_profile_of_a_browser_is_seen() -> None:
    before = Traces.now()
    with tempfile.TemporaryDirectory(prefix=f"cdp-typed-{os.getpid()}-") as folder:
        leaked = Traces.now().leaked_since(before)

    assert leaked == {"directories": [Path(folder)]}


def test_what_goes_away_while_it_is_looked_at_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process without its stat, and a descriptor that is no link any more."""
    (tmp_path / "1" / "stat").mkdir(parents=True)
    (tmp_path / "self" / "fd" / "3").mkdir(parents=True)
    monkeypatch.setattr(leaks, "_PROC", tmp_path)

    assert leaks.living_children(1) == frozenset()
    assert Traces.now().sockets == 0
