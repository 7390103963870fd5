"""The state that all viewers of one supervisor share: watched tabs, the viewer in control, and the supervisor's
state."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from cdp_typed.protocol import target
from supervisor.aio import AsyncSupervisor
from supervisor.driver.change_listeners import Listener
from supervisor.lasting import lasting
from supervisor.tools.handlers.handler_calls import RunningCall

from .approvals import Approvals, Highlight, highlight_of, shown_approval
from .screencast import CONTROLLED, LARGE, MEDIUM, SMALL, Screencasts, Size, TabPicture
from .sections import Sections, sections

TICK_S = 0.5
"""Seconds between two reads of calls, tabs and the present supervisor, which no change reports. Only while somebody
watches."""
PAUSE_S = 0.1
"""Seconds for which changes are collected before they are sent."""
RETRY_S = 5.0
"""Seconds until a browser that takes no connection for pictures is asked again, or a view that failed goes on."""
MAX_SMALL = 12
"""Small pictures of other tabs."""


class ViewerInterface(Protocol):
    """The side of a viewer that the view knows."""

    tab: str | None
    """The tab that it looks at; None while it does not look."""
    sees_others: bool
    host: str
    """The host and port of the live view, as its browser knows them."""
    is_small: bool
    """It shows the tab in a grid."""
    window: tuple[int, int] | None
    """The size in CSS pixels that it has for the page, if it has told it."""

    def show_state(self, now: Sections) -> None:
        """Show what is known now."""

    def show_picture(self, picture: TabPicture) -> None:
        """Show a picture of a tab that it looks at."""

    async def end(self, text: str) -> None:
        """Tell the person why the view ends."""


def _no_tools() -> Iterable[RunningCall]:
    return ()


class LiveView:
    """A supervisor for people to look at; `supervisor` may be a function that returns the one of the moment, or None.

    `tools` tells the tool calls that are under way (`Toolbox.running`). `approvals`, a hook of the same toolbox, holds
    those that a person approves. Used on one event loop.
    """

    def __init__(
        self,
        supervisor: AsyncSupervisor | Callable[[], AsyncSupervisor | None],
        *,
        tools: Callable[[], Iterable[RunningCall]] = _no_tools,
        approvals: Approvals | None = None,
    ) -> None:
        self.approvals: Approvals | None = approvals
        if approvals is not None:
            approvals.follow(lambda: self.supervisor)
        self.screencasts: Screencasts = Screencasts(self._show)
        self._source = supervisor
        self._tools = tools
        self._viewers: list[ViewerInterface] = []
        self._controller: ViewerInterface | None = None
        self._taken: AsyncSupervisor | None = None
        self._followed: tuple[AsyncSupervisor, Listener] | None = None
        self._tabs: tuple[target.TargetInfo, ...] = ()
        """All tabs of the browser, when they were last read."""
        self._addresses: dict[str, str] = {}
        """By tab."""
        self._no_pictures = ""
        """Why there are none, although somebody looks."""
        self._pictures_from = -math.inf
        """The time, on the loop's clock, from which a connection for pictures is tried again."""
        self._aims: dict[str, Highlight | None] = {}
        """By approval: the tab and the box of the element that the call names."""
        self._changed = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    @property
    def supervisor(self) -> AsyncSupervisor | None:
        """The supervisor of the moment."""
        return self._source if isinstance(self._source, AsyncSupervisor) else self._source()

    @property
    def viewers(self) -> int:
        """The number of viewers."""
        return len(self._viewers)

    def state(self, viewer: ViewerInterface) -> Sections:
        """The present state, as this viewer may see it."""
        return {**self._known(), "control": self._control(viewer)}

    def enter(self, viewer: ViewerInterface) -> None:
        """Show it to a viewer from now on."""
        self._viewers.append(viewer)
        if self._running is None:
            self._running = asyncio.create_task(lasting(self._run, RETRY_S))
        self._changed.set()

    async def leave(self, viewer: ViewerInterface) -> None:
        """Remove a viewer. A takeover by it ends, and the last one stops all background work."""
        self._viewers.remove(viewer)
        self.give_back(viewer)
        self._changed.set()
        if not self._viewers and self._running is not None:
            running, self._running = self._running, None
            running.cancel()
            await asyncio.wait([running])

    def look(self) -> None:
        """A viewer looks at another tab, or no more."""
        self._changed.set()

    def take_over(self, viewer: ViewerInterface) -> bool:
        """Let a viewer control the browser; False when another one does."""
        supervisor = self.supervisor
        if supervisor is None or self._controller not in (None, viewer):
            return False
        self._controller, self._taken = viewer, supervisor
        supervisor.takeover.begin()
        self._changed.set()
        return True

    def give_back(self, viewer: ViewerInterface) -> None:
        """Give the browser back to the agent. Does nothing for a viewer that does not control it."""
        if self._controller is viewer:
            taken, self._controller, self._taken = self._taken, None, None
            if taken is not None:
                taken.takeover.end()
            self._changed.set()

    def controls(self, viewer: ViewerInterface) -> bool:
        """Whether this viewer controls the browser."""
        return self._controller is viewer

    def offers(self, target_id: str) -> bool:
        """Whether a person may give this tab to the agent."""
        return any(tab["id"] == target_id and not tab["given"] for tab in self._known().get("others", ()))

    def _control(self, viewer: ViewerInterface) -> Sections:
        supervisor = self.supervisor
        since = supervisor.takeover.since if supervisor is not None else None
        by = "agent" if since is None else "you" if self._controller is viewer else "another"
        return {"by": by, "since": since, "viewers": len(self._viewers)}

    def _known(self) -> Sections:
        hosts = {viewer.host for viewer in self._viewers}
        known = sections(self.supervisor, self._tools(), self._tabs, hosts)
        waiting = self.approvals.waiting if self.approvals is not None else ()
        asked = [shown_approval(each, self._aims.get(each.id)) for each in waiting]
        return {**known, "approvals": asked, "pictures": {"reason": visible(self._no_pictures, 300)}}

    async def end(self, reason: str) -> None:
        """Tell all viewers why the view ends, also a person who is in control, and close their pages' connections."""
        text = f"This view has ended: {reason}."
        await asyncio.gather(*(viewer.end(text) for viewer in tuple(self._viewers)), return_exceptions=True)

    async def _run(self) -> None:
        try:
            while True:
                self._follow()
                await self._arrange()
                await self._aim()
                known = self._known()
                for viewer in tuple(self._viewers):
                    viewer.show_state({**known, "control": self._control(viewer)})
                await asyncio.sleep(PAUSE_S)
                with suppress(TimeoutError):
                    async with asyncio.timeout(TICK_S if self._needs_ticks() else None):
                        await self._changed.wait()
                self._changed.clear()
        finally:
            if self._followed is not None:
                self._followed[1].close()
                self._followed = None
            await self.screencasts.close()

    def _needs_ticks(self) -> bool:
        """Somebody looks, or there is no running supervisor that would tell of changes."""
        followed = self._followed[0] if self._followed is not None else None
        is_looked_at = any(viewer.tab is not None for viewer in self._viewers)
        return is_looked_at or followed is None or followed is not self.supervisor or not followed.is_running

    def _follow(self) -> None:
        """Listen to the supervisor of the moment; one that was taken over and is gone is given back."""
        running, loop = self.supervisor, asyncio.get_running_loop()
        if self._taken is not None and self._taken is not running and self._controller is not None:
            self.give_back(self._controller)
        if self._followed is not None and self._followed[0] is not running:
            self._followed[1].close()
            self._followed = None
        if self._followed is None and running is not None:
            listener = running.on_change(lambda change: loop.call_soon_threadsafe(self._changed.set))
            self._followed = (running, listener)

    async def _arrange(self) -> None:
        """Have the pictures that somebody looks at, and no others."""
        supervisor = self.supervisor
        wanted = self._wanted(supervisor) if supervisor is not None and supervisor.is_running else {}
        config = supervisor.config_of_others if supervisor is not None else None
        loop = asyncio.get_running_loop()
        if wanted and loop.time() < self._pictures_from:
            return
        self._refresh(supervisor)
        try:
            await self.screencasts.want(config, wanted)
            await self._fit()
        except (CDPError, TimeoutError) as error:
            self._no_pictures, self._pictures_from = str(error), loop.time() + RETRY_S
            return
        self._no_pictures = ""
        if wanted:
            self._tabs = await self.screencasts.tabs() or self._tabs

    def _refresh(self, supervisor: AsyncSupervisor | None) -> None:
        """Ask for new pictures of tabs that have navigated."""
        running = supervisor is not None and supervisor.is_running
        pages = supervisor.snapshot().pages if supervisor is not None and running else ()
        before, self._addresses = self._addresses, {page.target_id: page.url for page in pages}
        for target_id, url in self._addresses.items():
            if before.get(target_id) != url:
                self.screencasts.refresh(target_id)

    def _wanted(self, supervisor: AsyncSupervisor) -> dict[str, Size]:
        pages = [page.target_id for page in supervisor.snapshot().pages if page.status != "crashed"]
        wanted: dict[str, Size] = {}
        if any(viewer.tab is not None and viewer.sees_others for viewer in self._viewers):
            wanted = dict.fromkeys(pages[:MAX_SMALL], SMALL)
        watched = [viewer for viewer in self._viewers if viewer.tab in pages and viewer.tab]
        medium = {viewer.tab: MEDIUM for viewer in watched if viewer.tab and viewer.is_small}
        large = {viewer.tab: LARGE for viewer in watched if viewer.tab and not viewer.is_small}
        controlled = {viewer.tab: CONTROLLED for viewer in watched if viewer.tab and viewer is self._controller}
        return {**wanted, **medium, **large, **controlled}

    async def _aim(self) -> None:
        """Find what the calls that wait for a person are about to touch."""
        waiting = self.approvals.waiting if self.approvals is not None else ()
        self._aims = {each.id: self._aims[each.id] for each in waiting if each.id in self._aims}
        for approval in waiting:
            if approval.id not in self._aims and self.supervisor is not None:
                self._aims[approval.id] = await highlight_of(self.supervisor, approval)

    async def _fit(self) -> None:
        """Give the window the size that the person in control has for the page, and put it back when nobody is."""
        controller = self._controller
        if controller is None:
            await self.screencasts.fit(None, None)
        else:
            await self.screencasts.fit(controller.tab, controller.window)

    def _show(self, picture: TabPicture) -> None:
        for viewer in self._viewers:
            if viewer.tab == picture.target_id or (viewer.tab is not None and viewer.sees_others):
                viewer.show_picture(picture)
