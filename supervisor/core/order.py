"""The order in which the slices see an input, and what concerns each of them."""

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
from .calls import calls, leave_page, responsiveness
from .connection import capabilities, lifecycle
from .dialogs import before_close, bridged, detached_frames, dialogs, reconnect
from .observers import blockers, change_feed, console, failed_requests
from .pages import frames, ownership, session_settings, sessions
from .state.world import World
from .vocabulary import command_tags as tags
from .vocabulary import inputs, requests, timers
from .vocabulary.effects import Effects
from .vocabulary.inputs import Input

Advance: TypeAlias = Callable[[World, World, Input, float], tuple[World, Effects]]
"""The world so far, the one before the input, the input, and the time in seconds since the epoch."""


class EveryInput:
    """Stands for every input in `Slice.hears`."""


class Slice(Struct, frozen=True):
    """A place in the order."""

    advance: Advance
    reason: str
    """Why it stands here."""
    hears: frozenset[type]
    """The inputs that concern it: classes of events, tags, timers and of the other inputs."""
    follows: frozenset[str]
    """The fields of `World` whose change concerns it."""
    changes: tuple[str, ...]
    """The fields of `World` that it may change."""


def _slice(advance: Advance, reason: str, *hears: type, follows: str = "", changes: str = "") -> Slice:
    return Slice(advance, reason, frozenset(hears), frozenset(follows.split()), tuple(changes.split()))


