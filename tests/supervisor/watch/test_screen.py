"""The live view in a real terminal: tmux gives it keys, and reads what it shows."""

from __future__ import annotations

import asyncio
import io
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from cdp_typed.mock import Frame, Page, ThreadedMockServer
from cdp_typed.protocol import page
from supervisor import AsyncSupervisor, CDPSupervisor, NotRunning, SupervisorSnapshot
from supervisor.watch.input_state import View
from supervisor.watch.json_lines import follow
from supervisor.watch.screen import draw
from tests.support.stages import is_loaded
from tests.support.wheels import ROOT

DEADLINE_S = 30.0
ASKS = "setTimeout(() => { window.answer = prompt('your \x1b[31mname?', 'nobody') }, 0)"
SITE = {
    "http://shop.test/": Page(title="Shop", frames=[Frame("http://pay.test/", "pay")]),
    "http://pay.test/": Page(title="Pay"),
}


class Terminal:
    """A tmux server of its own with one pane."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("tmux")
        assert found is not None, "tmux is needed for this test: apt-get install tmux"
        self._tmux = [found, "-S", str(folder / "tmux"), "-f", "/dev/null"]

    def start(self, *command: str) -> None:
        self._run("new-session", "-d", "-x", "110", "-y", "40", "-c", str(ROOT), *command)

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def shows(self) -> str:
        """The pane; nothing when its program has ended, and tmux with it."""
        return self._run("capture-pane", "-p", may_fail=True)

    def until(self, holds: Callable[[str], bool]) -> str:
        ends = time.monotonic() + DEADLINE_S
        while not holds(shown := self.shows()):
            assert time.monotonic() < ends, shown
            time.sleep(0.05)
        return shown

    def close(self) -> None:
        self._run("kill-server", may_fail=True)

    def _run(self, *arguments: str, may_fail: bool = False) -> str:
        done = subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, timeout=DEADLINE_S)
        assert may_fail or done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """Its socket's path has to be short."""
    made = Terminal(tmp_path_factory.mktemp("t"))
    yield made
    made.close()


@pytest.fixture
def mock() -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer(SITE) as server:
        yield server


@pytest.fixture
def other(mock: ThreadedMockServer) -> Iterator[CDPSupervisor]:
    """Another client, which shows the shop."""
    with CDPSupervisor(mock.url) as running:
        running.send(page.Navigate(url="http://shop.test/"))
        running.wait_for(lambda now: is_loaded(now) and len(now.frame_tree.children) == 1, timeout_s=20)
        yield running


@pytest.mark.thorough
def test_a_person_sees_the_browser_and_answers_its_dialogs(
    mock: ThreadedMockServer, other: CDPSupervisor, terminal: Terminal
) -> None:
    terminal.start(sys.executable, "-m", "supervisor", "watch", mock.url)
    shown = terminal.until(lambda shown: "http://pay.test/" in shown)
    assert "own process" in shown
    assert "q quit" in shown

    other.evaluate("console.error('basket', 503)")
    terminal.until(lambda shown: "error    basket 503" in shown)

    other.evaluate(ASKS)
    terminal.until(lambda shown: "d-1 prompt your \\x1b[31mname?" in shown)
    terminal.press("a")
    terminal.until(lambda shown: "answer: nobody" in shown)
    terminal.press(*["BSpace"] * 6, "A", "d", "a", "Enter")
    terminal.until(lambda shown: "d-1 accepted" in shown)
    assert other.evaluate("window.answer").value == "Ada"

    other.evaluate("setTimeout(() => { window.answer = confirm('sure?') }, 0)")
    terminal.until(lambda shown: "d-2 confirm sure?" in shown)
    terminal.press("d")
    terminal.until(lambda shown: "d-2 dismissed" in shown)
    assert other.evaluate("window.answer").value is False

    terminal.press("q")
    terminal.until(lambda shown: not shown.strip())


async def test_into_a_pipe_each_change_is_a_line(mock: ThreadedMockServer, other: CDPSupervisor) -> None:
    """What happened before is told too, each change once, and the end of the browser is an error."""
    told: list[dict[str, object]] = []

    def tell(change: dict[str, object]) -> None:
        told.append(change)
        if change["kind"] == "page_opened":
            mock.browser.close()

    async with AsyncSupervisor(mock.url, reconnect_attempts=0) as supervisor, asyncio.timeout(DEADLINE_S):
        with pytest.raises(NotRunning):
            await follow(supervisor, tell)

    assert [change["seq"] for change in told] == list(range(1, len(told) + 1))
    assert (told[-1]["kind"], told[-1]["subject"]) == ("link", "lost")


def drawn(now: SupervisorSnapshot, view: View | None = None) -> str:
    console = Console(width=100, height=30, file=io.StringIO())
    with console.capture() as captured:
        console.print(draw(now, view or View(), height=30, width=100))
    return captured.get()


def test_a_page_cannot_write_on_the_terminal(mock: ThreadedMockServer, other: CDPSupervisor) -> None:
    other.evaluate(f"console.log('\x1b[2J'); {ASKS}")
    now = other.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)

    shown = drawn(now, View(chosen="d-1", typing="\x07Ada"))

    assert "\x1b" not in shown
    assert "> d-1 prompt your \\x1b[31mname?" in shown
    assert "answer: \\x07Ada_" in shown
    assert "\\x1b[2J" in shown


def test_before_there_is_a_page_the_screen_says_so() -> None:
    with ThreadedMockServer(SITE) as server, CDPSupervisor(server.url) as running:
        server.browser.close_page(server.browser.pages[0].id)
        now = running.wait_for(lambda now: not now.pages, timeout_s=20)

    assert "no page" in drawn(now)
