"""Points and boxes of a page, in CSS pixels. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot

from msgspec import Struct

from cdp_typed.protocol.dom import BoxModel


class Point(Struct, frozen=True):
    """A place in a viewport."""

    x: float
    y: float


class Position(Struct, frozen=True):
    """A place in a box: a share of its width and height, and pixels from there."""

    share_x: float = 0.0
    share_y: float = 0.0
    x: float = 0.0
    y: float = 0.0


class Box(Struct, frozen=True):
    """An upright rectangle in a viewport."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def corners(self) -> tuple[Point, ...]:
        """All four."""
        across, down = (self.left, self.right), (self.top, self.bottom)
        return tuple(Point(x, y) for x in across for y in down)

    @property
    def middle(self) -> Point:
        """Its middle, on a whole pixel where one is inside: Chromium is asked what lies at whole pixels only."""
        x, y = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        return Point(float(int(x)) if int(x) >= self.left else x, float(int(y)) if int(y) >= self.top else y)

    def point_at(self, place: Position) -> Point:
        """The point at a place of it."""
        across, down = self.right - self.left, self.bottom - self.top
        return Point(self.left + across * place.share_x + place.x, self.top + down * place.share_y + place.y)

    def contains(self, point: Point) -> bool:
        """Return True when the point is inside."""
        return self.left <= point.x < self.right and self.top <= point.y < self.bottom

    def moved(self, x: float, y: float) -> Box:
        """The same, so much further right and down."""
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def within(self, other: Box) -> Box | None:
        """The part of it that is in the other one, if that has a size."""
        both = Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )
        return both if both.right - both.left > 0 and both.bottom - both.top > 0 else None


class View(Struct, frozen=True):
    """A viewport, and how far its document is scrolled in it."""

    box: Box
    x: int
    y: int


def around(points: Iterable[Point]) -> Box:
    """The smallest box around them."""
    corners = list(points)
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def corners(quad: Sequence[float]) -> tuple[Point, Point, Point, Point]:
    """The four corners of a `DOM.Quad`: clockwise from what is the upper left one before any transform."""
    (a, b, c, d) = (Point(quad[i], quad[i + 1]) for i in (0, 2, 4, 6))
    return a, b, c, d


def through(iframe: BoxModel, point: Point) -> Point:
    """Map a point of a frame's viewport to the viewport in which its iframe element was measured.

    The element may be moved, scaled, turned or skewed: the frame's own pixels are as long as the border box' edges say.
    """
    border, content = corners(iframe.border), corners(iframe.content)
    across = _unit(border[0], border[1], iframe.width)
    down = _unit(border[0], border[3], iframe.height)
    return Point(
        content[0].x + point.x * across.x + point.y * down.x,
        content[0].y + point.x * across.y + point.y * down.y,
    )


def _unit(start: Point, end: Point, length: int) -> Point:
    """One pixel of the frame along an edge of `length` pixels, which is a rounded number."""
    along = Point(end.x - start.x, end.y - start.y)
    seen = hypot(along.x, along.y)
    if not seen:
        return Point(0, 0)
    scale = 1.0 if abs(seen - length) < 1 else seen / length
    return Point(along.x / seen * scale, along.y / seen * scale)


def is_near(a: Point, b: Point) -> bool:
    """Within a tenth of a pixel: what comes to rest slowly still moves by more than that from one frame to the next."""
    return abs(a.x - b.x) <= 0.1 and abs(a.y - b.y) <= 0.1
