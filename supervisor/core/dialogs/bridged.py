"""Slice: ends dialogs of the bridge that were not answered.

The browser does not announce the end of a held request, with its document or its frame. So `Fetch.getResponseBody` is
sent now and then: its error for a request that is still held differs from the one for a request that is gone.
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
from supervisor.core.vocabulary.effects import Arm, CompleteCall, Effects, Send
from supervisor.core.vocabulary.errors import DialogAlreadyClosed
from supervisor.core.vocabulary.inputs import CommandFailed, EventReceived, Input, StopRequested, TimerFired
from supervisor.core.vocabulary.requests import BridgeEnding
from supervisor.core.vocabulary.timers import BridgeProbe

from .answers import settle

GONE = "the page went on without an answer: its document, its frame or its process is gone"
LOST = "the connection to the browser ended: the page's own function was called instead"
PERHAPS_LOST = f"an answer was on its way; if it did not arrive: {LOST}"
HANDED_OVER = "the bridge was taken down: the page's own function was called instead"
PROBE_EVERY_S = 1.0
PROBE_AFTER_S = 0.25
"""The delay after a change of the frame. Measured: a replaced document may hold its requests for half a second after
`Page.frameNavigated`."""
PROBE_TIMEOUT_S = 5.0


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow the inputs that may end a dialog of the bridge."""
    dialogs, effects = _reduce(world.dialogs, received, world.targets, before.frames, now)
    dialogs, more = _hand_over(dialogs, world.bridge.sessions, now)
    return replace(world, dialogs=dialogs), (*effects, *more)


def _reduce(dialogs: Dialogs, received: Input, targets: Targets, frames: Frames, now: float) -> tuple[Dialogs, Effects]:
    """Follow the inputs that may end such a dialog. `dialogs` and `targets` are the slices after this input, `frames`
    the one before it."""
    if not any(dialog.held_request for dialog in dialogs.open):
        return dialogs, ()
    match received:
        case EventReceived(
            _, page.FrameNavigated(frame=page.Frame(id=frame_id)) | page.FrameDetached(frame_id=frame_id)
        ):
            return dialogs, _ask_later(dialogs, {frame_id, *(frame.frame_id for frame in frames.descendants(frame_id))})
        case TimerFired(BridgeProbe(dialog_id)):
            return dialogs, _probe(dialogs, dialog_id)
        case CommandFailed(BridgeProbed(dialog_id), CommandError(message=text)) if text in NO_SUCH_REQUEST:
            return _end(dialogs, lambda dialog: dialog.info.id == dialog_id, now, GONE)
        case CommandFailed(BridgeProbed(dialog_id)) if dialogs.find(dialog_id) is not None:
            return dialogs, (probe_later(dialog_id),)
        case EventReceived(session_id, inspector.TargetCrashed()):
            return _end(dialogs, lambda dialog: dialog.info.session_id == session_id, now, GONE)
        case BridgeEnding() | StopRequested():
            return _end(dialogs, lambda dialog: True, now, HANDED_OVER)
        case _:
            return _end(dialogs, lambda dialog: dialog.info.session_id not in targets.sessions, now, GONE)


def probe_later(dialog_id: str) -> Arm:
    """Return the timer for the next check of a dialog's request."""
    return Arm(BridgeProbe(dialog_id), PROBE_EVERY_S)


def _hand_over(dialogs: Dialogs, sessions: Collection[str], now: float) -> tuple[Dialogs, Effects]:
    """End the dialogs of sessions from which the bridge was removed."""
    return _end(dialogs, lambda dialog: dialog.info.session_id not in sessions, now, HANDED_OVER)


def on_disconnected(dialogs: Dialogs, reason: str, now: float) -> tuple[Dialogs, Effects]:
    """End all dialogs of the bridge: without a connection the browser sends the held requests to the network."""
    lost = ConnectionLost(reason)
    dialogs, effects = _end(dialogs, lambda dialog: dialog.pending_answer is not None, now, PERHAPS_LOST, lost)
    dialogs, more = _end(dialogs, lambda dialog: True, now, LOST)
    return dialogs, (*effects, *more)


def vanish(dialogs: Dialogs, dialog: Dialog, now: float) -> tuple[Dialogs, Effects]:
    """End a dialog whose answer the browser refused: its request is gone."""
    return _end(dialogs, lambda other: other is dialog, now, GONE)


def _ask_later(dialogs: Dialogs, frame_ids: set[str]) -> Effects:
    return tuple(
        Arm(BridgeProbe(dialog.info.id), PROBE_AFTER_S)
        for dialog in dialogs.open
        if dialog.held_request is not None and dialog.info.frame_id in frame_ids
    )


def _probe(dialogs: Dialogs, dialog_id: str) -> Effects:
    dialog = dialogs.find(dialog_id)
    if dialog is None or dialog.held_request is None:
        return ()
    command = fetch.GetResponseBody(request_id=fetch.RequestId(dialog.held_request.request_id))
    tag = BridgeProbed(dialog_id)
    return (Send(command=command, session_id=dialog.info.session_id, tag=tag, timeout_s=PROBE_TIMEOUT_S),)


def _end(
    dialogs: Dialogs, ends: Callable[[Dialog], bool], now: float, note: str, error: Exception | None = None
) -> tuple[Dialogs, Effects]:
    effects: Effects = ()
    for dialog in dialogs.open:
        if dialog.held_request is None or not ends(dialog):
            continue
        dialogs, more = close(dialogs, dialog, now, closed_by="remote", note=note)
        dialogs, closed = settle(dialogs, dialog.info.id)
        effects = (*effects, *more)
        if closed is not None and closed.pending_answer is not None and closed.pending_answer.call_id is not None:
            effects = (
                *effects,
                CompleteCall(closed.pending_answer.call_id, error or DialogAlreadyClosed(closed.record)),
            )
    return dialogs, effects
