"""Pictures of tabs (`Page.startScreencast`), over a connection that is there only while somebody looks.

Measured on Chromium 156: a screencast needs no `Page.enable`, which would interfere with the supervisor's work.
A tab that stays hidden behind others sends pictures only after `Page.captureScreenshot`. The browser sends up to
three pictures without an acknowledgment. Then it waits for one, and drops what it draws meanwhile: after the last
picture the screencast is begun again, which sends the page's present picture.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from cdp_typed import CDPError, Connection, Session, base64_bytes
from cdp_typed._base import Command
from cdp_typed.protocol import page, target
from supervisor.config import Config
from supervisor.driver.connecting import opening_of

from .window import FittedWindow

INPUT_TIMEOUT_S = 10.0
OPEN_TIMEOUT_S = 5.0
TABS_S = 2.0
RETRY_S = 1.0
"""Seconds until a picture that ended is asked for again, while it is looked at."""
QUIET_S = 0.4
"""Seconds without a new picture after which the screencast starts again, to get the final state of the page."""
STILL_PERIODS = 10
"""Periods of a page that does not change, after which its picture is asked for again: the browser may have forgotten a
screencast, for example at a navigation into another process."""
LEAST_STILL_S = 2.0
REORDERED_S = 1.0
"""Seconds by which a picture may be older than one that came before it: the browser encodes them at the same time. An
even older one is shown, because the browser's clock was put back."""
MAX_WAITING = 6
"""Pictures that may wait to be taken: those of a screencast, and of the one that was begun in its place."""

_DRAW = page.CaptureScreenshot(format="jpeg", quality=1, optimize_for_speed=True)


class Size(Struct, frozen=True):
    """How large and how often pictures of a tab come."""

    width: int
    height: int
    quality: int
    """Of JPEG, in percent."""
    period_s: float
    """The seconds from one picture to the next, on average, of a page that moves."""


LARGE = Size(1280, 960, 70, 0.2)
CONTROLLED = Size(1280, 960, 70, 0.05)
"""Of the tab in which a person works."""
MEDIUM = Size(640, 480, 60, 1.0)
"""In a grid of views."""
SMALL = Size(240, 180, 50, 2.0)


class TabPicture(Struct, frozen=True, kw_only=True):
    """One picture of a tab."""

    target_id: str
    is_large: bool
    jpeg: bytes
    """Empty when the page still looks as in the picture before."""
    width: float
    """The width of what is shown, in CSS pixels of the page: that of its window."""
    height: float


