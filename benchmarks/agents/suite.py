"""The whole suite, played through one server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from benchmarks.agents.mcp_servers import SERVERS, Running
from benchmarks.agents.stdio_client import ServerEnded
from tests.tasks.desk import Room
from tests.tasks.playing import Outcome, Scene, play
from tests.tasks.raw_cdp import RawBrowser
from tests.tasks.task import Task


class Player:
    """Plays tasks through a server, which is started again when it has ended or does not answer."""

    def __init__(self, name: str, folder: Path) -> None:
        """`folder` holds the files that tasks upload."""
        self.name = name
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
        self._stop()

    def play(self, lay_out: Callable[[RawBrowser], Scene]) -> Outcome:
        """Lay out a task's scene, with the browser to ask, and play it in a new tab."""
        for _ in range(2):
            hands, browser = self._start()
            try:
                hands.hands.fresh()
                break
            except (ServerEnded, OSError, ValueError, IndexError, StopIteration):
                self._stop()
        hands, browser = self._start()
        scene = lay_out(browser)
        try:
            return play(hands.hands, scene)
        except ServerEnded as error:
            self._stop()
            return Outcome(False, f"ServerEnded: {error}", hands.hands.usage)
        finally:
            scene.close()

    def play_desk(self, task: Task, room: Room) -> Outcome:
        """Play a task on our own pages."""
        return self.play(lambda browser: room.desk(task, browser, run=f"-{list(SERVERS).index(self.name)}"))

    def _start(self) -> tuple[Running, RawBrowser]:
        if self._running is None or self._browser is None:
            self._running = self._stack.enter_context(SERVERS[self.name](self._folder))
            self._browser = self._stack.enter_context(RawBrowser(self._running.browser_url))
            self.definitions = self._running.definitions
        return self._running, self._browser

    def _stop(self) -> None:
        self._running = self._browser = None
        self._stack.close()
