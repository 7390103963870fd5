"""The programs that launch a browser are ended by a signal: the browser, its helpers and its profile go with them."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import assert_gone, processes_of

if sys.platform == "win32":
    pytest.skip("Windows has no such signals", allow_module_level=True)

pytestmark = pytest.mark.thorough

STDIO = ("mcp", "--launch")
HTTP = ("mcp", "--launch", "--http", "0")
LIVE = ("live", "--launch")


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    """A program whose client says nothing, and does not leave."""
    command = [sys.executable, "-m", "supervisor", *request.param]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as started:
        yield started
        started.kill()


def profile_of(program: subprocess.Popen[bytes]) -> Path:
    """The profile of the browser that the program launched, when that listens."""
    while True:
        ports = list(Path(tempfile.gettempdir()).glob(f"cdp-typed-{program.pid}-*/profile/DevToolsActivePort"))
        if ports:
            return ports[0].parent
        assert program.poll() is None
        time.sleep(0.01)  # it prints nothing that could be waited for


@pytest.mark.parametrize(
    ("program", "ending", "code"),
    [
        (STDIO, signal.SIGINT, 130),
        (STDIO, signal.SIGTERM, 143),
        (STDIO, signal.SIGHUP, 129),
        (STDIO, signal.SIGKILL, -9),
        (HTTP, signal.SIGTERM, 143),
        (HTTP, signal.SIGHUP, 129),
        (HTTP, signal.SIGKILL, -9),
        (LIVE, signal.SIGTERM, 143),
        (LIVE, signal.SIGKILL, -9),
    ],
    indirect=["program"],
)
def test_a_signal_ends_the_program_with_its_browser(
    program: subprocess.Popen[bytes], ending: signal.Signals, code: int
) -> None:
    profile = profile_of(program)
    assert processes_of(program.pid, profile.parent)

    program.send_signal(ending)
    _, told = program.communicate(timeout=20)

    assert (program.returncode, b"Traceback" in told) == (code, False)
    assert_gone(program.pid, profile)


def test_an_interruption_in_the_middle_of_an_import_has_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        """from cdp_typed.cli.runner import CommandRunner
import signal, sys
def run(arguments):
    exec("signal.raise_signal(signal.SIGINT)")
runner = CommandRunner(name="x", commands={"x": "program"}, help=str, version=str, notes=(), code_of=lambda error: 1)
if __name__ == "__main__":
    sys.exit(runner.main(["x"]))
"""
    )

    ended = subprocess.run([sys.executable, "-m", "program"], cwd=tmp_path, stderr=subprocess.PIPE, check=False)

    assert (ended.returncode, ended.stderr) == (130, b"")


@pytest.mark.parametrize("program", [STDIO], indirect=True)
def test_a_server_ends_with_its_browser_when_its_client_leaves(program: subprocess.Popen[bytes]) -> None:
    profile = profile_of(program)

    program.communicate(timeout=20)

    assert program.returncode == 0
    assert_gone(program.pid, profile)
