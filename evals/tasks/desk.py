"""Where a task is played: its pages on two sites, what they told the server, and the browser to ask."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from string import Template
from types import TracebackType
from urllib.parse import parse_qs

from evals.tasks.hands import Hands
from evals.tasks.raw_cdp import RawBrowser
from evals.tasks.task import File, Task
from tests.support.servers.sites import Page, Request, Response, Sites

__all__ = ["Desk", "Room"]

PATIENCE_S = 3.0
"""What a task has set off must be true by then."""
PAUSE_S = 0.02

_HEAD = """<!doctype html><meta charset="utf-8"><title>$title</title><script>
const told = [];
const tell = text => { told.push(String(text)); navigator.sendBeacon('/told?task=$task', String(text)); };
</script>
"""


class Room:
    """The server of all tasks, for the length of a `with` block."""

    def __init__(self, libraries: Path, folder: Path) -> None:
        self.folder = folder
        self.told: dict[str, list[str]] = {}
        self.sites = Sites(
            {"/told": self._hear, "/favicon.ico": Response(status=204)}, folders={"/node_modules/": libraries}
        )

    def __enter__(self) -> Room:
        self.sites.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.sites.__exit__(kind, error, trace)

    def desk(self, task: Task, browser: RawBrowser, *, run: str = "") -> Desk:
        """Lay out a task's pages. Another run gets another address, so that nothing late of one reaches the next."""
        return Desk(self, task, browser, f"{task.name}{run}")

    def _hear(self, request: Request) -> Response:
        (key,) = parse_qs(request.query)["task"]
        self.told.setdefault(key, []).append(request.body.decode())
        return Response(status=204)


class Desk:
    """One task's place in the room."""

    def __init__(self, room: Room, task: Task, browser: RawBrowser, key: str) -> None:
        self.task = task
        self.browser = browser
        self._room = room
        self._key = key
        self.is_open = True
        """Until the task is over; what a page sends for ever ends then."""
        for path, file in task.pages.items():
            room.sites.pages[self._place(path)] = self._served(file)

    @property
    def opens(self) -> str | None:
        """The address of the first page, where the task has one."""
        return self.url if "" in self.task.pages else None

    @property
    def looks_first(self) -> bool:
        """Whether the first page is shown as it opens."""
        return self.task.looks_first

    def play(self, hands: Hands) -> None:
        """Do the task."""
        self.task.play(hands, self)

    @property
    def url(self) -> str:
        """The address of the task's first page."""
        return self.at("")

    @property
    def path(self) -> str:
        """The path of the task's first page."""
        return f"/{self._key}/"

    @property
    def told(self) -> list[str]:
        """What the task's pages told the server, in the order in which it came."""
        return self._room.told.get(self._key, [])

    @property
    def requests(self) -> list[Request]:
        """What was asked of the task's pages."""
        start = f"/{self._key}/"
        return [request for request in self._room.sites.requests if request.path.startswith(start)]

    @property
    def folder(self) -> Path:
        """A folder for files that are uploaded or downloaded."""
        return self._room.folder

    def at(self, path: str) -> str:
        """The address of a page of the task, on `localhost`."""
        return self._room.sites.local(f"/{self._key}/{path}")

    def other(self, path: str) -> str:
        """The same page on the other site."""
        return self._room.sites.remote(f"/{self._key}/{path}")

    def file(self, name: str, text: str) -> Path:
        """Write a file to upload, and return its path."""
        path = self._room.folder / name
        path.write_text(text)
        return path

    def known(self) -> str:
        """What the judge is asked, and what the pages told it."""
        return f"{self.task.judge}; the page told {self.told}"

    def close(self) -> None:
        """Take the pages away."""
        self.is_open = False
        for path in self.task.pages:
            self._room.sites.pages.pop(self._place(path), None)

    def is_done(self) -> bool:
        """Whether the task's judge is content, now or soon."""
        return until(self._judge)

    def _place(self, path: str) -> str:
        """The path of a page on its server: below the task's own, unless it begins with a slash."""
        return path if path.startswith("/") else f"/{self._key}/{path}"

    def _judge(self) -> bool:
        judge = self.task.judge
        if isinstance(judge, str):
            return self.browser.is_true(self.at(""), judge)
        return judge(self)

    def _served(self, file: File) -> Page:
        def serve(request: Request) -> str | Response:
            answer = file(request, self) if callable(file) else file
            return self._filled(answer) if isinstance(answer, str) else answer

        return serve

    def _filled(self, html: str) -> str:
        names: Mapping[str, str] = {"own": self.at("").rstrip("/"), "other": self.other("").rstrip("/")}
        head = Template(_HEAD).substitute(title=self.task.name.replace("_", " "), task=self._key)
        return head + Template(html).safe_substitute(names)


def until(holds: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
    """Whether it becomes true within some seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(PAUSE_S)  # most of it is the value of an expression in a page, which no event tells
    return True