class Screencasts:
    """The screencasts of those tabs that somebody looks at; on one event loop."""

    def __init__(self, show: Callable[[TabPicture], None]) -> None:
        self.frames: int = 0
        """Pictures that came, of all tabs."""
        self._show = show
        self._connection: Connection | None = None
        self._config: Config | None = None
        self._casts: dict[str, _Cast] = {}
        self._change = asyncio.Lock()
        self._window: FittedWindow | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a connection, because somebody looks."""
        return self._connection is not None

    async def want(self, config: Config | None, wanted: Mapping[str, Size]) -> None:
        """Have pictures of these tabs from now on, of that browser. Without any, the connection is closed.

        Raises `EndpointError` when the browser cannot be reached.
        """
        async with self._change:
            if config is not self._config or not wanted:
                await self._close()
            if config is None or not wanted:
                return
            connection = await self._connected(config)
            for target_id, cast in list(self._casts.items()):
                if target_id not in wanted or cast.has_ended:
                    await self._casts.pop(target_id).stop()
            for target_id, size in wanted.items():
                if target_id not in self._casts:
                    self._casts[target_id] = _Cast(connection, target_id, size, self._take)
                else:
                    self._casts[target_id].resize(size)

    async def close(self) -> None:
        """End all of them."""
        await self.want(None, {})

    def send(self, target_id: str, command: Command[Any], *, is_urgent: bool = False) -> asyncio.Future[Any] | None:
        """Send input to a tab that has a picture; return the future of its reply, which may be ignored. The picture
        shows the effect: with `is_urgent` as soon as the browser draws it, else at the pace of its size."""
        cast = self._casts.get(target_id)
        if cast is None or cast.session is None:
            return None
        cast.refresh()
        if is_urgent:
            cast.hurry()
        try:
            sent = cast.session.send_nowait(command, timeout=INPUT_TIMEOUT_S)
        except CDPError:
            return None
        _forget(sent)
        return sent

    async def fit(self, target_id: str | None, size: tuple[int, int] | None) -> None:
        """Give the window of a tab such a size inside, in CSS pixels; None: put the size of before back."""
        async with self._change:
            if self._window is not None and (size is None or self._window.target_id != target_id):
                window, self._window = self._window, None
                await window.put_back()
            cast = self._casts.get(target_id or "")
            if size is None or self._connection is None or cast is None or cast.shown is None:
                return
            if self._window is None:
                self._window = FittedWindow(self._connection, cast.target_id, cast.shown)
            await self._window.fit(size)

    def refresh(self, target_id: str) -> None:
        """Ask for a new picture of a tab soon, because it may look different now."""
        cast = self._casts.get(target_id)
        if cast is not None:
            cast.refresh()

    async def tabs(self) -> tuple[target.TargetInfo, ...]:
        """Return all tabs of the browser (`Target.getTargets`); none without a connection."""
        if self._connection is None:
            return ()
        try:
            reported = await self._connection.send(target.GetTargets(), timeout=TABS_S)
        except (CDPError, TimeoutError):
            return ()
        return tuple(info for info in reported.target_infos if info.type == "page")

    def _take(self, picture: TabPicture) -> None:
        self.frames += bool(picture.jpeg)
        self._show(picture)

    async def _connected(self, config: Config) -> Connection:
        if self._connection is None or self._connection.lost.done():
            await self._close()
            self._connection = await opening_of(config, open_timeout_s=OPEN_TIMEOUT_S)
            self._config = config
        return self._connection

    async def _close(self) -> None:
        window, self._window = self._window, None
        if window is not None:
            await window.put_back()
        casts, self._casts = self._casts, {}
        for cast in casts.values():
            await cast.stop()
        connection, self._connection = self._connection, None
        self._config = None
        if connection is not None:
            await connection.close()


class _Cast:
    """The screencast of one tab."""

    def __init__(self, connection: Connection, target_id: str, size: Size, show: Callable[[TabPicture], None]) -> None:
        self.size = size
        self.session: Session | None = None
        self.shown: tuple[float, float] | None = None
        """The size of the page in the last picture, in CSS pixels."""
        self.target_id: str = target_id
        self._show = show
        self._is_asked = False
        self._limit: asyncio.Timeout | None = None
        """For the next picture, while one is awaited."""
        self._pace: _Pace | None = None
        self._task = asyncio.create_task(self._run(connection))

    @property
    def has_ended(self) -> bool:
        """The tab is gone, or the connection."""
        return self._task.done()

    def resize(self, size: Size) -> None:
        """Have pictures of another size from now on. It keeps its session: a person's input needs that meanwhile."""
        if size != self.size:
            self.size = size
            if self._pace is not None:
                self._pace.set_period(size.period_s)
            self.refresh(within_s=0)

    def refresh(self, within_s: float = QUIET_S) -> None:
        """Ask for a picture soon, if none comes before."""
        self._is_asked = True
        if self._limit is not None and not self._limit.expired():
            soon, when = asyncio.get_running_loop().time() + within_s, self._limit.when()
            self._limit.reschedule(soon if when is None else min(soon, when))

    def hurry(self) -> None:
        """Have the next pictures at once."""
        if self._pace is not None:
            self._pace.hurry()

    async def stop(self) -> None:
        """End it; the browser forgets the session."""
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self, connection: Connection) -> None:
        try:
            self.session = await connection.attach(target.TargetID(self.target_id))
            await self._follow(self.session)
        except CDPError:
            await asyncio.sleep(RETRY_S)
        finally:
            session, self.session = self.session, None
            if self._pace is not None:
                self._pace.stop()
            if session is not None:
                with suppress(CDPError):
                    await session.detach()

    async def _follow(self, session: Session) -> None:
        async with session.events(page.ScreencastFrame, maxsize=MAX_WAITING, overflow="drop_oldest") as frames:
            _forget(session.send_nowait(self._start(), timeout=None))  # a page with a dialog answers after it
            self._pace = pace = _Pace(session, self.size.period_s)
            is_quiet, is_repeated, last, newest_s = False, False, "", 0.0
            while True:
                still_s = max(self.size.period_s * STILL_PERIODS, LEAST_STILL_S)
                is_still, self._is_asked = is_quiet and not self._is_asked, False
                try:
                    async with asyncio.timeout(still_s if is_still else QUIET_S + self.size.period_s) as limit:
                        self._limit = limit
                        try:
                            frame = await anext(frames)
                        finally:
                            self._limit = None
                except TimeoutError:
                    is_quiet = is_repeated = True
                    _forget(session.send_nowait(page.StopScreencast(), timeout=None))
                    _forget(session.send_nowait(self._start(), timeout=None))
                    _forget(session.send_nowait(_DRAW, timeout=None))
                    continue
                is_quiet, is_repeated = is_repeated, False
                taken_s = frame.metadata.timestamp or newest_s
                if not newest_s - REORDERED_S < taken_s < newest_s:
                    self._show(self._picture(frame, is_new=frame.data != last))
                    last, newest_s = frame.data, taken_s
                pace.acknowledge(frame.session_id)

    def _start(self) -> page.StartScreencast:
        size = self.size
        return page.StartScreencast(format="jpeg", quality=size.quality, max_width=size.width, max_height=size.height)

    def _picture(self, frame: page.ScreencastFrame, *, is_new: bool) -> TabPicture:
        self.shown = frame.metadata.device_width, frame.metadata.device_height
        return TabPicture(
            target_id=self.target_id,
            is_large=self.size != SMALL,
            jpeg=base64_bytes(frame.data) if is_new else b"",
            width=frame.metadata.device_width,
            height=frame.metadata.device_height,
        )


