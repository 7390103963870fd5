"""Draws a scene of a video with Pillow: the page, the pointer, captions, an open dialog, chapters."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from cdp_typed.printable import visible

from .scenes import Chapter, MarkStyle, PagePicture, Scene

BACKGROUND = (24, 24, 27)
DARK = (24, 24, 27, 225)
_WHITE = (255, 255, 255, 255)
_POINTER = ((0, 0), (0, 17), (4, 13.2), (6.8, 19.6), (9.8, 18.3), (7, 12), (12.2, 12))
_SHARPNESS = 4
_FONTS = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial.ttf", "Helvetica.ttc")
"""The first one that the machine has; Pillow's own has letters of Latin scripts alone."""
_LONGEST = 2_000
"""Characters of a text that are drawn."""

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
Box: TypeAlias = tuple[int, int, int, int]


class Painter:
    """Paints scenes of one size."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size: tuple[int, int] = size
        self._scale = max(size[0] / 1280, 0.5)
        self._page: tuple[PagePicture, Image.Image, Box] | None = None
        self._pointer = _pointer(1.4 * self._scale)

    def page(self, picture: PagePicture | None) -> tuple[Image.Image, Box]:
        """The page alone, and the box in which it is shown."""
        if self._page is not None and self._page[0] is picture:
            return self._page[1], self._page[2]
        whole = Image.new("RGB", self.size, BACKGROUND)
        if picture is None:
            return whole, (0, 0, *self.size)
        with Image.open(BytesIO(picture.jpeg)) as shown:
            width, height = shown.size
            factor = min(self.size[0] / width, self.size[1] / height)
            fitted = max(1, round(width * factor)), max(1, round(height * factor))
            page = shown.convert("RGB")
        page = page if page.size == fitted else resized(page, fitted)
        left, top = (self.size[0] - fitted[0]) // 2, (self.size[1] - fitted[1]) // 2
        whole.paste(page, (left, top))
        self._page = (picture, whole, (left, top, left + fitted[0], top + fitted[1]))
        return whole, self._page[2]

    def paint(self, scene: Scene, look: MarkStyle) -> Image.Image:
        """The whole scene."""
        page, box = self.page(scene.picture)
        image = page.copy()
        if scene.chapter is not None:
            return self._card(image, scene.chapter)
        if scene.dialog:
            self._dialog(image, scene.dialog)
        if scene.picture is not None and scene.pointer is not None:
            across = (box[2] - box[0]) / max(scene.picture.width, 1)
            down = (box[3] - box[1]) / max(scene.picture.height, 1)
            at = round(box[0] + scene.pointer[0] * across), round(box[1] + scene.pointer[1] * down)
            if scene.ring is not None:
                self._ring(image, at, scene.ring, look.color)
            image.paste(self._pointer, at, self._pointer)
        if scene.caption:
            self._caption(image, scene.caption, look)
        return image

    def _ring(self, image: Image.Image, at: tuple[int, int], grown: float, color: str) -> None:
        radius = round((10 + 20 * grown) * self._scale)
        side = 2 * radius + 2
        ring = Image.new("RGBA", (side, side))
        draw = ImageDraw.Draw(ring)
        draw.ellipse((0, 0, side - 1, side - 1), outline=color, width=max(3, round(5 * self._scale)))
        faded = mapped(ring.getchannel("A"), [alpha * (1 - 0.5 * grown) for alpha in range(256)])
        image.paste(ring, (at[0] - radius, at[1] - radius), faded)

    def _caption(self, image: Image.Image, text: str, look: MarkStyle) -> None:
        font, gap = _font(20 * self._scale), round(10 * self._scale)
        width, height = self.size
        (line, *rest) = _lines(text, font, width - 8 * gap)
        line = f"{line}…" if rest else line
        left, top, right, bottom = map(round, font.getbbox(line))
        box_width, box_height = right - left + 3 * gap, round(20 * self._scale) + 2 * gap
        place = look.position
        x = (
            2 * gap
            if "left" in place
            else width - box_width - 2 * gap
            if "right" in place
            else (width - box_width) // 2
        )
        y = 2 * gap if "top" in place else height - box_height - 2 * gap
        label = Image.new("RGBA", (box_width, box_height))
        draw = ImageDraw.Draw(label)
        draw.rounded_rectangle((0, 0, box_width - 1, box_height - 1), radius=gap // 2, fill=DARK)
        draw.rectangle((0, 0, max(2, gap // 2), box_height), fill=look.color)
        draw.text((2 * gap - left, (box_height - (bottom - top)) // 2 - top), line, font=font, fill=_WHITE)
        image.paste(label, (x, y), label)

    def _dialog(self, image: Image.Image, text: str) -> None:
        """A box at the top, where browsers with a window have it."""
        font, gap = _font(18 * self._scale), round(14 * self._scale)
        width = min(round(520 * self._scale), self.size[0] - 2 * gap)
        lines = _lines(text, font, width - 2 * gap)[:12]
        line_height = round(24 * self._scale)
        height = line_height * len(lines) + 2 * gap
        left, top = (self.size[0] - width) // 2, round(24 * self._scale)
        draw = ImageDraw.Draw(image)
        draw.rounded_rectangle((left, top, left + width, top + height), radius=gap // 2, fill="white", outline="black")
        for number, line in enumerate(lines):
            draw.text((left + gap, top + gap + number * line_height), line, font=font, fill="black")

    def _card(self, image: Image.Image, chapter: Chapter) -> Image.Image:
        """A title and its text over the blurred page."""
        blurred = image.filter(ImageFilter.GaussianBlur(12 * self._scale))
        card = Image.blend(blurred, Image.new("RGB", self.size, BACKGROUND), 0.72)
        draw = ImageDraw.Draw(card)
        width, large, small = round(self.size[0] * 0.8), _font(48 * self._scale), _font(26 * self._scale)
        lines = [(line, large, 62) for line in _lines(chapter.title, large, width)[:4]]
        lines += [(line, small, 38) for line in _lines(chapter.text, small, width)[:8] if chapter.text]
        y = (self.size[1] - sum(round(height * self._scale) for _, _, height in lines)) // 2
        for line, font, height in lines:
            draw.text((self.size[0] // 2, y), line, font=font, fill="white", anchor="ma")
            y += round(height * self._scale)
        return card


def resized(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """A picture in another size."""
    return image.resize(size, Image.Resampling.BILINEAR)  # pyright: ignore[reportUnknownMemberType]  # it names numpy


def mapped(image: Image.Image, values: Sequence[float]) -> Image.Image:
    """A picture of one channel, with another value for each of the 256."""
    return image.point([round(value) for value in values])  # pyright: ignore[reportUnknownMemberType]  # it names numpy


def _pointer(scale: float) -> Image.Image:
    """An arrow, drawn large and made small, so that its edges are smooth."""
    factor = scale * _SHARPNESS
    large = Image.new("RGBA", (round(14 * factor), round(21 * factor)))
    outline = [((x + 0.7) * factor, (y + 0.7) * factor) for x, y in _POINTER]
    draw = ImageDraw.Draw(large)
    draw.polygon(outline, fill="black")
    draw.line([*outline, outline[0]], fill="white", width=round(1.3 * factor), joint="curve")
    return resized(large, (large.width // _SHARPNESS, large.height // _SHARPNESS))


def _font(size: float) -> Font:
    for name in _FONTS:
        try:
            return ImageFont.truetype(name, max(8, round(size)))
        except OSError:
            continue
    return ImageFont.load_default(max(8, round(size)))


def _lines(text: str, font: Font, width: int) -> list[str]:
    """A text in lines that fit, at least one; what cannot be seen is shown as escapes."""
    lines: list[str] = []
    for paragraph in text[:_LONGEST].splitlines() or [""]:
        line = ""
        for word in visible(paragraph, _LONGEST).split(" "):
            longer = f"{line} {word}" if line else word
            if font.getlength(longer) <= width or not line:
                line = longer
            else:
                lines.append(line)
                line = word
            while font.getlength(line) > width and len(line) > 1:
                end = next(
                    end for end in range(len(line) - 1, 0, -1) if end == 1 or font.getlength(line[:end]) <= width
                )
                lines.append(line[:end])
                line = line[end:]
        lines.append(line)
    return lines
