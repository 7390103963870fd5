"""An application as it is started, asked and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from evals.agents.mcp_servers import free_port

__all__ = ["PROGRAMS", "Application", "NotStarted", "Program", "environment", "get"]

PROGRAMS = Path(__file__).parents[1] / "programs"
"""Settings, scripts and pages of the applications."""
START_LIMIT_S = 180.0
END_LIMIT_S = 10.0
PAUSE_S = 0.1


def environment() -> Path:
    """The folder with the applications of PyPI and npm."""
    return Path(os.environ.get("CDP_TYPED_ARENA", ".venv/arena")).absolute()


def get(url: str, headers: Mapping[str, str] | None = None) -> str:
    """The body of an address. Raises `OSError`."""
    with urllib.request.urlopen(urllib.request.Request(url, headers=dict(headers or {})), timeout=10) as answer:
        return str(answer.read().decode())


class NotStarted(Exception):
    """An application does not answer. The message ends with its log."""


class Application(ABC):
    """An application with the data of its tasks, for the length of a `with` block."""

    name: ClassVar[str]
    patience_s: ClassVar[float] = 3.0
    """A judge asks for so long."""
    url: str
    """Its address, without a slash at the end."""

    def __init__(self, folder: Path) -> None:
        """`folder` is empty, and for this application alone."""
        self.folder = folder

    @abstractmethod
    def start(self) -> None:
        """Start it. Returns when it answers. Raises `NotStarted`."""

    @abstractmethod
    def end(self) -> None:
        """End it."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


class Program(Application):
    """An application that is a process with a port."""

    ready: ClassVar[str] = "/"
    """A path that answers when the program has started."""

    @abstractmethod
    def command(self, port: int) -> Sequence[str | Path]:
        """The command, to be run in the folder."""

    def prepare(self) -> None:
        """Write the data of the tasks into the folder."""

    @property
    def variables(self) -> Mapping[str, str]:
        """More of the environment."""
        return {}

    def run(self, *command: str | Path) -> None:
        """Run a command of the application to its end. Raises `CalledProcessError`."""
        subprocess.run(command, cwd=self.folder, env=self._environment(), check=True, capture_output=True)

    def start(self) -> None:
        self.prepare()
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                self.command(port), cwd=self.folder, env=self._environment(), stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        try:
            self._wait()
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, number)
                self._process.wait(END_LIMIT_S)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue

    def _environment(self) -> dict[str, str]:
        own = {"HOME": str(self.folder), "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        path = f"{environment()}/bin:{os.environ['PATH']}"
        return {**os.environ, **own, "PATH": path, **self.variables}

    def _wait(self) -> None:
        give_up = time.monotonic() + START_LIMIT_S
        while time.monotonic() < give_up and self._process.poll() is None:
            try:
                get(self.url + self.ready)
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(PAUSE_S)  # no program tells that its port is open
            else:
                return
        log = (self.folder / "log").read_text(errors="replace")
        raise NotStarted(f"{self.name} does not answer:\n{log[-2000:]}")
