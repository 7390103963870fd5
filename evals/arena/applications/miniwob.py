"""The pages of MiniWoB++."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from evals.arena.applications.application import Application, NotStarted, environment
from tests.support.servers.sites import Response, Sites

__all__ = ["MiniWoB"]

SEED = "arena-1"
BEGIN = f"""<script>addEventListener('load', () => {{
  core.EPISODE_MAX_TIME = 1e9; Math.seedrandom('{SEED}'); core.startEpisodeReal(); core.hideDisplay();
}})</script>"""
"""An episode begins with its page, with the same numbers every time, and lasts until the task is over."""


def pages_of_the_benchmark() -> Path:
    """The folder of its pages: of the arena, or by themselves. Raises `NotStarted`."""
    for root in (*environment().glob("lib/python*/site-packages"), Path(".venv/miniwob").absolute()):
        if (root / "miniwob").is_dir():
            return root / "miniwob" / "html"
    raise NotStarted("the pages of MiniWoB++ are not there; `make arena` and `make rest` install them")


class MiniWoB(Application):
    """The pages of the benchmark on a local server."""

    name: ClassVar[str] = "MiniWoB++"

    def start(self) -> None:
        root = pages_of_the_benchmark()
        pages = {f"/miniwob/{page.name}": self._served(page) for page in (root / "miniwob").glob("*.html")}
        self._sites = Sites({**pages, "/favicon.ico": Response(status=204)}, folders={"/": root})
        self._sites.__enter__()
        self.url = self._sites.local("")

    def end(self) -> None:
        self._sites.__exit__(None, None, None)

    @staticmethod
    def _served(page: Path) -> str:
        return page.read_text() + BEGIN
