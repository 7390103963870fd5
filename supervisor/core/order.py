"""`ORDER`: the order in which the slices see an input, and the inputs and changes that concern each of them."""

# pyright: reportDeprecated=false
# As inputs.py says.

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import fields, replace

from cdp_typed.protocol import debugger, fetch, inspector, log, network, page, runtime, target

from .bridge import bridge, interception
from .calls import calls, navigations, responsiveness
from .connection import capabilities, lifecycle
from .dialogs import before_close, bridged, detached_frames, dialogs, reconnect
from .observers import blockers, change_log, console, failed_requests
from .pages import frames, ownership, session_settings, sessions
from .state.world import World
from .vocabulary import command_tags as tags
from .vocabulary import inputs, requests, timers
from .vocabulary.effects import Effects
from .vocabulary.inputs import Input

Advance: TypeAlias = Callable[[World, World, Input, float], tuple[World, Effects]]
"""Takes the world so far, the world before the input, the input, and the time in seconds since the epoch."""


class EveryInput:
    """Stands for every input in `Slice.inputs`."""


class Slice(Struct, frozen=True):
    """An entry of the order."""

    advance: Advance
    reason: str
    """The reason for its position."""
    inputs: frozenset[type]
    """The inputs that concern it: classes of events, tags, timers and of the other inputs."""
    follows: frozenset[str]
    """The fields of `World` whose change concerns it."""
    changes: tuple[str, ...]
    """The fields of `World` that it may change."""


def _slice(advance: Advance, reason: str, *concerned_by: type, follows: str = "", changes: str = "") -> Slice:
    return Slice(advance, reason, frozenset(concerned_by), frozenset(follows.split()), tuple(changes.split()))


