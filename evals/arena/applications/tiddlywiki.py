"""TiddlyWiki, with a few pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from evals.arena.applications.application import Program, environment, get

__all__ = ["TiddlyWiki"]


class TiddlyWiki(Program):
    """TiddlyWiki on a server that saves every page as a file."""

    name: ClassVar[str] = "TiddlyWiki"
    patience_s: ClassVar[float] = 6.0
    ready: ClassVar[str] = "/status"

    def prepare(self) -> None:
        self.run(*self._program, "wiki", "--init", "server")
        pages = self.folder / "wiki" / "tiddlers"
        pages.mkdir(exist_ok=True)
        for title, text in (("Bread", "Flour and water."), ("Old news", "Nothing."), ("Soup", "Onions.")):
            (pages / f"{title}.tid").write_text(f"title: {title}\ntype: text/vnd.tiddlywiki\n\n{text}\n")
        (pages / "start.tid").write_text("title: $:/DefaultTiddlers\n\n[[Bread]] [[Old news]] [[Soup]]\n")

    def command(self, port: int) -> Sequence[str | Path]:
        return (*self._program, "wiki", "--listen", "host=127.0.0.1", f"port={port}")

    def page(self, title: str) -> dict[str, Any]:
        """A page as the server has it; empty if there is none."""
        found: list[dict[str, Any]] = json.loads(get(f"{self.url}/recipes/default/tiddlers.json"))
        nothing: dict[str, Any] = {}
        return next((page for page in found if page["title"] == title), nothing)

    def text(self, title: str) -> str:
        """The text of the page's file; empty if there is none."""
        path = self.folder / "wiki" / "tiddlers" / f"{title}.tid"
        return path.read_text().partition("\n\n")[2].strip() if path.exists() else ""

    @property
    def _program(self) -> Sequence[str | Path]:
        return ("node", environment() / "node_modules/tiddlywiki/tiddlywiki.js")