class _Pace:
    """Acknowledges the pictures of a screencast, one in each period.

    Each picture is shown when it comes. Those that are not acknowledged yet keep the browser from sending more, so that
    the next one is as old as its way here, however fast the page changes.
    """

    def __init__(self, session: Session, period_s: float) -> None:
        self._session = session
        self._period_s = period_s
        self._waiting: deque[int] = deque()
        self._last_s = -math.inf
        self._timer: asyncio.TimerHandle | None = None

    def acknowledge(self, screencast_id: int) -> None:
        """Acknowledge a picture in its turn."""
        self._waiting.append(screencast_id)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(self._last_s + self._period_s, loop.time()), self._next)

    def set_period(self, period_s: float) -> None:
        """Acknowledge what waits at once, and what follows at another pace."""
        self._period_s = period_s
        self.hurry()

    def hurry(self) -> None:
        """Acknowledge all at once: the browser sends up to three pictures as soon as it draws them."""
        self.stop()
        while self._waiting:
            self._send()

    def stop(self) -> None:
        """Acknowledge none that waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _next(self) -> None:
        self._timer = None
        self._send()
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_at(self._last_s + self._period_s, self._next)

    def _send(self) -> None:
        self._last_s = asyncio.get_running_loop().time()
        with suppress(CDPError):  # the tab is gone; the task that follows it ends
            _forget(self._session.send_nowait(page.ScreencastFrameAck(session_id=self._waiting.popleft())))


def _forget(sent: asyncio.Future[Any]) -> None:
    """Ask for no answer: what comes of it is seen in the pictures."""
    sent.add_done_callback(lambda done: done.cancelled() or done.exception())