def _on_disconnected(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """End the state of a lost connection, and mark as stale what may still exist when it is opened again."""
    if not before.connection.is_up or world.connection.state not in ("reconnecting", "lost"):
        return world, ()
    reason = world.connection.reason
    targets, disarming = sessions.on_disconnected(world.targets)
    new_bridge, completing = bridge.on_disconnected(world.bridge)
    after_bridge, ending = bridged.on_disconnected(world.dialogs, reason, now)
    new_dialogs, freezing = reconnect.on_disconnected(after_bridge, reason, now)
    detached, pausing = detached_frames.pause(world.detached_frame_dialogs)
    new_before_close, staying = before_close.on_disconnected(world.before_close)
    new_blockers, ended = blockers.on_disconnected(world.blockers, reason)
    new_ownership, refusing = ownership.on_disconnected(world.page_ownership, reason)
    new_frames, settling = frames.on_disconnected(world.frames)
    world = replace(
        world,
        page_ownership=new_ownership,
        targets=targets,
        frames=new_frames,
        dialogs=new_dialogs,
        bridge=new_bridge,
        interception=interception.on_disconnected(world.interception),
        detached_frame_dialogs=detached,
        before_close=new_before_close,
        session_settings=session_settings.on_disconnected(world.session_settings),
        blockers=new_blockers,
        network_requests=failed_requests.on_disconnected(world.network_requests),
    )
    effects = (*disarming, *freezing, *completing, *ending, *pausing, *staying, *ended, *refusing, *settling)
    return world, effects


def _become_ready(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Become ready when every page has answered; open a page if the supervisor has none."""
    get_page = () if world.targets.sessions else ownership.open_first(world.page_ownership)
    connection, effects = lifecycle.become_ready(world.connection, world.targets, get_page)
    page_ownership = world.page_ownership
    if connection.needs_page and not world.connection.needs_page:
        page_ownership = replace(page_ownership, opens_first=True)
    return replace(world, connection=connection, page_ownership=page_ownership), effects


# fmt: off
ORDER: tuple[Slice, ...] = (
    _slice(
        lifecycle.advance,
        "Whether there is a connection decides about everything else.",
        inputs.Connected, inputs.Disconnected, inputs.ConnectFailed, inputs.StopRequested, inputs.AllAnnounced,
        tags.BrowserIdentity, tags.AutoAttach, tags.FirstPage, tags.OwnContext, timers.AnnounceDeadline,
        changes="connection",
    ),
    _slice(
        capabilities.advance,
        "What the browser can do depends on nothing else.",
        inputs.Connected, page.JavascriptDialogOpening, runtime.ExecutionContextCreated,
        tags.FirstPage, tags.PageCreated, tags.SettingSent,
        changes="capabilities",
    ),
    _slice(
        sessions.advance,
        "Frames and dialogs belong to sessions; a session is set up before anything else is sent to it.",
        target.AttachedToTarget, target.DetachedFromTarget, inspector.TargetCrashed,
        inspector.TargetReloadedAfterCrash, inputs.AllAnnounced, tags.WorkerReleased, tags.FrameTreeReply,
        tags.ChildAutoAttach, tags.HangProbe, timers.FrameTreeRetry, timers.SetupDeadline, timers.HangDeadline,
        changes="targets",
    ),
    _slice(
        ownership.advance,
        "It chooses among the sessions that are there; what follows acts on managed pages alone.",
        inputs.StopRequested, requests.OpenRequested, requests.SelectRequested, runtime.ExecutionContextCreated,
        tags.PageCreated, tags.BrowserIdentity, tags.OwnContext,
        changes="page_ownership targets",
    ),
    _slice(
        frames.advance,
        "A frame lives in a session; dialogs, calls and blockers in a frame.",
        target.AttachedToTarget, target.DetachedFromTarget, inspector.TargetCrashed, inputs.AllAnnounced,
        page.FrameAttached, page.FrameNavigated, page.NavigatedWithinDocument, page.FrameDetached,
        page.FrameStartedLoading, page.FrameStoppedLoading, runtime.ExecutionContextCreated,
        runtime.ExecutionContextDestroyed, runtime.ExecutionContextsCleared,
        tags.FrameTreeReply, tags.ChildAutoAttach, timers.FrameMoveDeadline,
        changes="frames",
    ),
    _slice(
        detached_frames.advance,
        "It needs the dialogs as they were before this input closes them.",
        page.FrameDetached, runtime.ExecutionContextCreated, target.AttachedToTarget, inputs.StopRequested,
        tags.FrameTreeReply, tags.PageDisabled, tags.DetachedDialogWorld, tags.DetachedDialogEnded,
        timers.SetupDeadline, timers.DetachedDialogRetry,
        follows="targets frames", changes="detached_frame_dialogs",
    ),
    _slice(
        sessions.watch_again,
        "What depends on `Page.enable` is sent after it.",
        follows="detached_frame_dialogs",
    ),
    _slice(
        reconnect.advance,
        "A dialog is answered on the session that took the place of its own.",
        target.AttachedToTarget,
        changes="dialogs",
    ),
    _slice(
        dialogs.expire_rules,
        "No rule answers a dialog after its time. No timer runs for it: any input will do.",
        EveryInput,
        changes="dialogs",
    ),
    _slice(
        dialogs.advance,
        "Its dialogs are what the bridge learns from, and what stands in the way of calls.",
        page.JavascriptDialogOpening, page.JavascriptDialogClosed, page.FrameDetached, page.FrameNavigated,
        inputs.Connected, inputs.StopRequested, requests.AnswerRequested, requests.RuleArmed, requests.RuleDisarmed,
        tags.DialogAnswer, timers.DialogWatchdog, timers.AnswerRetry, timers.RateLimitReset,
        follows="targets", changes="dialogs",
    ),
    _slice(
        bridge.advance,
        "It learns from how dialogs of the browser's own have just ended.",
        fetch.RequestPaused, page.JavascriptDialogOpening, page.JavascriptDialogClosed, inputs.StopRequested,
        requests.BridgeEnding, tags.DialogAnswer, tags.BridgeInstalled, tags.BridgeOwner, tags.BridgeRemoved,
        follows="targets page_ownership detached_frame_dialogs", changes="bridge",
    ),
    _slice(
        bridged.advance,
        "A dialog of the bridge ends where the bridge has been taken out.",
        page.FrameNavigated, page.FrameDetached, inspector.TargetCrashed, inputs.StopRequested, requests.BridgeEnding,
        tags.BridgeProbed, timers.BridgeProbe,
        follows="targets bridge", changes="dialogs",
    ),
    _slice(
        dialogs.open_bridged,
        "What a page asks now is opened after what it asked before has ended.",
        follows="bridge", changes="dialogs bridge",
    ),
    _slice(
        interception.advance,
        "A session has one set of patterns: for the bridge, for logins and for URL rules.",
        inputs.UrlRulesAdded, fetch.RequestPaused,
        follows="connection targets page_ownership bridge", changes="interception",
    ),
    _slice(
        session_settings.advance,
        "Its commands need `Page.enable`, too.",
        follows="connection targets page_ownership detached_frame_dialogs", changes="session_settings",
    ),
    _slice(
        blockers.advance,
        "They belong to sessions and frames.",
        page.FileChooserOpened, page.DownloadWillBegin, page.DownloadProgress, debugger.Paused, debugger.Resumed,
        fetch.AuthRequired, page.FrameNavigated, inputs.StopRequested, requests.UnblockRequested, tags.BlockerAnswer,
        follows="targets frames blockers", changes="blockers",
    ),
    _slice(
        failed_requests.advance,
        "A session is watched before its page runs.",
        target.AttachedToTarget, target.DetachedFromTarget, network.RequestWillBeSent, network.ResponseReceived,
        network.LoadingFinished, network.LoadingFailed,
        changes="network_requests",
    ),
    _slice(
        ownership.release_new_page,
        "A new page is let run when everything that watches it is set up.",
        target.AttachedToTarget, timers.PopupRelease,
    ),
    _slice(
        console.advance,
        "A message names its frame.",
        runtime.ConsoleAPICalled, runtime.ExceptionThrown, log.EntryAdded, target.AttachedToTarget,
        target.DetachedFromTarget, inputs.AllAnnounced, tags.LogEnabled,
        changes="console",
    ),
    _slice(
        navigations.dismiss_in_the_way,
        "What a page shows that is to be closed is dismissed before it could end a call as blocked.",
        follows="dialogs calls navigations", changes="dialogs",
    ),
    _slice(
        before_close.advance,
        "Calls depend on it: it says whether a page may be closed now.",
        tags.BlankBeforeClose, timers.BlankBeforeCloseDeadline,
        follows="targets frames", changes="before_close",
    ),
    _slice(
        _on_disconnected,
        "What came before it was taken in; what ended with it ends before calls are completed.",
        follows="connection",
        changes="page_ownership targets frames dialogs bridge interception detached_frame_dialogs before_close "
        "session_settings blockers network_requests",
    ),
    _slice(
        reconnect.reconcile,
        "A dialog that was closed meanwhile stands in no call's way.",
        follows="dialogs frames targets", changes="dialogs",
    ),
    _slice(
        _become_ready,
        "The start is over when the rest of this input is taken in.",
        follows="connection targets page_ownership", changes="connection page_ownership",
    ),
    _slice(
        calls.advance,
        "Whether a call can be sent, goes on or ends follows from all of the above.",
        requests.CallRequested, requests.CallAbandoned, tags.CallReply, tags.CallValue, timers.CallDeadline,
        follows="connection targets frames dialogs blockers before_close detached_frame_dialogs", changes="calls",
    ),
    _slice(
        responsiveness.advance,
        "It watches the calls that have just been sent.",
        tags.HangProbe, timers.HangCheck,
        follows="calls targets", changes="hang_probes",
    ),
    _slice(
        navigations.advance,
        "As for calls: it follows from all of the above.",
        page.FrameNavigated, inspector.TargetCrashed, requests.NavigationRequested, tags.NavigationReply,
        tags.FrameTreeReply, timers.NavigationRetry, timers.NavigationDeadline,
        follows="connection targets frames dialogs before_close detached_frame_dialogs", changes="navigations",
    ),
    _slice(
        navigations.dismiss_in_the_way,
        "The same for what this input has asked to be closed.",
        follows="dialogs calls navigations", changes="dialogs",
    ),
    _slice(
        navigations.go_to_blank_first,
        "A page that waits to be closed, and may show a dialog that is not known, is navigated away first.",
        follows="connection calls navigations targets before_close", changes="before_close",
    ),
    _slice(
        change_log.advance,
        "It writes down what the others have changed.",
        follows="connection targets detached_frame_dialogs page_ownership frames interception dialogs bridge blockers "
        "console network_requests",
        changes="change_log",
    ),
)
# fmt: on

_SLICES_BY_INPUT: Mapping[type, frozenset[int]] = {
    kind: frozenset(position for position, entry in enumerate(ORDER) if entry.inputs & {kind, EveryInput})
    for entry in ORDER
    for kind in entry.inputs
}
"""The positions of the slices that an input concerns."""

FIRST_FOLLOWER: Mapping[str, int] = {
    field.name: next((position for position, entry in enumerate(ORDER) if field.name in entry.follows), len(ORDER))
    for field in fields(World)
}
"""The position of the first slice that follows a field of `World`."""


@lru_cache(maxsize=1024)
def concerned(kind: type, unseen: frozenset[str]) -> tuple[tuple[int, bool], ...]:
    """Return the positions of the slices that an input may concern: by itself (True), or by what may change before."""
    by_input, changing = _SLICES_BY_INPUT.get(kind, _SLICES_BY_INPUT[EveryInput]), set(unseen)
    positions: list[tuple[int, bool]] = []
    for position, entry in enumerate(ORDER):
        if position in by_input or not entry.follows.isdisjoint(changing):
            positions.append((position, position in by_input))
            changing.update(entry.changes)
    return tuple(positions)
