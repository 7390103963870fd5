"""Pages of component kits, grids and a whiteboard, each built from a program of ours."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import ClassVar

from evals.arena.applications.application import PROGRAMS, Application, environment
from tests.support.servers.sites import Page, Response, Sites

__all__ = ["Excalidraw", "MaterialUI", "ReactAria", "RevoGrid", "Tabulator", "Vaadin"]

_PAGE = """<!doctype html><meta charset=utf-8><title>{}</title><link rel=stylesheet href=/built/page.css>
<div id=root></div><script type=module src=/built/page.js></script>"""


class BuiltPage(Application):
    """A page that esbuild makes of a program and packages of npm."""

    source: ClassVar[str]

    def start(self) -> None:
        modules = environment() / "node_modules"
        command: list[str | Path] = [
            modules / ".bin" / "esbuild", PROGRAMS / "built" / self.source, "--bundle", "--format=esm", "--splitting",
            f"--outdir={self.folder}", "--entry-names=page", "--conditions=production", "--loader:.woff2=dataurl",
            '--define:process.env.NODE_ENV="production"', "--define:import.meta.env={}", "--log-level=error",
        ]  # fmt: skip
        subprocess.run(command, check=True, env={**os.environ, "NODE_PATH": str(modules)})
        (self.folder / "page.css").touch()
        pages: dict[str, Page] = {"/": _PAGE.format(self.name), "/favicon.ico": Response(status=204)}
        self._sites = Sites(pages, folders={"/built/": self.folder})
        self._sites.__enter__()
        self.url = self._sites.local("")

    def end(self) -> None:
        self._sites.__exit__(None, None, None)


class MaterialUI(BuiltPage):
    """A form of MUI."""

    name: ClassVar[str] = "MUI"
    source = "order.jsx"


class ReactAria(BuiltPage):
    """A form and a table of React Aria."""

    name: ClassVar[str] = "React Aria"
    source = "garden.jsx"


class Vaadin(BuiltPage):
    """Fields and a grid of Vaadin."""

    name: ClassVar[str] = "Vaadin"
    source = "staff.js"


class Tabulator(BuiltPage):
    """A table of Tabulator."""

    name: ClassVar[str] = "Tabulator"
    source = "orders.js"


class RevoGrid(BuiltPage):
    """A grid of RevoGrid."""

    name: ClassVar[str] = "RevoGrid"
    source = "stock.js"


class Excalidraw(BuiltPage):
    """A whiteboard."""

    name: ClassVar[str] = "Excalidraw"
    source = "board.jsx"
