"""Everything that a supervisor knows, and the questions that need several of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from supervisor.core.vocabulary.values import PageStatus

from .bridge import Bridge, Fetching
from .calls import Calls, Departures, Hangs
from .connection import Link
from .dialogs import BeforeClose, Dialog, Dialogs, Rescues
from .frames import Frame, Frames, site
from .observed import Blockers, Console, Feed, Requests
from .pages import Capabilities, Session, SessionSettings, Tabs, Targets


class World(Struct, frozen=True):
    """The browser as the supervisor sees it, and what callers wait for."""

    link: Link = Link()
    capabilities: Capabilities = Capabilities()
    tabs: Tabs = Tabs()
    targets: Targets = Targets()
    frames: Frames = Frames()
    dialogs: Dialogs = Dialogs()
    bridge: Bridge = Bridge()
    fetching: Fetching = Fetching()
    rescues: Rescues = Rescues()
    before_close: BeforeClose = BeforeClose()
    session_settings: SessionSettings = SessionSettings()
    blockers: Blockers = Blockers()
    requests: Requests = Requests()
    console: Console = Console()
    calls: Calls = Calls()
    hangs: Hangs = Hangs()
    departures: Departures = Departures()
    feed: Feed = Feed()

    def status(self, session: Session) -> PageStatus:
        """How a page is, in a word."""
        if not session.crashed and session.target_id in self.rescues.pages:
            return "unwatched"
        if session.status == "ok" and any(self.silent_iframes(session.target_id)):
            return "partly_unresponsive"
        return session.status

    def silent_iframes(self, page_id: str) -> Iterator[Session]:
        """The sessions of a page's out-of-process iframes that do not respond."""
        return (
            session
            for session in self.targets.sessions.values()
            if session.page_id == page_id and session.is_iframe and session.unresponsive and not session.crashed
        )

    def frame(self, frame_id: str | None) -> Frame | None:
        """The frame with this id, or the top frame of the current page."""
        if frame_id is not None:
            return self.frames.nodes.get(frame_id)
        return self.frames.root(self.targets.current) if self.targets.current else None

    def blocking_dialogs(self, frame: Frame) -> Iterator[Dialog]:
        """The dialogs that nobody answers yet and that stop the JavaScript of this frame."""
        return (dialog for dialog in self.dialogs.open if dialog.blocks and self._stops(dialog, frame))

    def dialogs_over(self, frame: Frame) -> Iterator[Dialog]:
        """The dialogs that the frame's tab shows, whichever frame opened them."""
        return (dialog for dialog in self.dialogs.open if dialog.info.target_id == frame.page_id)

    def _stops(self, dialog: Dialog, frame: Frame) -> bool:
        """A dialog stops its renderer process, not its tab: a page runs on while an OOPIF in it shows one.

        Frames of one session share a process; so do same-site frames of pages that can script each other.
        """
        if dialog.info.frame_id is None:  # it may be any frame of the tab
            return frame.page_id == dialog.info.target_id
        opener = self.frames.nodes.get(dialog.info.frame_id)
        if opener is None:  # its frame moved or went away; what we know is the tab
            return frame.session_id == dialog.info.session_id
        if opener.session_id == frame.session_id:
            return True
        group = self.targets.browsing_group
        return group(opener.page_id) == group(frame.page_id) and site(opener) == site(frame)


class Mishap(Struct, frozen=True):
    """An input that was left out."""

    count: int
    reason: str
    """Of the first one."""


class State(Struct, frozen=True):
    """Everything a supervisor knows. The first one has its settings in the slices, and has seen nothing yet."""

    world: World = World()
    unseen: frozenset[str] = frozenset()
    """The fields of `World` that changed in the last step after a slice that follows them had its turn."""
    mishaps: Mapping[str, Mishap] = {}
    """What could not be taken in, by the name of the event or of the input."""
