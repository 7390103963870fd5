"""Pictures of a supervisor's current page (`Page.startScreencast`), whichever tab that is.

They come over a second connection, whose screencast is independent of the live view's and of other clients'. A picture
comes when the page is painted. After a while without one the screencast begins anew, because the browser drops pictures
while three of them are on their way, and may forget a screencast.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from msgspec import Struct

from cdp_typed import CDPError, Connection, Session
from cdp_typed.helpers.shared.video.video import LAST_S
from cdp_typed.protocol import page
from cdp_typed.protocol.target import TargetID
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.driver.connecting import opening_of
from supervisor.lasting import lasting

QUIET_S = 0.4
"""Seconds without a new picture after which the screencast begins anew."""
STILL_S = 2.0
"""The same for a page that has not changed since."""
RETRY_S = 0.5
LONGEST_S = 86_400.0
MAX_WAITING = 10
_DRAW = page.CaptureScreenshot(format="jpeg", quality=1, optimize_for_speed=True)
"""Draws a tab that is hidden behind others."""


class Receiver(Protocol):
    """Receives the pictures of pages and the texts of dialogs."""

    def frame(self, frame: page.ScreencastFrame) -> None:
        """Called with each picture of the current page."""

    def dialog(self, text: str) -> None:
        """Called with the text of the dialog that opened on the current page, and with "" when it has closed."""


class Shown(Struct, frozen=True):
    """The current page."""

    page_id: str | None
    """None without a page, and for one that the policy refuses."""
    dialog: str


class CurrentPage:
    """Follows the current page until `stop`, or until the supervisor stops."""

    def __init__(
        self, supervisor: AsyncSupervisor, receiver: Receiver, rules: UrlRules, size: int, ended: Callable[[], object]
    ) -> None:
        """`size` is that of the longer side of a picture, in pixels. `ended` is called once, after the last picture."""
        self._supervisor = supervisor
        self._receiver = receiver
        self._rules = rules
        self._start = page.StartScreencast(format="jpeg", quality=90, max_width=size, max_height=size)
        self._began = asyncio.Event()
        self._came = asyncio.Event()
        self._session: Session | None = None
        self._task = asyncio.create_task(self._run())

        def end(task: asyncio.Task[None]) -> None:
            _ = task.cancelled() or task.exception()  # nobody may ask for it
            ended()

        self._task.add_done_callback(end)

    async def begun(self) -> None:
        """Return when the first picture has come, or after `LAST_S`. Raises the error that kept it from connecting."""
        began = asyncio.ensure_future(self._began.wait())
        try:
            await asyncio.wait({began, self._task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            began.cancel()
        if self._task.done():
            self._task.result()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_S):
                await self._came.wait()

    def end(self) -> None:
        """Stop following the page at once."""
        self._task.cancel()

    async def stop(self) -> None:
        """Wait for a picture of the page after this call, for at most `LAST_S`, and end."""
        session = self._session
        if session is not None and not self._task.done():
            with suppress(CDPError, TimeoutError):
                async with asyncio.timeout(LAST_S):
                    await session.send(page.StopScreencast())  # pictures from before come before its reply
                    await asyncio.sleep(0)  # and are taken now
                    self._came.clear()
                    self._restart(session)
                    await self._came.wait()
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            try:
                async with opening_of(self._supervisor.config_of_others) as connection:
                    self._began.set()
                    await self._follow(connection)
            except NotRunning:
                return
            except CDPError:
                if not self._began.is_set():
                    raise
                await asyncio.sleep(RETRY_S)

    async def _follow(self, connection: Connection) -> None:
        """Follow the current page until the connection is lost."""
        shown: Shown | None = None
        cast: asyncio.Task[None] | None = None
        try:
            while not connection.lost.done():
                now = await self._next(shown, connection)
                if cast is None or shown is None or now.page_id != shown.page_id:
                    await _ended(cast)
                    cast = asyncio.create_task(lasting(partial(self._cast, connection, now.page_id), RETRY_S))
                if shown is None or now.dialog != shown.dialog:
                    self._receiver.dialog(now.dialog)
                shown = now
        finally:
            await _ended(cast)

    async def _next(self, shown: Shown | None, connection: Connection) -> Shown:
        """Return the current page and its dialog when they have changed, or the connection is lost."""

        def is_other(now: SupervisorSnapshot) -> bool:
            return self._shown(now) != shown

        change = asyncio.ensure_future(self._supervisor.wait_for(is_other, timeout_s=LONGEST_S))
        waiting: set[asyncio.Future[Any]] = {change, connection.lost}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            with suppress(TimeoutError):
                if change.done():
                    return self._shown(change.result())
            return self._shown(self._supervisor.snapshot())
        finally:
            change.cancel()
            await asyncio.gather(change, return_exceptions=True)

    def _shown(self, now: SupervisorSnapshot) -> Shown:
        current = next((each.target_id for each in now.pages if each.is_current), None)
        top = now.frame_tree.top
        urls = [] if top is None else [frame.url for frame in (top, *now.frame_tree.children)]
        is_refused = self._rules.restricts and any(self._rules.why_not(url) for url in urls)
        open_here = (each for each in now.pending_dialogs if each.target_id == current)
        dialog = next((f"{each.type}: {each.message}" for each in open_here), "")
        return Shown(None if is_refused else current, "" if is_refused else dialog)

    async def _cast(self, connection: Connection, page_id: str | None) -> None:
        while page_id is not None:
            try:
                self._session = session = await connection.attach(TargetID(page_id))
                try:
                    await self._take(session)
                finally:
                    self._session = None
                    with suppress(CDPError):
                        await session.detach()
            except CDPError:  # it crashed, or is about to be closed
                await asyncio.sleep(RETRY_S)

    async def _take(self, session: Session) -> None:
        async with session.events(page.ScreencastFrame, maxsize=MAX_WAITING, overflow="drop_oldest") as frames:
            _forget(session.send_nowait(self._start, timeout=None))  # a page with a dialog answers after it
            is_still, is_repeated, last = False, False, ""
            while True:
                try:
                    async with asyncio.timeout(STILL_S if is_still else QUIET_S):
                        frame = await anext(frames)
                except TimeoutError:
                    is_repeated = True
                    self._restart(session)
                    continue
                is_still, is_repeated = is_repeated and frame.data == last, False
                last = frame.data
                self._receiver.frame(frame)
                self._came.set()
                _forget(session.send_nowait(page.ScreencastFrameAck(session_id=frame.session_id)))

    def _restart(self, session: Session) -> None:
        with suppress(CDPError):
            _forget(session.send_nowait(page.StopScreencast(), timeout=None))
            _forget(session.send_nowait(self._start, timeout=None))
            _forget(session.send_nowait(_DRAW, timeout=None))


async def _ended(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.wait([task])


def _forget(sent: asyncio.Future[Any]) -> None:
    """Ignore the reply: the pictures show the outcome."""
    sent.add_done_callback(lambda done: done.cancelled() or done.exception())
