"""Decides what a video shows at each moment, from notes that come in about their order."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Callable, Iterator

from .scenes import Caption, Chapter, Dialog, Note, PagePicture, PointerPlace, Scene, Shot


class BrowserClock:
    """Learns by how much the browser's clock differs, from the event that took the shortest time to come."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._behind_s: float | None = None

    def here(self, timestamp: float | None) -> float:
        """The time of an event that has just come; without a timestamp, now."""
        now = self._clock()
        if timestamp is None:
            return now
        behind_s = now - timestamp
        self._behind_s = behind_s if self._behind_s is None else min(self._behind_s, behind_s)
        return min(now, timestamp + self._behind_s)


GLIDE_S = 0.4
"""Seconds in which the pointer comes to its next place, where it has them."""
RING_S = 0.5
"""Seconds for which a ring shows a press."""
REORDERED_S = 1.0
"""Seconds by which a picture may be older than one that came before it: the browser encodes them at the same time. An
even older one is shown, because the browser's clock was put back."""
STILL_S = 1.0
"""After so many seconds the same picture is written again, so that players can seek."""


class VideoTimeline:
    """Makes scenes of notes, at most `fps` in a second, each of them once until it changes."""

    def __init__(self, fps: int) -> None:
        self.at: float = 0.0
        """The time of the video that the scenes so far have reached, in seconds."""
        self._fps = fps
        self._notes: list[Note] = []
        self._began_at: float | None = None
        self._tick = 0
        self._added_s = 0.0
        self._picture: PagePicture | None = None
        self._point: PointerPlace | None = None
        self._press: PointerPlace | None = None
        self._caption: Caption | None = None
        self._dialog = ""
        self._last: Shot | None = None

    @property
    def waiting(self) -> int:
        """The number of notes that no scene shows yet."""
        return len(self._notes)

    def add(self, note: Note) -> None:
        """Take in a note. One about a time that is over counts from now on."""
        insort(self._notes, note, key=lambda each: each.at)

    def advance(self, until: float, *, is_end: bool = False) -> Iterator[Shot]:
        """Yield the scenes up to a time of the clock; with `is_end` one more, at the end.

        A video begins with the first picture of the page or the first chapter. Where it is far behind the time it
        leaves scenes out.
        """
        if self._began_at is None:
            first = next((note for note in self._notes if isinstance(note, PagePicture | Chapter)), None)
            if first is None or first.at > until:
                return
            self._began_at = first.at
        while (now := self._began_at + self._tick / self._fps) <= until:
            yield from self._until(now)
            shot = Shot(self._tick / self._fps + self._added_s, self._scene(now))
            self.at = shot.at
            if self._last is None or shot.scene != self._last.scene or shot.at - self._last.at >= STILL_S:
                self._last = shot
                yield shot
            self._tick += 1 + int(until - now)
        if is_end:
            yield from self._until(until)
            self.at = until - self._began_at + self._added_s
            yield Shot(self.at, self._scene(until))

    def _until(self, now: float) -> Iterator[Shot]:
        """Take the notes up to a time, and yield the chapters among them."""
        while self._notes and self._notes[0].at <= now:
            note = self._notes.pop(0)
            match note:
                case PagePicture():
                    if self._picture is None or not self._picture.at - REORDERED_S < note.at < self._picture.at:
                        self._picture = note
                case PointerPlace():
                    self._point = note
                    self._press = note if note.is_pressed else self._press
                case Caption():
                    self._caption = note
                case Dialog():
                    self._dialog = note.text
                case Chapter():
                    at = self._tick / self._fps + self._added_s
                    self._added_s += note.seconds
                    yield Shot(at, Scene(picture=self._picture, chapter=note))

    def _scene(self, now: float) -> Scene:
        pressed_s = RING_S if self._press is None else now - self._press.at
        caption = self._caption
        is_shown = caption is not None and now < caption.at + caption.seconds
        return Scene(
            picture=self._picture,
            pointer=self._pointer(now),
            ring=pressed_s / RING_S if pressed_s < RING_S else None,
            caption=caption.text if caption is not None and is_shown else "",
            dialog=self._dialog,
        )

    def _pointer(self, now: float) -> tuple[float, float] | None:
        """Where the pointer is: it is on its way if the next place is known already."""
        here = self._point
        if here is None:
            return None
        then = next((note for note in self._notes if isinstance(note, PointerPlace)), None)
        if then is None or then.at - now >= GLIDE_S:
            return here.x, here.y
        lasts_s = min(GLIDE_S, then.at - here.at)
        part = 1.0 if lasts_s <= 0 else max(0.0, 1 - (then.at - now) / lasts_s)
        part = part * part * (3 - 2 * part)
        return here.x + (then.x - here.x) * part, here.y + (then.y - here.y) * part