def _lose_connection(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """The connection is gone: keep what may be there when it comes back, and end what cannot."""
    if not before.link.is_up or world.link.state not in ("reconnecting", "lost"):
        return world, ()
    reason = world.link.reason
    targets, disarming = sessions.lose(world.targets)
    new_bridge, telling = bridge.lose(world.bridge)
    after_bridge, ending = bridged.lose(world.dialogs, reason, now)
    new_dialogs, freezing = reconnect.lose(after_bridge, reason, now)
    rescues, pausing = detached_frames.pause(world.rescues)
    new_before_close, staying = before_close.lose(world.before_close)
    new_blockers, ended = blockers.lose(world.blockers, reason)
    tabs, refusing = ownership.lose(world.tabs, reason)
    new_frames, settling = frames.lose(world.frames)
    world = replace(
        world,
        tabs=tabs,
        targets=targets,
        frames=new_frames,
        dialogs=new_dialogs,
        bridge=new_bridge,
        fetching=interception.lose(world.fetching),
        rescues=rescues,
        before_close=new_before_close,
        session_settings=session_settings.lose(world.session_settings),
        blockers=new_blockers,
        requests=failed_requests.lose(world.requests),
    )
    effects = (*disarming, *freezing, *telling, *ending, *pausing, *staying, *ended, *refusing, *settling)
    return world, effects


def _become_ready(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """The first picture is complete once every page has answered; where none is ours, one is opened."""
    get_page = () if world.targets.sessions else ownership.open_first(world.tabs)
    link, effects = lifecycle.settle(world.link, world.targets, get_page)
    opens_first = world.tabs.opens_first or (link.needs_page and not world.link.needs_page)
    tabs = world.tabs if opens_first == world.tabs.opens_first else replace(world.tabs, opens_first=opens_first)
    return replace(world, link=link, tabs=tabs), effects


# fmt: off
ORDER: tuple[Slice, ...] = (
    _slice(
        lifecycle.advance,
        "Whether there is a connection decides about everything else.",
        inputs.LinkUp, inputs.LinkLost, inputs.DialFailed, inputs.StopRequested, inputs.AllAnnounced,
        tags.Census, tags.AutoAttach, tags.FirstPage, tags.OwnContext, timers.AnnounceDeadline,
        changes="link",
    ),
    _slice(
        capabilities.advance,
        "What the browser can do depends on nothing else.",
        inputs.LinkUp, page.JavascriptDialogOpening, runtime.ExecutionContextCreated,
        tags.FirstPage, tags.PageCreated, tags.SettingSent,
        changes="capabilities",
    ),
    _slice(
        sessions.advance,
        "Frames and dialogs belong to sessions; a session is set up before anything else is sent to it.",
        target.AttachedToTarget, target.DetachedFromTarget, inspector.TargetCrashed,
        inspector.TargetReloadedAfterCrash, inputs.AllAnnounced, tags.WorkerReleased, tags.SeedTree, tags.SeedChildren,
        tags.HangProbe, timers.SeedRetry, timers.SeedDeadline, timers.HangDeadline,
        changes="targets",
    ),
    _slice(
        ownership.advance,
        "It chooses among the sessions that are there; what follows acts on managed pages alone.",
        inputs.StopRequested, requests.OpenRequested, requests.SelectRequested, runtime.ExecutionContextCreated,
        tags.PageCreated, tags.Census, tags.OwnContext,
        changes="tabs targets",
    ),
    _slice(
        frames.advance,
        "A frame lives in a session; dialogs, calls and blockers in a frame.",
        target.AttachedToTarget, target.DetachedFromTarget, inspector.TargetCrashed, inputs.AllAnnounced,
        page.FrameAttached, page.FrameNavigated, page.NavigatedWithinDocument, page.FrameDetached,
        page.FrameStartedLoading, page.FrameStoppedLoading, runtime.ExecutionContextCreated,
        runtime.ExecutionContextDestroyed, runtime.ExecutionContextsCleared,
        tags.SeedTree, tags.SeedChildren, timers.FrameMoveDeadline,
        changes="frames",
    ),
    _slice(
        detached_frames.advance,
        "It needs the dialogs as they were before this input closes them.",
        page.FrameDetached, runtime.ExecutionContextCreated, target.AttachedToTarget, inputs.StopRequested,
        tags.SeedTree, tags.WatchEnded, tags.OrphanWorld, tags.OrphanCleared, timers.SeedDeadline, timers.OrphanRetry,
        follows="targets frames", changes="rescues",
    ),
    _slice(
        sessions.watch_again,
        "What depends on `Page.enable` is sent after it.",
        follows="rescues",
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
        inputs.LinkUp, inputs.StopRequested, requests.AnswerRequested, requests.RuleArmed, requests.RuleDisarmed,
        tags.DialogAnswer, timers.DialogWatchdog, timers.AnswerRetry, timers.StormCalm,
        follows="targets", changes="dialogs",
    ),
    _slice(
        bridge.advance,
        "It learns from how dialogs of the browser's own have just ended.",
        fetch.RequestPaused, page.JavascriptDialogOpening, page.JavascriptDialogClosed, inputs.StopRequested,
        requests.BridgeEnding, tags.DialogAnswer, tags.BridgeInstalled, tags.BridgeOwner, tags.BridgeTakenBack,
        follows="targets tabs rescues", changes="bridge",
    ),
    _slice(
        bridged.advance,
        "A dialog of the bridge ends where the bridge has been taken out.",
        page.FrameNavigated, page.FrameDetached, inspector.TargetCrashed, inputs.StopRequested, requests.BridgeEnding,
        tags.BridgeProbed, timers.BridgeProbe,
        follows="targets bridge", changes="dialogs",
    ),
    _slice(
        dialogs.open_asked,
        "What a page asks now is opened after what it asked before has ended.",
        follows="bridge", changes="dialogs bridge",
    ),
    _slice(
        interception.advance,
        "A session has one set of patterns: for the bridge, for logins and for places.",
        inputs.PlacesRestricted, fetch.RequestPaused,
        follows="link targets tabs bridge", changes="fetching",
    ),
    _slice(
        session_settings.advance,
        "Its commands need `Page.enable`, too.",
        follows="link targets tabs rescues", changes="session_settings",
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
        changes="requests",
    ),
    _slice(
        ownership.let_run,
        "A new page is let run when all that watches it is set up.",
        target.AttachedToTarget, timers.PopupRelease,
    ),
    _slice(
        console.advance,
        "A message names its frame.",
        runtime.ConsoleAPICalled, runtime.ExceptionThrown, log.EntryAdded, target.AttachedToTarget,
        target.DetachedFromTarget, inputs.AllAnnounced, tags.SeedConsole,
        changes="console",
    ),
    _slice(
        leave_page.make_way,
        "What a page shows that is to be closed is dismissed before it could end a call as blocked.",
        follows="dialogs calls departures", changes="dialogs",
    ),
    _slice(
        before_close.advance,
        "It says whether a page may be closed now, which the calls ask.",
        tags.LeftBeforeClose, timers.LeaveBeforeCloseDeadline,
        follows="targets frames", changes="before_close",
    ),
    _slice(
        _lose_connection,
        "What it brought with it was taken in; what it took with it ends before calls are told.",
        follows="link",
        changes="tabs targets frames dialogs bridge fetching rescues before_close session_settings blockers requests",
    ),
    _slice(
        reconnect.reconcile,
        "A dialog that was closed meanwhile stands in no call's way.",
        follows="dialogs frames targets", changes="dialogs",
    ),
    _slice(
        _become_ready,
        "The start is over when all the rest of this input is taken in.",
        follows="link targets tabs", changes="link tabs",
    ),
    _slice(
        calls.advance,
        "Whether a call can be sent, goes on or ends follows from all of the above.",
        requests.CallRequested, requests.CallAbandoned, tags.CallReply, tags.CallValue, timers.CallDeadline,
        follows="link targets frames dialogs blockers before_close rescues", changes="calls",
    ),
    _slice(
        responsiveness.advance,
        "It watches the calls that have just been sent.",
        tags.HangProbe, timers.HangCheck,
        follows="calls targets", changes="hangs",
    ),
    _slice(
        leave_page.advance,
        "As for calls.",
        page.FrameNavigated, requests.LeaveRequested, tags.LeaveReply, tags.SeedTree,
        timers.LeaveRetry, timers.LeaveDeadline,
        follows="link targets frames dialogs before_close rescues", changes="departures",
    ),
    _slice(
        leave_page.make_way,
        "The same for what this input has asked to be closed.",
        follows="dialogs calls departures", changes="dialogs",
    ),
    _slice(
        leave_page.leave_first,
        "A page that waits to be closed, and may show a dialog that we do not know, is left.",
        follows="link calls departures targets before_close", changes="before_close",
    ),
    _slice(
        change_feed.advance,
        "It tells what has changed.",
        follows="link targets rescues tabs frames fetching dialogs bridge blockers console requests", changes="feed",
    ),
)
# fmt: on

_HEARD_BY: Mapping[type, frozenset[int]] = {
    kind: frozenset(place for place, entry in enumerate(ORDER) if entry.hears & {kind, EveryInput})
    for entry in ORDER
    for kind in entry.hears
}
"""The places in the order of the slices that an input concerns."""

FIRST_FOLLOWER: Mapping[str, int] = {
    field.name: next((place for place, entry in enumerate(ORDER) if field.name in entry.follows), len(ORDER))
    for field in fields(World)
}
"""The place in the order of the first slice that follows a field of `World`."""


@lru_cache(maxsize=1024)
def concerned(kind: type, unseen: frozenset[str]) -> tuple[tuple[int, bool], ...]:
    """The places of the slices that an input may concern: by itself (True), or by what may change before them."""
    hearing, changing, places = _HEARD_BY.get(kind, _HEARD_BY[EveryInput]), set(unseen), list[tuple[int, bool]]()
    for place, entry in enumerate(ORDER):
        if place in hearing or not entry.follows.isdisjoint(changing):
            places.append((place, place in hearing))
            changing.update(entry.changes)
    return tuple(places)
