"""Sizes of paper for `pdf`."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec.structs import replace

from cdp_typed.protocol import page

PaperFormat: TypeAlias = Literal["Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"]
"""A size of paper, in portrait. Ledger is Tabloid in landscape."""

_INCH = 25.4
"""Millimetres."""
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
