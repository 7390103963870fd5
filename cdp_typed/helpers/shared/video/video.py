"""`Video`: a video of a page, written as its pictures arrive."""

from __future__ import annotations

import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_typed.errors import CDPError
from cdp_typed.protocol.page import ScreencastFrame
from cdp_typed.wire.base64_fields import base64_bytes

from .scenes import Caption, Chapter, Dialog, MarkStyle, Note, PagePicture, PointerPlace, Position, Written
from .video_timeline import BrowserClock, VideoTimeline

if TYPE_CHECKING:
    from .video_writer import VideoWriter

LAG_S = 0.6
"""The video is written this many seconds behind the page, so that it knows where the pointer goes next."""
LAST_S = 5.0
"""Seconds to wait for the first and the last picture: a busy page paints late, and a crashed page never."""
LONGEST_S = 1800.0
MOST_BYTES = 200 * 2**20
MOST_WAITING = 100
"""Pictures of the page that wait to be written; beyond that the newest are left out."""


class VideoLibrariesMissing(CDPError):
    """The libraries that write videos are not installed."""

    def __init__(self) -> None:
        super().__init__("the extra 'video' is not installed (pip install 'cdp-typed[video]')")


class VideoNotWritten(CDPError):
    """A video could not be written; the message has the reason."""


class Video:
    """A video that is being written. All methods can be called from any thread, and none of them waits.

    A thread draws and writes it. `video` of `cdp_typed.helpers` makes one from the pictures of a page.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        fps: int = 25,
        size: tuple[int, int] | None = None,
        color: str = "#e5484d",
        position: Position = "bottom",
        longest_s: float = LONGEST_S,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Begin to write.

        `fps` is the most pictures in a second, from 1 to 60. `size` is the size of the video in pixels, which the page
        is fitted into; without it, the size is that of the first picture, at most 1280 pixels on the longer side.
        `color` is that of marks, `position` that of captions. After `longest_s` seconds or `most_bytes` bytes the video
        ends by itself. Raises `VideoLibrariesMissing`, `ValueError`, and `OSError` for a file that cannot be written.
        """
        Video.check()
        from .video_writer import VideoWriter

        _check(fps, size)
        self.path: Path = Path(path)
        self._writer: VideoWriter = VideoWriter(self.path, fps, size, MarkStyle(color=color, position=position))
        self.path.touch()  # raises
        self.written: Written | None = None
        """Set when the video is complete."""
        self.problem: Exception | None = None
        """The reason why it could not be written."""
        self._clock = BrowserClock()
        self._last_data = ""
        self._fps = fps
        self._longest_s = longest_s
        self._most_bytes = most_bytes
        self._timeline = VideoTimeline(fps)
        self._incoming: list[Note] = []
        self._waiting = 0
        """Notes, at least as many as pictures that nobody has drawn yet."""
        self._dropped = 0
        self._left_out: list[str] = []
        self._end_at: float | None = None
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="cdp-typed video", daemon=True)
        self._thread.start()

    @staticmethod
    def check() -> None:
        """Raise `VideoLibrariesMissing` if the libraries are not installed."""
        if find_spec("av") is None or find_spec("PIL") is None:
            raise VideoLibrariesMissing

    @property
    def is_over(self) -> bool:
        """True when nothing more will be written: the video is complete, or has failed."""
        return not self._thread.is_alive()

    def frame(self, frame: ScreencastFrame) -> None:
        """Show a picture of the page from the time at which the browser painted it. Ignores one that equals the last
        one."""
        if frame.data != self._last_data:
            self._last_data = frame.data
            shown, at = frame.metadata, self._clock.here(frame.metadata.timestamp)
            self.picture(base64_bytes(frame.data), shown.device_width, shown.device_height, at=at)

    def picture(self, jpeg: bytes, width: float, height: float, *, at: float | None = None) -> None:
        """Show a picture of the page, of a window of such a size in CSS pixels, from a time on, in seconds since the
        epoch (None: now)."""
        with self._change:
            if self._waiting >= MOST_WAITING:
                self._dropped += 1
                return
            self._waiting += 1
        self._add(PagePicture(_time(at), jpeg, width, height))

    def pointer(self, x: float, y: float, *, pressed: bool = False, at: float | None = None) -> None:
        """Draw the pointer at a point of the page's window, in CSS pixels, with a ring if it presses there."""
        self._add(PointerPlace(_time(at), x, y, pressed))

    def caption(self, text: str, *, seconds: float = 1.5) -> None:
        """Show a line of text over the page from now on, instead of the one before."""
        self._add(Caption(time.time(), text, seconds))

    def dialog(self, text: str) -> None:
        """Show the text of an open dialog from now on; "" when it has closed."""
        self._add(Dialog(time.time(), text))

    def chapter(self, title: str, text: str = "", *, seconds: float = 2.0) -> None:
        """Show a card with a title, and a smaller text, over the blurred page.

        Its seconds are added to the video, so the video misses nothing of the page.
        """
        self._add(Chapter(time.time(), title, text, seconds))

    def end(self) -> None:
        """Complete the file in the background: `is_over` is True when that is done. A second call does nothing."""
        with self._change:
            if self._end_at is None:
                self._end_at = time.time()
            self._change.notify()

    def result(self) -> Written:
        """Wait until the video is complete after `end`, and return what was written. Raises `VideoNotWritten`."""
        self._thread.join()
        if self.written is None:
            why = self.problem or "the page was never painted"
            raise VideoNotWritten(f"the video could not be written: {why}") from self.problem
        return self.written

    def _add(self, note: Note) -> None:
        with self._change:
            if self._end_at is None:
                self._incoming.append(note)

    # -- on the thread -------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._write():
                with self._change:
                    if self._end_at is None:
                        self._change.wait(1 / self._fps)
            self._complete()
        except Exception as error:  # whoever ends the video raises it
            with self._change:
                self._end_at = self._end_at or time.time()
            self.problem = error

    def _write(self) -> bool:
        """Write the scenes up to now; return whether the video is at its end."""
        with self._change:
            notes, self._incoming = self._incoming, []
            end_at = self._end_at
        for note in notes:
            self._timeline.add(note)
        until = time.time() - LAG_S if end_at is None else end_at
        for shot in self._timeline.advance(until, is_end=end_at is not None):
            self._writer.draw(shot)
        with self._change:
            self._waiting = len(self._incoming) + self._timeline.waiting
        if end_at is None:
            self._check_limits()
        return end_at is not None

    def _check_limits(self) -> None:
        is_long = self._timeline.at >= self._longest_s
        if is_long or self._writer.bytes_so_far >= self._most_bytes:
            limit = f"{self._longest_s:g} seconds" if is_long else f"{self._most_bytes} bytes"
            self._left_out.append(f"the video ended by itself after {limit}")
            self.end()

    def _complete(self) -> None:
        if self._dropped:
            self._left_out.append(f"{self._dropped} pictures of the page came faster than they could be written")
        self.written = self._writer.close(self._timeline.at, self._left_out)


def _time(at: float | None) -> float:
    return time.time() if at is None else at


def _check(fps: int, size: tuple[int, int] | None) -> None:
    """Raise `ValueError` for a value outside its range."""
    if not 1 <= fps <= 60:
        raise ValueError(f"fps must be from 1 to 60, not {fps}")
    if size is not None and not all(16 <= side <= 4096 for side in size):
        raise ValueError(f"each side of a video must be from 16 to 4096 pixels, not {size[0]} x {size[1]}")
