"""A command line as a shell runs it: each command is a process, and what it prints is what a model reads."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from evals.agents.stdio_client import CALL_LIMIT_S, ServerEnded

ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "DISPLAY")
"""The variables of this process's environment that a program keeps, without folders and settings of the user."""


@dataclass(frozen=True)
class Printed:
    """The output of a command, and its cost."""

    text: str
    """Standard output, then standard error."""
    code: int
    processor_s: float
    """Of the command's own processes; the browser and the background process are not among them."""


class Program:
    """A command line in a folder, with a private home that has only what it writes itself."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.has_run: Callable[[Printed], None] = lambda printed: None
        """Called after each command."""
        self._command = list(command)
        self._home = folder / "home"
        self._scratch = folder / "tmp"
        for path in (self._home, self._scratch):
            path.mkdir(mode=0o700)
        kept = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
        places = {"HOME": str(self._home), "TMPDIR": str(self._scratch), "XDG_RUNTIME_DIR": str(self._scratch)}
        self._environment = {**kept, **places, **environment}

    def set(self, name: str, value: str) -> None:
        """Set a variable of the environment of later commands."""
        self._environment[name] = value

    def run(self, *arguments: str, standard_input: str = "") -> Printed:
        """Run a command to its end. Raises `ServerEnded` when it takes longer than a minute.

        Files take the output, because a background process may hold a pipe open.
        """
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            given.write(standard_input.encode())
            given.seek(0)
            process = subprocess.Popen(
                [*self._command, *arguments], stdin=given, stdout=out, stderr=errors, cwd=self.folder,
                env=self._environment,
            )  # fmt: skip
            timer = threading.Timer(CALL_LIMIT_S, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            for file in (out, errors):
                file.seek(0)
            text = (out.read() + errors.read()).decode(errors="replace")
        if process.returncode == -signal.SIGKILL:
            raise ServerEnded(f"no end of {arguments} within {CALL_LIMIT_S:g} s")
        printed = Printed(text, process.returncode, usage.ru_utime + usage.ru_stime)
        self.has_run(printed)
        return printed

    def kill(self) -> None:
        """Kill the background process and the browser."""
        for pid in background(self.folder):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def background(folder: Path) -> Iterator[int]:
    """The background process and the browser: all processes with this folder in their command line or environment."""
    mark = str(folder).encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            said = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
            if mark in said and int(process.name) != os.getpid():
                yield int(process.name)
