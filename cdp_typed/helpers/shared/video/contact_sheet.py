"""A contact sheet of a video: one picture with the moments at which the page changed."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageChops, ImageDraw

from .drawing import BACKGROUND, mapped, resized

MOST = 100
"""Moments on a sheet."""
_WIDTH = 320
_COLUMNS = 4
_LINE = 20
_DIFFERENT = 24
"""By how much, of 255, a pixel is lighter or darker when it has changed."""


class ContactSheet:
    """Keeps a small picture of each moment at which at least a part of the page changed, from 0 to 1."""

    def __init__(self, threshold: float) -> None:
        self.left_out: int = 0
        """Moments beyond the limit."""
        self._threshold = threshold
        self._kept: list[tuple[float, Image.Image]] = []
        self._before: Image.Image | None = None

    def see(self, page: Image.Image, at: float) -> None:
        """Look at the page at a time of the video."""
        small = resized(page, (_WIDTH, max(1, round(page.height * _WIDTH / page.width))))
        box: tuple[int, int, int, int] | None = None
        if self._before is not None:
            gray = ImageChops.difference(small, self._before).convert("L")
            changed = mapped(gray, [255 if value > _DIFFERENT else 0 for value in range(256)])
            box = changed.getbbox()
            if box is None or changed.histogram()[255] < self._threshold * small.width * small.height:
                return
        if len(self._kept) >= MOST:
            self.left_out += 1
            return
        self._before = small
        tile = small.copy()
        if box is not None:
            ImageDraw.Draw(tile).rectangle((box[0], box[1], box[2] - 1, box[3] - 1), outline="red", width=2)
        self._kept.append((at, tile))

    def write(self, path: Path) -> None:
        """Write it as PNG: each moment with its time, and a box around what changed. Raises `OSError`."""
        height = max((tile.height for _, tile in self._kept), default=0) + _LINE
        columns = min(_COLUMNS, max(1, len(self._kept)))
        rows = -(-len(self._kept) // columns)
        sheet = Image.new("RGB", (columns * _WIDTH, max(1, rows * height)), BACKGROUND)
        draw = ImageDraw.Draw(sheet)
        for number, (at, tile) in enumerate(self._kept):
            left, top = number % columns * _WIDTH, number // columns * height
            draw.text((left + 4, top + 3), f"{int(at) // 60}:{at % 60:04.1f}", fill="white")
            sheet.paste(tile, (left, top + _LINE))
        sheet.save(path, "PNG")
