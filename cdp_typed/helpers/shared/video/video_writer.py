"""Draws the scenes of a video into its file."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageColor

from .drawing import Painter
from .scenes import MarkStyle, PagePicture, Shot, Written
from .webm_file import WebmFile

_LARGEST = 1280
"""Pixels of the longer side, where the caller chooses no size."""
_EMPTY = (1280, 720)
"""The size of a video that begins with a chapter before the page has a picture."""


class VideoWriter:
    """Begins the file with the first scene. Later pages are fitted into its size."""

    def __init__(self, path: Path, fps: int, size: tuple[int, int] | None, look: MarkStyle) -> None:
        """Raises `ValueError` for an unknown colour."""
        self.check(look)
        self._path = path
        self._fps = fps
        self._size = size
        self._file: WebmFile | None = None
        self._painter: Painter | None = None
        self._shown: PagePicture | None = None
        self._pictures = 0

    @property
    def bytes_so_far(self) -> int:
        """The size of the file, about."""
        return 0 if self._file is None else self._file.size

    def check(self, look: MarkStyle) -> None:
        """Raise `ValueError` for an unknown colour."""
        ImageColor.getrgb(look.color)

    def draw(self, shot: Shot, look: MarkStyle) -> None:
        """Write a scene. Raises `OSError`."""
        picture = shot.scene.picture
        if self._file is None or self._painter is None:
            size = self._size or (_EMPTY if picture is None else _fitted(picture))
            size = (size[0] // 2 * 2, size[1] // 2 * 2)  # two by two pixels share a colour
            self._file, self._painter = WebmFile(self._path, size, self._fps), Painter(size)
        if picture is not None and picture is not self._shown:
            self._shown = picture
            self._pictures += 1
        self._file.write(self._painter.paint(shot.scene, look), shot.at)

    def close(self, seconds: float, left_out: Iterable[str]) -> Written | None:
        """Complete the file; None when there was no scene. Raises `OSError`."""
        if self._file is None or self._painter is None:
            return None
        self._file.close()
        width, height = self._painter.size
        return Written(
            path=self._path,
            size=self._path.stat().st_size,
            width=width,
            height=height,
            seconds=round(seconds, 3),
            pictures=self._pictures,
            left_out=tuple(left_out),
        )


def _fitted(picture: PagePicture) -> tuple[int, int]:
    with Image.open(BytesIO(picture.jpeg)) as image:
        factor = min(1.0, _LARGEST / max(image.size))
        return round(image.width * factor), round(image.height * factor)
