"""`World`, the state of all slices, and queries that need several of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from supervisor.core.vocabulary.values import PageStatus

from .bridge import Bridge, Interception
from .calls import Calls, HangProbes, PageNavigations
from .connection import ConnectionState
from .dialogs import BeforeClose, DetachedFrameDialogs, Dialog, Dialogs
from .frames import Frame, Frames
from .observed import Blockers, ChangeLog, ConsoleLog, NetworkRequests
from .pages import Capabilities, Emulated, InitScripts, PageOwnership, Session, SessionSettings, Targets


class World(Struct, frozen=True):
    """The state of all slices: the browser as the supervisor sees it, and the pending calls."""

    connection: ConnectionState = ConnectionState()
    capabilities: Capabilities = Capabilities()
    page_ownership: PageOwnership = PageOwnership()
    targets: Targets = Targets()
    frames: Frames = Frames()
    dialogs: Dialogs = Dialogs()
    bridge: Bridge = Bridge()
    interception: Interception = Interception()
    detached_frame_dialogs: DetachedFrameDialogs = DetachedFrameDialogs()
    before_close: BeforeClose = BeforeClose()
    session_settings: SessionSettings = SessionSettings()
    emulated: Emulated = Emulated()
    init_scripts: InitScripts = InitScripts()
    blockers: Blockers = Blockers()
    network_requests: NetworkRequests = NetworkRequests()
    console: ConsoleLog = ConsoleLog()
    calls: Calls = Calls()
    hang_probes: HangProbes = HangProbes()
    navigations: PageNavigations = PageNavigations()
    change_log: ChangeLog = ChangeLog()

    def status(self, session: Session) -> PageStatus:
        """Return the status of a page, its iframes and detached-frame dialogs included."""
        if not session.crashed and session.target_id in self.detached_frame_dialogs.pages:
            return "unwatched"
        if session.status == "ok" and any(self.silent_iframes(session.target_id)):
            return "partly_unresponsive"
        return session.status

    def not_bridged(self) -> Iterator[str]:
        """Yield the pages without the dialog bridge that the setting `always` asks for."""
        for session in self.targets.pages() if self.bridge.mode == "always" else ():
            if not self.page_ownership.manages(session.target_id):
                yield session.target_id

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

    def blocking_dialogs(self, frame: Frame) -> tuple[Dialog, ...]:
        """Return the unanswered dialogs that stop the JavaScript of this frame."""
        return tuple(dialog for dialog in self.dialogs.open if dialog.blocks and self._stops(dialog, frame))

    def dialogs_over(self, frame: Frame) -> tuple[Dialog, ...]:
        """Return the dialogs of the frame's tab, whichever frame opened them."""
        return tuple(dialog for dialog in self.dialogs.open if dialog.info.target_id == frame.page_id)

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
        group, site = self.targets.browsing_group, self.frames.site
        return group(opener.page_id) == group(frame.page_id) and site(opener) == site(frame)


class RejectedInput(Struct, frozen=True):
    """An input that was left out because it has no identity, or a slice failed on it."""

    count: int
    reason: str
    """The reason of the first one."""


class State(Struct, frozen=True):
    """The state of the core. The first one has the settings in its slices."""

    world: World = World()
    pending_changes: frozenset[str] = frozenset()
    """The fields of `World` that changed in the last step after the turn of a slice that follows them. That slice runs
    in the next step."""
    rejected: Mapping[str, RejectedInput] = {}
    """Inputs that were left out, by the method of the event or the class name of the input."""
