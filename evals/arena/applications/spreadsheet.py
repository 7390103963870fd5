"""Jspreadsheet, on a page of its own."""

from __future__ import annotations

from typing import ClassVar

from evals.arena.applications.application import PROGRAMS, Application, environment
from tests.support.servers.sites import Page, Response, Sites

__all__ = ["Spreadsheet"]


class Spreadsheet(Application):
    """A page with a sheet of Jspreadsheet, which a script of the judge asks."""

    name: ClassVar[str] = "Jspreadsheet"

    def start(self) -> None:
        pages: dict[str, Page] = {
            "/": (PROGRAMS / "spreadsheet.html").read_text(),
            "/favicon.ico": Response(status=204),
        }
        self._sites = Sites(pages, folders={"/node_modules/": environment() / "node_modules"})
        self._sites.__enter__()
        self.url = self._sites.local("")

    def end(self) -> None:
        self._sites.__exit__(None, None, None)
