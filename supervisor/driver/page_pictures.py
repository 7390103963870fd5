"""Pictures of pages, for the flight recording."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError, CommandTimeout
from cdp_typed.protocol import page
from supervisor.core.state.pages import BLANK
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import DRAW_TAB

from .reconnecting_connection import ReconnectingConnection
from .recorder import Recorder

_log = logging.getLogger("supervisor.recorder")

MOST = 300
"""Pictures of one recording."""
MOST_BYTES = 16 * 2**20
"""Bytes of all pictures of a recording, in base64."""
MOST_BYTES_EACH = 2**20
TIMEOUT_S = 5.0
TRIES = 3
"""Of a picture whose commands take longer: the page may be busy, or another picture may have ended its screencast."""

Document: TypeAlias = tuple[str, str]
"""The target id of a page, and a loader id."""


class _Wanted(Struct, frozen=True):
    """A picture to take."""

    document: Document
    reason: str
    tries: int = TRIES


class Screenshots:
    """Takes a picture of a page when a document has loaded, when a dialog has closed, and when it is asked to; one at a
    time of each document. Whatever is asked for during one is one more picture after it.

    Its commands go by the core and the recorded traffic: a replay knows nothing of them.
    """

    def __init__(
        self,
        connection: ReconnectingConnection,
        recorder: Recorder,
        clock: Callable[[], float],
        *,
        quality: int,
    ) -> None:
        self._quality = quality
        self._connection = connection
        self._recorder = recorder
        self._clock = clock
        self._world = World()
        self._loaders: dict[str, str] = {}
        """The document of each page of which a picture was taken last."""
        self._busy: dict[Document, str | None] = {}
        """Those of which a picture is being taken, and the reason for one more; a document that is left may never
        answer."""
        self._count = 0
        self._bytes = 0

    def see(self, world: World) -> None:
        """Look for documents that have loaded, and for dialogs that have closed."""
        before, self._world = self._world, world
        is_as_before = (
            world.frames.nodes is before.frames.nodes
            and world.dialogs.open is before.dialogs.open
            and world.targets is before.targets
        )
        if is_as_before:
            return
        now_open = {dialog.info.id for dialog in world.dialogs.open}
        for dialog in before.dialogs.open:
            if dialog.info.id not in now_open:
                self.take(dialog.info.target_id, "dialog")
        for session in world.targets.pages():
            top = world.frames.root(session.target_id)
            if top is None or top.is_loading or top.is_moving or not top.loader_id or top.url == BLANK:
                continue
            if self._loaders.get(session.target_id) != top.loader_id and self.take(session.target_id, "document"):
                self._loaders[session.target_id] = top.loader_id

    def take(self, page_id: str | None, reason: str) -> bool:
        """Take a picture of a page (None: the current one); False where that cannot be now."""
        page_id = page_id or self._world.targets.current
        top = self._world.frames.root(page_id) if page_id else None
        return page_id is not None and top is not None and self._begin(_Wanted((page_id, top.loader_id), reason))

    def _begin(self, wanted: _Wanted) -> bool:
        document = wanted.document
        if not self._may(document[0]):
            return False
        if document in self._busy:
            self._busy[document] = wanted.reason
            return True
        self._busy[document] = None
        self._send(wanted, page.GetLayoutMetrics(), lambda metrics: self._capture(wanted, metrics))
        return True

    def _end(self, wanted: _Wanted, again: _Wanted | None = None) -> None:
        """Take the picture that was asked for meanwhile, or the one that was not taken `again`."""
        page_id, loader_id = document = wanted.document
        reason, top = self._busy.pop(document), self._world.frames.root(page_id)
        following = again if reason is None else _Wanted(document, reason)
        if following is None or top is None or top.loader_id != loader_id or self._begin(following):
            return
        if following.reason == "document":
            self._loaders.pop(page_id, None)  # as soon as it can be

    def _may(self, page_id: str) -> bool:
        """False beyond the limits, for a page that is not managed, and while a dialog is open: it would not answer."""
        world = self._world
        session, top = world.targets.page(page_id), world.frames.root(page_id)
        if self._count >= MOST or self._bytes >= MOST_BYTES or session is None or top is None:
            return False
        is_free = not any(world.dialogs_over(top)) and not any(world.blocking_dialogs(top))
        is_well = world.connection.is_up and world.status(session) == "ok" and not top.stale
        return is_free and is_well and world.page_ownership.manages(page_id)

    def _capture(self, wanted: _Wanted, metrics: page.GetLayoutMetricsResult) -> None:
        view = metrics.css_layout_viewport
        if not view.client_width or not view.client_height:
            self._end(wanted)
            return
        if not self._may(wanted.document[0]):
            self._end(wanted, wanted)
            return
        # In its own size: an iframe of another process that appears during a smaller picture keeps its scale, and gets
        # the mouse at wrong points as long as the tab is open (Chromium 156).
        clip = page.Viewport(
            x=view.page_x, y=view.page_y, width=view.client_width, height=view.client_height, scale=1.0
        )
        command = page.CaptureScreenshot(format="jpeg", quality=self._quality, clip=clip, optimize_for_speed=True)
        self._post(wanted.document, DRAW_TAB, _ignore)
        shown = [clip.x, clip.y, clip.width, clip.height]

        def keep(result: page.CaptureScreenshotResult) -> None:
            self._keep(wanted, shown, result)
            self._end(wanted)

        self._send(wanted, command, keep, end=page.StopScreencast())

    def _keep(self, wanted: _Wanted, shown: list[float], result: page.CaptureScreenshotResult) -> None:
        data = str(result.data)
        if len(data) > MOST_BYTES_EACH or self._bytes + len(data) > MOST_BYTES or self._count >= MOST:
            return
        self._count += 1
        self._bytes += len(data)
        about = {"at": self._clock(), "page": wanted.document[0], "reason": wanted.reason, "view": shown}
        fields = {**about, "mime": "image/jpeg", "data": data}
        self._recorder.remark("picture", fields)

    def _send(
        self, wanted: _Wanted, command: Command[Any], then: Callable[[Any], None], end: Command[Any] | None = None
    ) -> None:
        """Send a command and pass its result on. `end` is sent when the command is over, also when it has failed."""

        def done(future: asyncio.Future[Any]) -> None:
            if end is not None:
                self._post(wanted.document, end, _ignore)
            error = asyncio.CancelledError() if future.cancelled() else future.exception()
            if error is None:
                then(future.result())
                return
            _log.debug("no picture of %s", wanted.document[0])
            if not isinstance(error, CommandError | CommandTimeout):  # the connection is lost, or the session
                self._loaders.pop(wanted.document[0], None)
            is_late = isinstance(error, CommandTimeout) and wanted.tries > 1
            self._end(wanted, replace(wanted, tries=wanted.tries - 1) if is_late else None)

        if not self._post(wanted.document, command, done):
            self._busy.pop(wanted.document)

    def _post(self, document: Document, command: Command[Any], done: Callable[[asyncio.Future[Any]], None]) -> bool:
        """Send a command; `done` gets its future, also when the connection is lost."""
        session = self._world.targets.page(document[0])
        with self._recorder.silence():
            future = self._connection.send(command, session.session_id if session else None, TIMEOUT_S, _ignore)
        if future is not None:
            future.add_done_callback(done)
        return future is not None


def _ignore(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception: a browser without screencasts takes pictures of tabs in front."""
    if not future.cancelled():
        future.exception()
