"""Wagtail and Django's admin, in one project."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

from evals.arena.applications.application import PROGRAMS, Program

__all__ = ["DjangoAdmin", "Wagtail"]


class DjangoProject(Program):
    """A project with a database in the folder."""

    project: ClassVar[str]
    patience_s: ClassVar[float] = 5.0

    @property
    def variables(self) -> Mapping[str, str]:
        return {"DJANGO_SETTINGS_MODULE": f"{self.project}.settings", "PYTHONPATH": str(PROGRAMS)}

    def prepare(self) -> None:
        self.run("python", "-m", f"{self.project}.fill")

    def command(self, port: int) -> Sequence[str | Path]:
        return ("python", "-m", "django", "runserver", "--noreload", "--insecure", f"127.0.0.1:{port}")

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the database."""
        with closing(sqlite3.connect(f"file:{self.folder}/db.sqlite3?mode=ro", uri=True)) as database:
            return list(database.execute(query, values))


class Newsroom(DjangoProject):
    """A project with Wagtail and Django's admin."""

    project = "newsroom"


class Wagtail(Newsroom):
    """Wagtail's editor, with some pages."""

    name: ClassVar[str] = "Wagtail"
    ready: ClassVar[str] = "/admin/"

    def page(self, title: str) -> dict[str, Any]:
        """A page as it is in the database; empty if there is none."""
        names = ("title", "live", "intro", "body", "slug", "has_unpublished_changes")
        found = self.rows(
            "select title, live, intro, body, slug, has_unpublished_changes from wagtailcore_page "
            "join newsroom_articlepage on page_ptr_id = wagtailcore_page.id where title = ?",
            title,
        )
        return dict(zip(names, found[0], strict=True)) if found else {}


class DjangoAdmin(Newsroom):
    """Django's admin, with a table of members."""

    name: ClassVar[str] = "Django admin"
    ready: ClassVar[str] = "/django/"

    def member(self, name: str) -> dict[str, Any]:
        """A member as it is in the database; empty if there is none."""
        names = ("city", "level", "is_active", "joined")
        found = self.rows("select city, level, is_active, joined from newsroom_member where name = ?", name)
        return dict(zip(names, found[0], strict=True)) if found else {}
