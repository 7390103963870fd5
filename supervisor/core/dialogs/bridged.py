"""Dialogs of the bridge: how they end when nobody answers them.

The browser does not tell that a request which it holds for us is gone, with its document or its frame. So it is asked
now and then for the request's response, of which there is none yet: how it refuses that tells the two cases apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost
from cdp_typed.protocol import fetch, inspector, page
from supervisor.core.state.dialogs import Dialog, Dialogs, close
from supervisor.core.state.frames import Frames
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import NO_SUCH_REQUEST
from supervisor.core.vocabulary.command_tags import BridgeProbed
from supervisor.core.vocabulary.effects import Arm, Effects, Send, Tell
from supervisor.core.vocabulary.errors import DialogAlreadyClosed
from supervisor.core.vocabulary.inputs import EventReceived, Input, Refused, StopRequested, TimerFired
from supervisor.core.vocabulary.requests import BridgeEnding
from supervisor.core.vocabulary.timers import BridgeProbe

from .answers import settle

GONE = "the page went on without an answer: its document, its frame or its process is gone"
LOST = "the connection to the browser ended: the page's own function was called instead"
PERHAPS_LOST = f"an answer was on its way; if it did not arrive: {LOST}"
HANDED_OVER = "the bridge was taken down: the page's own function was called instead"
PROBE_EVERY_S = 1.0
PROBE_AFTER_S = 0.25
"""When something happened to the frame. Measured: a document that is replaced may hold its requests for half a second
after that was announced."""
PROBE_TIMEOUT_S = 5.0


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow what may end a dialog of the bridge."""
    dialogs, effects = _reduce(world.dialogs, received, world.targets, before.frames, now)
    dialogs, more = _hand_over(dialogs, world.bridge.sides, now)
    return replace(world, dialogs=dialogs), (*effects, *more)


def _reduce(dialogs: Dialogs, received: Input, targets: Targets, frames: Frames, now: float) -> tuple[Dialogs, Effects]:
    """Follow what may end such a dialog. `dialogs` and `targets` are the slices after this input, `frames` the one
    before it."""
    if not any(dialog.way for dialog in dialogs.open):
        return dialogs, ()
    match received:
        case EventReceived(
            _, page.FrameNavigated(frame=page.Frame(id=frame_id)) | page.FrameDetached(frame_id=frame_id)
        ):
            return dialogs, _ask_later(dialogs, {frame_id, *(one.frame_id for one in frames.descendants(frame_id))})
        case TimerFired(BridgeProbe(dialog_id)):
            return dialogs, _probe(dialogs, dialog_id)
        case Refused(BridgeProbed(dialog_id), CommandError(message=text)) if text in NO_SUCH_REQUEST:
            return _end(dialogs, lambda dialog: dialog.info.id == dialog_id, now, GONE)
        case Refused(BridgeProbed(dialog_id)) if dialogs.find(dialog_id) is not None:
            return dialogs, (probe_later(dialog_id),)
        case EventReceived(session_id, inspector.TargetCrashed()):
            return _end(dialogs, lambda dialog: dialog.info.session_id == session_id, now, GONE)
        case BridgeEnding() | StopRequested():
            return _end(dialogs, lambda dialog: True, now, HANDED_OVER)
        case _:
            return _end(dialogs, lambda dialog: dialog.info.session_id not in targets.sessions, now, GONE)


def probe_later(dialog_id: str) -> Arm:
    """Ask whether it still waits, in a while."""
    return Arm(BridgeProbe(dialog_id), PROBE_EVERY_S)


def _hand_over(dialogs: Dialogs, sessions: Collection[str], now: float) -> tuple[Dialogs, Effects]:
    """The bridge is in these sessions and no others (any more)."""
    return _end(dialogs, lambda dialog: dialog.info.session_id not in sessions, now, HANDED_OVER)


def lose(dialogs: Dialogs, reason: str, now: float) -> tuple[Dialogs, Effects]:
    """Without a connection the browser holds no request: it goes out, and comes back without what proves an answer."""
    lost = ConnectionLost(reason)
    dialogs, effects = _end(dialogs, lambda dialog: dialog.answering is not None, now, PERHAPS_LOST, lost)
    dialogs, more = _end(dialogs, lambda dialog: True, now, LOST)
    return dialogs, (*effects, *more)


def vanish(dialogs: Dialogs, dialog: Dialog, now: float) -> tuple[Dialogs, Effects]:
    """The browser refused our answer: there is nobody left to be answered."""
    return _end(dialogs, lambda other: other is dialog, now, GONE)


def _ask_later(dialogs: Dialogs, frame_ids: set[str]) -> Effects:
    return tuple(
        Arm(BridgeProbe(dialog.info.id), PROBE_AFTER_S)
        for dialog in dialogs.open
        if dialog.way is not None and dialog.info.frame_id in frame_ids
    )


def _probe(dialogs: Dialogs, dialog_id: str) -> Effects:
    dialog = dialogs.find(dialog_id)
    if dialog is None or dialog.way is None:
        return ()
    command = fetch.GetResponseBody(request_id=fetch.RequestId(dialog.way.request_id))
    tag = BridgeProbed(dialog_id)
    return (Send(command=command, session_id=dialog.info.session_id, tag=tag, timeout_s=PROBE_TIMEOUT_S),)


def _end(
    dialogs: Dialogs, ends: Callable[[Dialog], bool], now: float, note: str, error: Exception | None = None
) -> tuple[Dialogs, Effects]:
    effects: Effects = ()
    for dialog in dialogs.open:
        if dialog.way is None or not ends(dialog):
            continue
        dialogs, more = close(dialogs, dialog, now, closed_by="remote", note=note)
        dialogs, closed = settle(dialogs, dialog.info.id)
        effects = (*effects, *more)
        if closed is not None and closed.answering is not None and closed.answering.call_id is not None:
            effects = (*effects, Tell(closed.answering.call_id, error or DialogAlreadyClosed(closed.record)))
    return dialogs, effects
