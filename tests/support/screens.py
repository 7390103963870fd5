"""What a Textual application shows, as text."""

from __future__ import annotations

import html
import re
from itertools import groupby
from typing import Any

from textual.app import App

__all__ = ["lines_of"]

_CELL = 12.2
"""The width of a cell in the picture that Textual exports."""


def lines_of(app: App[Any]) -> list[str]:
    """The lines of the screen, from the picture of it that Textual exports: spaces alone are not in it."""
    found = re.findall(r'<text [^>]*\bx="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', app.export_screenshot())
    lines = list[str]()
    for _, parts in groupby(found, key=lambda part: part[1]):
        line = ""
        for x, _, text in parts:
            line = line.ljust(round(float(x) / _CELL)) + html.unescape(text).replace("\xa0", " ")
        lines.append(line)
    return lines
