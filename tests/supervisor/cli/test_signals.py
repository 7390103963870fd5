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
    program.send_signal(ending)  # of the group, and of `uv run`
    _, told = program.communicate(timeout=20)

    assert (program.returncode, b"Traceback" in told) == (code, False)
    assert_gone(program.pid, profile)


TWICE = """import asyncio, signal, sys, threading
from contextlib import contextmanager

import cdp_typed.ending_signals
from cdp_typed.cli.runner import CommandRunner
from cdp_typed.ending_signals import run_in_order

moment, first, second, cdp_typed.ending_signals.PATIENCE_S = sys.argv[1], *map(int, sys.argv[2:])
released = threading.Event()
def again(here):
    if here == moment:
        signal.raise_signal(second)
class Last:
    def __del__(self):
        again("finalization")
_last = Last()
@contextmanager
def browser():
    try:
        yield
    finally:
        again("browser")
        print("browser", flush=True)
async def left():
    try:
        await asyncio.Event().wait()
    finally:
        again("asyncio")
        released.set()
        print("task", flush=True)
async def main():
    task = asyncio.create_task(left())
    asyncio.get_running_loop().run_in_executor(None, released.wait)
    await asyncio.sleep(0)
    signal.raise_signal(first)
    again("at once")
    try:
        await asyncio.Event().wait()
    finally:
        again("command")
        await asyncio.sleep(0)
        print("command", flush=True)
def run(arguments):
    with browser():
        run_in_order(main())
    return 0
if __name__ == "__main__":
    runner = CommandRunner(name="x", commands={"x": __name__}, help=str, version=str, notes=(), code_of=lambda error: 1)
    try:
        sys.exit(runner.main(["x"]))
    finally:
        again("afterwards")
"""
"""A program whose thread waits for a task, and which gets its second signal at the moment that its argument names."""

ENDED = "command\ntask\nbrowser\n"


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (signal.SIGTERM, signal.SIGTERM, 143),
        (signal.SIGINT, signal.SIGINT, 130),
        (signal.SIGHUP, signal.SIGTERM, 129),
    ],
)
@pytest.mark.parametrize("moment", ["at once", "command", "asyncio", "browser", "afterwards", "finalization"])
def test_a_second_signal_does_not_disturb_the_end(moment: str, first: int, second: int, code: int) -> None:
    ended = _twice(moment, first, second, patience=3600)

    assert (ended.returncode, ended.stdout, ended.stderr) == (code, ENDED, "")


def test_a_signal_long_after_the_first_ends_a_program_at_once() -> None:
    ended = _twice("asyncio", signal.SIGINT, signal.SIGTERM, patience=-1)

    assert (ended.returncode, ended.stdout, ended.stderr) == (143, "command\n", "")


def _twice(moment: str, first: int, second: int, patience: int) -> subprocess.CompletedProcess[str]:
    words = [moment, *(str(int(number)) for number in (first, second, patience))]
    return subprocess.run(
        [sys.executable, "-c", TWICE, *words], capture_output=True, text=True, timeout=20, check=False
    )


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
