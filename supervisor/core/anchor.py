"""Slice: the second connection, which does nothing but listen to dialogs, so that somebody can answer them.

Measured on Chromium 156: a dialog takes an answer on any session that had Page enabled when it opened, and on no other.
When the main connection is lost, a dialog that is open can still be answered here; what opens until the main
connection is back is seen here first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.protocol import page, target

from .effects import DialAnchor, Effects, HangUpAnchor, SendOverAnchor
from .inputs import AnchorHeard, AnchorLost, AnchorUp, Input
from .link import Link
from .targets import PAGES_ONLY, Session, Targets
from .values import PendingDialog

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 30.0
MAX_FAILURES = 10
"""After so many lost connections and failed dials there is no anchor any more; the supervisor works without."""


class Shown(Struct, frozen=True):
    """A dialog that the anchor knows to be open, and the session that can answer it."""

    session_id: str
    event: page.JavascriptDialogOpening


class Anchor(Struct, frozen=True, kw_only=True):
    """The anchor's connection, its sessions (of pages only) with their target ids, and the dialogs by frame id."""

    is_wanted: bool = False
    state: Literal["down", "dialling", "up", "given up"] = "down"
    sessions: Mapping[str, str] = {}
    listening: frozenset[str] = frozenset()
    """Those of the sessions on which Page was enabled."""
    showing: Mapping[str, Shown] = {}
    failures: int = 0

    def session_for(self, info: PendingDialog) -> str | None:
        """The session that can answer this dialog."""
        shown = self.showing.get(info.frame_id or "")
        is_same = shown is not None and (shown.event.type, shown.event.message) == (info.type, info.message)
        return shown.session_id if shown is not None and is_same else None

    def beside(self, targets: Targets) -> Targets:
        """All sessions that hear of dialogs: the main connection's, and after them the anchor's."""
        mine = {
            session_id: Session(
                session_id=session_id, target_id=page_id, is_iframe=False, parent_session_id=None, page_id=page_id
            )
            for session_id, page_id in self.sessions.items()
        }
        return replace(targets, sessions={**targets.listening.sessions, **mine})


def reduce(anchor: Anchor, received: Input, link: Link) -> tuple[Anchor, Effects]:
    """Have an anchor while the main link works or may work again. `link` is as after this input."""
    if not anchor.is_wanted or anchor.state == "given up":
        return anchor, ()
    if not link.is_alive:
        return _end(anchor, "down") if anchor.state != "down" else (anchor, ())
    match received:
        case AnchorUp(browser_id) if anchor.state == "dialling":
            if browser_id is None or browser_id != link.browser_id:  # it may be anybody's
                return _end(anchor, "given up")
            # Nothing waits for it: a page must not be held up by a connection that is only a reserve.
            attach = target.SetAutoAttach(
                auto_attach=True, wait_for_debugger_on_start=False, flatten=True, filter=PAGES_ONLY
            )
            return replace(anchor, state="up"), (SendOverAnchor(attach),)
        case AnchorLost(is_final=is_final):
            return _fail(anchor, link, is_final=is_final)
        case AnchorHeard(session_id, event) if anchor.state == "up":
            return _hear(anchor, session_id, event)
        case _:
            return _dial(anchor) if link.state == "ready" and anchor.state == "down" else (anchor, ())


def _dial(anchor: Anchor) -> tuple[Anchor, Effects]:
    pause = min(FIRST_PAUSE_S * 4**anchor.failures, LONGEST_PAUSE_S)
    return replace(anchor, state="dialling"), (DialAnchor(pause),)


def _fail(anchor: Anchor, link: Link, *, is_final: bool) -> tuple[Anchor, Effects]:
    failures = anchor.failures + 1
    anchor = replace(anchor, state="down", sessions={}, listening=frozenset(), showing={}, failures=failures)
    if is_final or anchor.failures > MAX_FAILURES:
        return replace(anchor, state="given up"), ()
    # Without the main link, the next dial is that one's.
    return _dial(anchor) if link.state == "ready" else (anchor, ())


def _end(anchor: Anchor, state: Literal["down", "given up"]) -> tuple[Anchor, Effects]:
    return replace(anchor, state=state, sessions={}, listening=frozenset(), showing={}), (HangUpAnchor(),)


def follow(anchor: Anchor, targets: Targets, unwatched: Collection[str], everything: bool) -> tuple[Anchor, Effects]:
    """Listen to the dialogs of new pages, if they are ours. To those of `unwatched` pages nobody may listen."""
    new = [
        session_id
        for session_id, page_id in anchor.sessions.items()
        if session_id not in anchor.listening and page_id not in unwatched and (everything or targets.page(page_id))
    ]
    if not new:
        return anchor, ()
    enable = tuple(SendOverAnchor(page.Enable(), session_id) for session_id in new)
    return replace(anchor, listening=anchor.listening | frozenset(new)), enable


def listen(anchor: Anchor, pages: Collection[str]) -> Effects:
    """Be told of the dialogs of these pages."""
    return tuple(
        SendOverAnchor(page.Enable(), session_id) for session_id, page_id in anchor.sessions.items() if page_id in pages
    )


def _hear(anchor: Anchor, session_id: str | None, event: object) -> tuple[Anchor, Effects]:
    match event:
        case target.AttachedToTarget() if event.target_info.type == "page":
            sessions = {**anchor.sessions, event.session_id: event.target_info.target_id}
            return replace(anchor, sessions=sessions), ()
        case target.DetachedFromTarget():
            sessions = {key: value for key, value in anchor.sessions.items() if key != event.session_id}
            left = {key: shown for key, shown in anchor.showing.items() if shown.session_id != event.session_id}
            return replace(anchor, sessions=sessions, listening=anchor.listening & sessions.keys(), showing=left), ()
        case page.JavascriptDialogOpening() if session_id is not None and session_id in anchor.sessions:
            return replace(anchor, showing={**anchor.showing, event.frame_id: Shown(session_id, event)}), ()
        case page.JavascriptDialogClosed():
            return _close(anchor, event.frame_id), ()
        case page.FrameDetached(frame_id=frame_id, reason="remove") if frame_id in anchor.showing:
            # Measured: the browser dies when such a dialog ends while anybody listens.
            stop = SendOverAnchor(page.Disable(), anchor.showing[frame_id].session_id)
            return _close(anchor, frame_id), (stop,)
        case _:
            return anchor, ()


def _close(anchor: Anchor, frame_id: str) -> Anchor:
    return replace(anchor, showing={key: shown for key, shown in anchor.showing.items() if key != frame_id})
