"""Draws the scenes of a video into its file."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageColor

from .drawing import Painter
from .scenes import MarkStyle, PagePicture, Shot, Written

_AV: Any = import_module("av")  # its types are incomplete

_MS = Fraction(1, 1000)
_FAST = {"deadline": "realtime", "cpu-used": "8", "crf": "30", "b": "0", "tune-content": "screen", "lag-in-frames": "0"}
"""13 ms for a picture of 1280 x 800 on one core, and 5 KB of a page that scrolls (PyAV 18.1, libvpx, 2026)."""


class WebmFile:
    """A video that is being written. Each picture lasts until the next one."""

    def __init__(self, path: Path, size: tuple[int, int], fps: int) -> None:
        """Raises `OSError`."""
        self._container = _AV.open(str(path), "w", format="webm")
        self._stream = self._container.add_stream("libvpx-vp9", rate=fps, options=_FAST)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = _MS
        self._stream.codec_context.thread_count = 1
        self._last_ms = -1
        self.size: int = 0
        """The bytes of all pictures so far."""

    def write(self, image: Image.Image, at: float) -> None:
        """Show a picture from a time of the video on, in seconds. Raises `OSError`."""
        frame = _AV.VideoFrame.from_image(image)
        self._last_ms = frame.pts = max(round(at * 1000), self._last_ms + 1)
        frame.time_base = _MS
        for packet in self._stream.encode(frame):
            self.size += packet.size
            self._container.mux(packet)

    def close(self) -> None:
        """Complete the file. Raises `OSError`."""
        try:
            for packet in self._stream.encode():
                self._container.mux(packet)
        finally:
            self._container.close()


_LARGEST = 1280
"""Pixels of the longer side, where the caller chooses no size."""
_EMPTY = (1280, 720)
"""The size of a video that begins with a chapter before the page has a picture."""


class VideoWriter:
    """Begins the file with the first scene. Later pages are fitted into its size."""

    def __init__(self, path: Path, fps: int, size: tuple[int, int] | None, look: MarkStyle) -> None:
        """Raises `ValueError` for an unknown colour."""
        ImageColor.getrgb(look.color)
        self._path = path
        self._fps = fps
        self._size = size
        self._look = look
        self._file: WebmFile | None = None
        self._painter: Painter | None = None
        self._shown: PagePicture | None = None
        self._pictures = 0

    @property
    def bytes_so_far(self) -> int:
        """The size of the file, about."""
        return 0 if self._file is None else self._file.size

    def draw(self, shot: Shot) -> None:
        """Write a scene. Raises `OSError`."""
        picture = shot.scene.picture
        if self._file is None or self._painter is None:
            size = self._size or (_EMPTY if picture is None else _fitted(picture))
            size = (size[0] // 2 * 2, size[1] // 2 * 2)  # two by two pixels share a colour
            self._file, self._painter = WebmFile(self._path, size, self._fps), Painter(size)
        if picture is not None and picture is not self._shown:
            self._shown = picture
            self._pictures += 1
        self._file.write(self._painter.paint(shot.scene, self._look), shot.at)

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
