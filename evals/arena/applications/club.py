"""Flask-Admin, with the members of a club."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

from evals.arena.applications.application import PROGRAMS, Program

__all__ = ["FlaskAdmin"]


class FlaskAdmin(Program):
    """An admin that a server renders, with editing in place."""

    name: ClassVar[str] = "Flask-Admin"
    ready: ClassVar[str] = "/admin/"

    def command(self, port: int) -> Sequence[str | Path]:
        return ("python", PROGRAMS / "club.py", str(port))

    def member(self, name: str) -> tuple[Any, ...]:
        """A member's day, fee and town as they are in the database; empty if there is none."""
        query = """select joined, fee, town.name from member left join town on town.id = town_id
            where member.name = ?"""
        with closing(sqlite3.connect(f"file:{self.folder}/db.sqlite3?mode=ro", uri=True)) as database:
            return database.execute(query, (name,)).fetchone() or ()
