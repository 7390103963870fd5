"""What is done on Windows, on a simulated one."""

from __future__ import annotations

import ctypes
import io
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.cli.output import table, write
from cdp_typed.errors import LaunchError
from cdp_typed.launch import job_object, launch
from cdp_typed.launch.job_object import ExtendedLimits, JobObject
from cdp_typed.launch.process import Process
from cdp_typed.launch.profiles import Profile


class Kernel32:
    """The functions of Windows that a job object needs; a job is a process group here."""

    def __init__(self) -> None:
        self.fails = ""
        self.calls: list[tuple[Any, ...]] = []
        self.pid = 0
        self.was_running = False

    def __getattr__(self, name: str) -> Callable[..., int]:
        return partial(self._call, name)

    def _call(self, name: str, *arguments: Any) -> int:
        self.calls.append((name, *map(_plain, arguments)))
        if name == "OpenProcess":
            self.pid = arguments[2]
        if name == "TerminateJobObject" and (stat := Path(f"/proc/{self.pid}/stat")).exists():
            self.was_running = stat.read_text().rpartition(") ")[2][0] != "Z"
            os.killpg(self.pid, signal.SIGKILL)
        return 0 if name == self.fails else _RESULTS.get(name, 1)


_RESULTS = {"CreateJobObjectW": 7, "OpenProcess": 9, "GetLastError": 5}


def _plain(argument: Any) -> object:
    """The number of a handle, the flags of limits."""
    if isinstance(argument, ctypes.c_void_p):
        return argument.value
    return argument._obj.BasicLimitInformation.LimitFlags if hasattr(argument, "_obj") else argument


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Kernel32:
    kernel32 = Kernel32()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(job_object, "_kernel32", lambda: kernel32)
    return kernel32


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser that does not end when it is asked to, with a child."""
    path = tmp_path / "chrome.exe"
    path.write_text("#!/bin/sh\ntrap '' TERM INT\nsleep 60 &\nsleep 60\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.maxsize < 2**32, reason="the size is that of 64 bits")
def test_the_limits_have_the_size_that_windows_expects() -> None:
    assert ctypes.sizeof(ExtendedLimits) == 144


def test_a_job_ends_its_processes_when_its_handle_is_closed() -> None:
    kernel32 = Kernel32()
    job = JobObject(kernel32)

    job.add(0)
    job.close()
    job.close()

    assert kernel32.calls == [
        ("CreateJobObjectW", None, None),
        ("SetInformationJobObject", 7, 9, 0x2000, 144),
        ("OpenProcess", 0x0101, False, 0),
        ("AssignProcessToJobObject", 7, 9),
        ("CloseHandle", 9),
        ("TerminateJobObject", 7, 1),
        ("CloseHandle", 7),
    ]


def test_elsewhere_no_job_is_made() -> None:
    with pytest.raises(OSError, match="job objects exist on Windows only"):
        JobObject()


def test_the_job_ends_the_browser_before_its_first_process_is_gone(windows: Kernel32, browser: Path) -> None:
    process = Process(browser, [], {"PATH": os.environ["PATH"]}, Profile())
    assert windows.pid == process.pid

    process.end()

    assert windows.was_running, "the first process ended before the job, which leaves the others behind"
    assert process.exit_status() == -signal.SIGKILL
    assert not process.root.exists()


def test_a_browser_that_cannot_join_a_job_does_not_run_on(windows: Kernel32, browser: Path) -> None:
    windows.fails = "AssignProcessToJobObject"

    with pytest.raises(LaunchError, match=r"cannot be put into a job object \(error 5 of Windows\)"):
        Process(browser, [], {"PATH": os.environ["PATH"]}, Profile())

    assert not Path(f"/proc/{windows.pid}").exists()


@pytest.mark.parametrize(("platform", "keeps"), [("win32", True), ("darwin", False)])
def test_chrome_keeps_rights_of_an_elevated_shell(monkeypatch: pytest.MonkeyPatch, platform: str, keeps: bool) -> None:
    monkeypatch.setattr(sys, "platform", platform)

    assert ("--do-not-de-elevate" in launch()._args) == keeps  # pyright: ignore[reportPrivateUsage] - nothing else shows the command


def test_a_title_that_the_console_cannot_show_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252", newline=""))

    write(table([("ID", "TITLE"), ("1", "Привет café")]))

    assert written.getvalue() == b"ID  TITLE\n1   \\u041f\\u0440\\u0438\\u0432\\u0435\\u0442 caf\xe9\n"
