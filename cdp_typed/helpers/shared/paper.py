"""Sizes and margins of paper for `pdf`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from msgspec.structs import replace

from cdp_typed.protocol import page

PaperFormat: TypeAlias = Literal["Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"]
"""A size of paper, in portrait. Ledger is Tabloid in landscape."""

Side: TypeAlias = Literal["top", "right", "bottom", "left"]

_INCH = 25.4
"""Millimetres."""
_UNITS = {"cm": 10 / _INCH, "mm": 1 / _INCH, "in": 1.0, "px": 1 / 96, "pt": 1 / 72}
_LENGTH = re.compile(r"(\d+(?:\.\d+)?|\.\d+) ?(cm|mm|in|px|pt)|0")
_SIZES: dict[PaperFormat, tuple[float, float]] = {
    "Letter": (8.5, 11),
    "Legal": (8.5, 14),
    "Tabloid": (11, 17),
    "Ledger": (17, 11),
    "A0": (841 / _INCH, 1189 / _INCH),  # ISO 216
    "A1": (594 / _INCH, 841 / _INCH),
    "A2": (420 / _INCH, 594 / _INCH),
    "A3": (297 / _INCH, 420 / _INCH),
    "A4": (210 / _INCH, 297 / _INCH),
    "A5": (148 / _INCH, 210 / _INCH),
    "A6": (105 / _INCH, 148 / _INCH),
}


def on_paper(command: page.PrintToPDF, format: PaperFormat) -> page.PrintToPDF:
    """Return the command with the size of this paper. Raises `ValueError` for an unknown name, and for two sizes."""
    if format not in _SIZES:
        raise ValueError(f"format must be one of {', '.join(get_args(PaperFormat))}, not {format!r}")
    if command.paper_width or command.paper_height:
        raise ValueError("the options have a paper size; leave out either that or the format")
    width, height = _SIZES[format]
    return replace(command, paper_width=width, paper_height=height)


def margins(margin: str | Mapping[Side, str] | None) -> dict[str, float]:
    """Return the margins as fields of `page.PrintToPDF`, in inches. Raises `ValueError` for another text or side."""
    if margin is None:
        return {}
    sides = get_args(Side)
    given = margin if isinstance(margin, Mapping) else dict.fromkeys(sides, margin)
    for side in given:
        if side not in sides:
            raise ValueError(f"a margin is for {', '.join(sides)}, not {side!r}")
    return {f"margin_{side}": _inches(length) for side, length in given.items()}


def _inches(length: object) -> float:
    found = _LENGTH.fullmatch(length) if isinstance(length, str) else None
    if found is None:
        raise ValueError(f"a margin is a text such as '1cm', '10mm', '0.5in' or '20px', not {length!r}")
    return float(found[1] or 0) * _UNITS[found[2] or "in"]
