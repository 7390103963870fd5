"""A WebM file (VP9), written by PyAV picture by picture."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from PIL import Image

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
