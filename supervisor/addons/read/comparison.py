"""Two captures compared: the lines of texts, the pixels of pictures."""

from __future__ import annotations

import difflib
from io import BytesIO
from typing import TYPE_CHECKING

from msgspec import Struct

from supervisor.tools.framework.tool_errors import InvalidArgument, ToolError

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_CHARACTERS = 20_000
"""Characters of a difference that a result has."""


class NoPillow(ToolError):
    """The library that reads pictures is not installed."""

    def __init__(self) -> None:
        super().__init__("the extra 'reading' is not installed (pip install 'cdp-typed[reading]')")


class PixelChanges(Struct, frozen=True):
    """The pixels that differ between two pictures."""

    part: float
    """Of all pixels, from 0 to 1. A pixel that only one of the pictures has differs."""
    box: tuple[int, int, int, int] | None
    """The left, top, right and bottom edge of the area that has all of them."""
    picture: bytes
    """A PNG of the second picture in grey, with these pixels in red."""


class LineChanges(Struct, frozen=True):
    """The lines that differ between two texts."""

    text: str
    """Like a unified diff: `-` before lines of the first text, `+` before lines of the second one."""
    lines_left: int
    """The lines that are left out at its end."""


def compare_lines(before: str, now: str) -> LineChanges:
    """Compare two texts line by line."""
    found = list(difflib.unified_diff(before.splitlines(), now.splitlines(), n=1, lineterm=""))[2:]
    shown, size = 0, 0
    while shown < len(found) and (size := size + len(found[shown]) + 1) <= MOST_CHARACTERS:
        shown += 1
    return LineChanges("\n".join(found[:shown]), len(found) - shown)


def compare_pictures(before: bytes, now: bytes) -> PixelChanges:
    """Compare two pictures pixel by pixel, from their upper left corners on.

    Raises `NoPillow`, and `InvalidArgument` for an earlier picture that cannot be read.
    """
    try:
        from PIL import Image, ImageChops

        from cdp_typed.helpers.shared.video.drawing import mapped
    except ImportError:
        raise NoPillow from None
    try:
        pictures = [Image.open(BytesIO(data)).convert("RGB") for data in (before, now)]
    except (OSError, Image.DecompressionBombError) as error:
        raise InvalidArgument("since", f"a picture that cannot be compared: {error}") from None
    size = (max(each.width for each in pictures), max(each.height for each in pictures))
    both = tuple(min(sides) for sides in zip(*(each.size for each in pictures), strict=True))
    differing = Image.new("L", size, 0)
    for each in pictures:
        differing.paste(255, (0, 0, *each.size))
    red, green, blue = ImageChops.difference(*(each.crop((0, 0, *both)) for each in pictures)).split()
    strongest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    differing.paste(mapped(strongest, [0, *[255] * 255]), (0, 0))
    part = differing.histogram()[255] / (size[0] * size[1])
    return PixelChanges(part, differing.getbbox(), _marked(pictures[1], differing))


def _marked(picture: Image, differing: Image) -> bytes:
    marked = picture.convert("L").convert("RGB").crop((0, 0, *differing.size))
    marked.paste((255, 0, 0), (0, 0), differing)
    written = BytesIO()
    marked.save(written, "PNG")
    return written.getvalue()
