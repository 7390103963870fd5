"""Values of a video: notes about the page, and the scenes that they give."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

Position: TypeAlias = Literal["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"]


class MarkStyle(Struct, frozen=True, kw_only=True):
    """How a video shows what was done."""

    color: str = "#e5484d"
    """Of the ring around a press, and of the bar at a caption: a colour of CSS, by name or as `#rrggbb`."""
    position: Position = "bottom"
    """Of captions."""


class PagePicture(Struct, frozen=True, eq=False):
    """The page as it was painted at a time (seconds since the epoch)."""

    at: float
    jpeg: bytes
    width: float
    """Of what it shows, in CSS pixels."""
    height: float


class PointerPlace(Struct, frozen=True):
    """The place of the pointer in CSS pixels of the page's window from a time on."""

    at: float
    x: float
    y: float
    is_pressed: bool = False


class Caption(Struct, frozen=True):
    """A line of text over the page for some seconds."""

    at: float
    text: str
    seconds: float


class Dialog(Struct, frozen=True):
    """The text of the open dialog, which no picture of a page shows; "" from when it is closed."""

    at: float
    text: str


class Chapter(Struct, frozen=True):
    """A card with a title. The page waits meanwhile: its time is added to the video."""

    at: float
    title: str
    text: str
    seconds: float


Note: TypeAlias = PagePicture | PointerPlace | Caption | Dialog | Chapter


class Scene(Struct, frozen=True):
    """The contents of one picture of the video."""

    picture: PagePicture | None = None
    pointer: tuple[float, float] | None = None
    """In CSS pixels of the page's window."""
    ring: float | None = None
    """How far the ring around a press has grown, from 0 to 1."""
    caption: str = ""
    dialog: str = ""
    chapter: Chapter | None = None


class Shot(Struct, frozen=True):
    """A scene that begins at a time of the video, in seconds."""

    at: float
    scene: Scene


class Written(Struct, frozen=True, kw_only=True):
    """A video that is complete."""

    path: Path
    size: int
    """Of the file, in bytes."""
    width: int
    height: int
    seconds: float
    pictures: int
    """The different pictures of the page in it."""
    left_out: tuple[str, ...] = ()
    """One sentence for each thing that is missing, for example the time after the longest duration."""
