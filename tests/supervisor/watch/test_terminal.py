"""The live view in a real terminal: tmux gives it keys, and shows what the terminal makes of its output."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cdp_typed.mock import ThreadedMockServer
from supervisor import CDPSupervisor
from tests.support.wheels import ROOT

DEADLINE_S = 60.0
PROMPT = "setTimeout(() => { window.answer = prompt('your \x1b[31mname?', 'nobody\x1b[2J') }, 0)"


class Terminal:
    """A tmux server of its own with one pane."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("tmux")
        assert program is not None, "tmux is needed for this test: apt-get install tmux"
        self._tmux = [program, "-S", str(folder / "tmux"), "-f", "/dev/null"]

    def start(self, *command: str) -> None:
        """Run a command, and print its exit code. Its size is that of the pane, not what GNU readline has exported."""
        line = f"unset COLUMNS LINES; {shlex.join(command)}; echo $?; cat"
        self._run("new-session", "-d", "-x", "110", "-y", "40", "-c", str(ROOT), line)

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        self._run("resize-window", "-x", str(width), "-y", str(height))

    def until(self, holds: Callable[[str], bool]) -> str:
        ends = time.monotonic() + DEADLINE_S
        while not holds(shown := self._run("capture-pane", "-p")):
            assert time.monotonic() < ends, shown
            time.sleep(0.05)
        return shown

    def close(self) -> None:
        self._run("kill-server")

    def _run(self, *arguments: str) -> str:
        tmux = subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, timeout=DEADLINE_S)
        assert tmux.returncode == 0, tmux.stderr
        return tmux.stdout


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory, mock: ThreadedMockServer) -> Iterator[Terminal]:
    """A terminal with the live view; the path of its socket has to be short."""
    terminal = Terminal(tmp_path_factory.mktemp("t"))
    terminal.start(sys.executable, "-m", "supervisor", "watch", mock.url)
    yield terminal
    terminal.close()


@pytest.mark.thorough
def test_a_person_sees_the_browser_and_answers_its_dialogs(other: CDPSupervisor, terminal: Terminal) -> None:
    shown = terminal.until(lambda shown: "http://pay.test/" in shown and "q quit" in shown)
    assert "own process" in shown

    other.evaluate("console.error('basket', 503, '\x1b[2J')")
    terminal.until(lambda shown: "error    basket 503 \\x1b[2J" in shown)

    other.evaluate(PROMPT)
    terminal.until(lambda shown: 'd-1 prompt "your \\x1b[31mname?"' in shown)
    terminal.press("a", *["BSpace"] * 13, "A", "d", "q")  # typed ahead
    terminal.until(lambda shown: "Adq " in shown and "nobody" not in shown)
    terminal.press("BSpace", "a", "Enter", "x", "q")
    terminal.until(lambda shown: "d-1 accepted" in shown)
    assert other.evaluate("window.answer").value == "Ada"

    terminal.resize(30, 10)
    other.evaluate("setTimeout(() => { window.answer = prompt('sure?') }, 0)")
    terminal.until(lambda shown: 'd-2 prompt "sure?"' in shown and "a accept" in shown)
    terminal.press("a", "x")
    terminal.until(lambda shown: "Enter send" in shown and " x " in shown and "d-2" in shown)
    terminal.press("Escape")
    terminal.until(lambda shown: "a accept" in shown)
    terminal.press("d")
    terminal.until(lambda shown: "d-2 dismissed" in shown)
    assert other.evaluate("window.answer").value is None

    terminal.press("q")
    terminal.until(lambda shown: shown.strip() == "0")


@pytest.mark.thorough
def test_ctrl_c_ends_the_live_view(other: CDPSupervisor, terminal: Terminal) -> None:
    terminal.until(lambda shown: "http://pay.test/" in shown)

    terminal.press("C-c")

    ended = terminal.until(lambda shown: "130" in shown)
    assert ended.split() == ["cdp-supervisor:", "error:", "interrupted", "130"]
