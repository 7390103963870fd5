"""The video of a run: pictures of the current page, with the steps of the agent drawn into them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary, ref

from msgspec import Struct

from cdp_typed.helpers.shared.video.scenes import Written
from cdp_typed.helpers.shared.video.video import Video
from cdp_typed.protocol import page
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.tools.actions.input_effects import watch_pointer
from supervisor.tools.handlers.call_observers import observe, stop_observing

from .current_page import CurrentPage
from .step_names import step_name

LARGEST = 1280
"""Pixels of the longer side of a picture, where the caller chooses no size."""
NAME_S = 1.5
"""For which the name of a step is shown."""


class RunVideo:
    """A video that is being recorded; an observer of the calls."""

    def __init__(
        self, supervisor: AsyncSupervisor, video: Video, hide: Callable[[str], str], *, has_pointer: bool
    ) -> None:
        """`hide` takes out of a text what recordings must not have."""
        self.video = video
        self._weakly = ref(supervisor)
        self._hide = hide
        self._has_pointer = has_pointer
        self._page: CurrentPage | None = None

    async def begin(self, supervisor: AsyncSupervisor, rules: UrlRules, size: int) -> None:
        """Begin to follow the current page. Raises what the second connection raises."""
        self._page = CurrentPage(supervisor, self, rules, size, self._ended)
        try:
            await self._page.begun()
        except BaseException:
            await self._page.stop()
            raise
        observe(supervisor, self)
        watch_pointer(supervisor, self._point)
        _RUNNING[supervisor] = self

    async def stop(self) -> Written:
        """End it. Raises `VideoNotWritten`."""
        supervisor = self._weakly()
        if supervisor is not None:
            _RUNNING.pop(supervisor, None)
            stop_observing(supervisor, self)
            watch_pointer(supervisor, None)
        if self._page is not None:
            await self._page.stop()
        return await asyncio.to_thread(self.video.result)

    def chapter(self, title: str, text: str, seconds: float) -> None:
        """Add a card with a title."""
        self.video.chapter(self._hide(title), self._hide(text), seconds=seconds)

    def frame(self, frame: page.ScreencastFrame) -> None:
        """See `Receiver`."""
        if self.video.is_over and self._page is not None:
            self._page.end()  # it came to its limit, or the disk is full
        self.video.frame(frame)

    def dialog(self, text: str) -> None:
        """See `Receiver`."""
        self.video.dialog(self._hide(text))

    async def before(self, tool: str, arguments: Struct) -> str | None:
        """See `CallObserver`."""
        supervisor = self._weakly()
        name = None if supervisor is None else step_name(supervisor, tool, arguments)
        name = None if name is None else self._hide(name)
        self._name(name)
        return name

    async def after(self, tool: str, noted: Any, result: object) -> None:
        """See `CallObserver`."""

    def failed(self, tool: str, noted: Any, error: BaseException) -> None:
        """See `CallObserver`."""
        self._name(None if noted is None else f"{noted}: {type(error).__name__}")

    def _name(self, name: str | None) -> None:
        if name is not None:
            self.video.caption(name, seconds=NAME_S)

    def _point(self, x: float, y: float, pressed: bool) -> None:
        if self._has_pointer:
            self.video.pointer(x, y, pressed=pressed)

    def _ended(self) -> None:
        self.video.end()


_RUNNING: WeakKeyDictionary[AsyncSupervisor, RunVideo] = WeakKeyDictionary()


def running_video(supervisor: AsyncSupervisor) -> RunVideo | None:
    """The video of this supervisor's run that was begun and not stopped."""
    return _RUNNING.get(supervisor)
