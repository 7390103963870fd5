"""`cdp-agent` as a shell calls it: the client in a process of its own, sessions in a folder of the test's."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

WAIT_S = 20.0


class Ended(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str


class Shell:
    """A work tree, and the commands that are called in it, on any system."""

    def __init__(self, base: Path) -> None:
        self.tree = base / "tree"
        self.runtime = base / "r"  # the path of a socket must be short
        for folder in (self.tree, self.runtime):
            folder.mkdir(mode=0o700)
        inherited = {name: text for name, text in os.environ.items() if not name.startswith(("CDP_AGENT", "XDG_"))}
        roots = os.pathsep.join(filter(None, (str(Path(__file__).parents[4]), os.environ.get("PYTHONPATH"))))
        place = str(self.runtime)
        self.environment = {**inherited, "PYTHONPATH": roots, "XDG_RUNTIME_DIR": place, "LOCALAPPDATA": place}

    def begin(self, *words: str, under: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """Start a command, perhaps under another program that executes it."""
        return subprocess.Popen(
            [*under, sys.executable, "-P", "-m", "cdp_agent.program", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            cwd=self.tree,
            env=self.environment,
        )

    def __call__(self, *words: str, given: str = "", under: tuple[str, ...] = ()) -> Ended:
        with self.begin(*words, under=under) as command:
            out, _ = command.communicate(given, timeout=120)
        return Ended(command.returncode, out)


class AgentShell(Shell):
    """The same on Linux, with all that its sessions start and write."""

    def __init__(self, base: Path) -> None:
        super().__init__(base)
        self.temporary = base / "tmp"
        self.home = base / "home"
        for name, folder in (("TMPDIR", self.temporary), ("HOME", self.home)):
            folder.mkdir(mode=0o700)
            self.environment[name] = str(folder)

    def processes(self) -> list[int]:
        """All that sessions of this shell have started, by their environment."""
        mark = str(self.runtime.parent).encode()
        return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if mark in _environment_of(folder)]

    def session_pid(self) -> int:
        """The process of the session."""
        line = self("sessions").out
        return int(line.rpartition("(process ")[2].split(")")[0])

    def kill_session(self) -> None:
        """Kill the process of the session, and return when its socket is closed and its browser has ended.

        The kernel takes the memory of a process, and with it the environment, before it closes its files.
        """
        session = os.pidfd_open(self.session_pid())
        signal.pidfd_send_signal(session, signal.SIGKILL)
        select.select([session], [], [])
        os.close(session)
        while self.processes():
            time.sleep(0.05)

    def kill_browser(self) -> None:
        """Kill all processes of the session's browser."""
        for pid in set(self.processes()) - {self.session_pid()}:
            os.kill(pid, signal.SIGKILL)

    def left(self) -> list[str]:
        """Processes and files that are left, once nothing more goes away."""
        gives_up = time.monotonic() + WAIT_S
        while (left := self._left()) and time.monotonic() < gives_up:
            time.sleep(0.05)
        return left

    def _left(self) -> list[str]:
        # os.walk passes over folders that go away meanwhile; rglob of Python 3.11 raises.
        files = [
            str(Path(folder, name))
            for top in (self.runtime, self.temporary, self.home)
            for folder, folders, names in os.walk(top)
            for name in (*folders, *names)
        ]
        return [*map(str, self.processes()), *files]


@contextmanager
def agent_shell() -> Generator[AgentShell]:
    """A shell whose sessions end with the block."""
    base = Path(tempfile.mkdtemp(prefix="agent-"))  # the path of a socket must be short
    shell = AgentShell(base)
    try:
        yield shell
    finally:
        shell("close")
        for pid in shell.processes():
            os.kill(pid, 9)
        shutil.rmtree(base, ignore_errors=True)


def _environment_of(folder: Path) -> bytes:
    try:
        is_dead = (folder / "stat").read_text().rpartition(") ")[2][0] in "ZX"
        return b"" if is_dead else (folder / "environ").read_bytes()
    except OSError:
        return b""
