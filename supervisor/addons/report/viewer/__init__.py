"""The page of a report: a template, its style, and its script, as text; `supervisor.addons.report` puts the data in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

SCRIPTS = (
    "text.js",
    "elements.js",
    "data.js",
    "events.js",
    "virtual_list.js",
    "filters.js",
    "lanes.js",
    "timeline_drawing.js",
    "timeline.js",
    "film_strip.js",
    "differences.js",
    "tree.js",
    "snapshot_tree.js",
    "lists.js",
    "details.js",
    "actions.js",
    "copies.js",
    "requests.js",
    "summary.js",
    "keyboard.js",
    "viewer.js",
)
"""The files of the script, in the order in which they are joined: a file uses those before it."""

_FOLDER = Path(__file__).parent


@cache
def template() -> str:
    """The page, with the markers `{{csp}}`, `{{title}}`, `{{style}}`, `{{data}}` and `{{script}}`."""
    return (_FOLDER / "viewer.html").read_text("utf-8")


@cache
def style() -> str:
    """The text of the `style` element."""
    return (_FOLDER / "viewer.css").read_text("utf-8")


@cache
def script() -> str:
    """The text of the `script` element: the files joined, inside one function."""
    files = "\n".join((_FOLDER / name).read_text("utf-8") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{files}}})();\n'
