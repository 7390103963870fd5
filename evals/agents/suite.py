"""The whole suite, played through one server or one command line."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from evals.agents.command_lines.starts import BY_DEFAULT, COMMAND_LINES
from evals.agents.mcp_servers import SERVERS, Running, Start
from evals.agents.stdio_client import ServerEnded
from evals.tasks.desk import Room
from evals.tasks.hands import Hands
from evals.tasks.playing import Outcome, Scene, play
from evals.tasks.raw_cdp import RawBrowser
from evals.tasks.task import Task

SomeScene = TypeVar("SomeScene", bound=Scene)
PLAYED = {**SERVERS, **COMMAND_LINES, **BY_DEFAULT}


class Player:
    """Plays tasks through a server, which is started again when it has ended or does not answer."""

    def __init__(self, name: str, folder: Path, starts: Mapping[str, Start] = PLAYED) -> None:
        """`folder` holds the files that tasks upload."""
        self.name = name
        self._starts = starts
        self.definitions = 0
        self._folder = folder
        self._stack = ExitStack()
        self._running: Running | None = None
        self._browser: RawBrowser | None = None

    def __enter__(self) -> Player:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @contextmanager
    def at(self, lay_out: Callable[[RawBrowser], SomeScene]) -> Generator[tuple[Hands, SomeScene]]:
        """A scene in a new tab, laid out with the browser to ask, for the length of a `with` block."""
        for _ in range(2):
            hands, browser = self._start()
            try:
                hands.hands.fresh()
                break
            except (ServerEnded, OSError, ValueError, IndexError, StopIteration):
                self.stop()
        hands, browser = self._start()
        scene = lay_out(browser)
        try:
            yield hands.hands, scene
        finally:
            scene.close()

    def play(self, lay_out: Callable[[RawBrowser], Scene]) -> Outcome:
        """Lay out a task's scene, with the browser to ask, and play it in a new tab."""
        with self.at(lay_out) as (hands, scene):
            try:
                return play(hands, scene)
            except ServerEnded as error:
                self.stop()
                return Outcome(False, f"ServerEnded: {error}", hands.usage)

    def play_desk(self, task: Task, room: Room) -> Outcome:
        """Play a task on our own pages."""
        return self.play(lambda browser: room.desk(task, browser, run=f"-{list(self._starts).index(self.name)}"))

    def _start(self) -> tuple[Running, RawBrowser]:
        if self._running is None or self._browser is None:
            self._running = self._stack.enter_context(self._starts[self.name](self._folder))
            self._browser = self._stack.enter_context(RawBrowser(self._running.browser_url))
            self.definitions = self._running.definitions
        return self._running, self._browser

    def stop(self) -> None:
        """End the server and its browser; the next scene starts new ones."""
        self._running = self._browser = None
        self._stack.close()
