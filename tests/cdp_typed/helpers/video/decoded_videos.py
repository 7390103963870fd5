"""A video file, as FFmpeg decodes it (PyAV)."""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL import Image


class Frame(NamedTuple):
    at: float
    """Seconds from the beginning."""
    image: Image.Image


def decoded(path: Path | str) -> list[Frame]:
    av: Any = import_module("av")  # `make test` collects these tests without it
    with av.open(str(path)) as container:
        assert container.streams.video[0].codec_context.name == "vp9"
        assert container.format.name == "matroska,webm"
        return [Frame(float(frame.time or 0), frame.to_image()) for frame in container.decode(video=0)]


def film(seconds: float) -> None:
    """Let a video go on for a while: what it shows has the time of the clock."""
    time.sleep(seconds)


def at(frames: list[Frame], seconds: float) -> Image.Image:
    """Return what a player shows at a time."""
    return max((frame for frame in frames if frame.at <= seconds), key=lambda frame: frame.at).image


def pixels(image: Image.Image) -> list[tuple[int, int, int]]:
    data = image.convert("RGB").tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))


def is_like(colour: float | tuple[int, ...] | None, other: tuple[int, ...]) -> bool:
    """Return whether two colours, as `getpixel` returns them, are the same to the eye: a video is lossy."""
    assert isinstance(colour, tuple)
    return all(abs(one - two) < 40 for one, two in zip(colour, other, strict=True))
