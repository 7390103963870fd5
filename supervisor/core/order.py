"""`ORDER`: the order in which the slices see an input, and the inputs and changes that concern each of them."""

# pyright: reportDeprecated=false
# As inputs.py says.

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import fields, replace

from cdp_typed.protocol import browser, debugger, fed_cm, fetch, inspector, log, network, page, runtime, target

from .bridge import bridge, interception
from .calls import calls, navigations, responsiveness
from .connection import capabilities, lifecycle
from .dialogs import before_close, bridged, detached_frames, dialogs, reconnect
from .observers import (
    blockers,
    change_log,
    console,
    failed_requests,
    followed_downloads,
    print_previews,
    seen_requests,
)
from .pages import frames, init_scripts, opening, ownership, page_emulation, session_settings, sessions
from .slices import EveryInput, Guard, Slice
from .state.world import World
from .vocabulary import command_tags as tags
from .vocabulary import inputs, requests, timers
from .vocabulary.effects import Effects
from .vocabulary.inputs import Input

_CALL_PENDING = Guard.of("a call is pending", "calls.pending")
_CLOSING_REQUESTED = Guard.of("a caller navigates or closes a page", "navigations.pending", "calls.closing")
_DIALOG_OPEN = Guard.of("a dialog is open", "dialogs.open")
_NAVIGATION_PENDING = Guard.of("a navigation is pending", "navigations.pending")
_RULE_ARMED = Guard.of("a dialog rule is armed", "dialogs.rules.armed", "dialogs.rules.standing")


def _on_disconnected(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """End the state of a lost connection, and mark as stale what may still exist when it is opened again."""
    if not before.connection.is_up or world.connection.state not in ("reconnecting", "lost"):
        return world, ()
    reason = world.connection.reason
    targets, disarming = sessions.on_disconnected(world.targets)
    new_bridge, completing = bridge.on_disconnected(world.bridge)
    # Dialogs of the bridge end with their held requests. The browser's own may stay open, but a new session cannot
    # answer them (measured on Chromium 156).
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
        emulated=page_emulation.on_disconnected(world.emulated),
        init_scripts=init_scripts.on_disconnected(world.init_scripts),
        blockers=new_blockers,
        network_requests=failed_requests.on_disconnected(world.network_requests),
    )
    effects = (*disarming, *freezing, *completing, *ending, *pausing, *staying, *ended, *refusing, *settling)
    return world, effects


def _become_ready(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Become ready when every page has answered; open a page if the supervisor has none."""
    get_page = () if world.targets.sessions else opening.open_first(world.page_ownership)
    connection, effects = lifecycle.become_ready(world.connection, world.targets, get_page)
    page_ownership = world.page_ownership
    if connection.needs_page and not world.connection.needs_page:
        page_ownership = replace(page_ownership, opens_first=True)
    return replace(world, connection=connection, page_ownership=page_ownership), effects


# fmt: off
ORDER: tuple[Slice, ...] = (
    Slice.of(
        lifecycle.advance,
        "Every other slice depends on the state of the connection.",
        inputs.Connected, inputs.PersonAsked, inputs.Disconnected, inputs.ConnectFailed, inputs.StopRequested,
        inputs.AllAnnounced,
        tags.BrowserIdentity, tags.BrowserAutoAttach, tags.FirstPage, tags.OwnContext, timers.AnnounceDeadline,
        changes="connection",
    ),
    Slice.of(
        capabilities.advance,
        "The browser's capabilities depend on no other slice.",
        inputs.Connected, page.JavascriptDialogOpening, runtime.ExecutionContextCreated,
        tags.FirstPage, tags.PageCreated, tags.SettingSent,
        changes="capabilities",
    ),
    Slice.of(
        sessions.advance,
        "Frames and dialogs belong to sessions. A session gets its set-up commands before any others.",
        target.AttachedToTarget, target.DetachedFromTarget, inspector.TargetCrashed,
        inspector.TargetReloadedAfterCrash, inputs.AllAnnounced, tags.WorkerReleased, tags.FrameTreeReply,
        tags.ChildAutoAttach, tags.HangProbe, timers.FrameTreeRetry, timers.SetupDeadline, timers.HangDeadline,
        changes="targets",
    ),
    Slice.of(
        ownership.advance,
        "It needs the sessions. The slices after it act on managed pages only.",
        inputs.StopRequested, requests.OpenRequested, requests.SelectRequested, requests.GiveRequested,
        requests.TakeBackRequested, runtime.ExecutionContextCreated, target.DetachedFromTarget,
        tags.ContextMade, tags.PageCreated, tags.PageSought, tags.PageGiven, tags.BrowserIdentity, tags.OwnContext,
        changes="page_ownership targets",
    ),
    Slice.of(
        frames.advance,
        "A frame belongs to a session. Dialogs, calls and blockers belong to frames.",
        target.AttachedToTarget, target.DetachedFromTarget, inspector.TargetCrashed, inputs.AllAnnounced,
        page.FrameAttached, page.FrameNavigated, page.NavigatedWithinDocument, page.FrameDetached,
        page.FrameStartedLoading, page.FrameStoppedLoading, page.LifecycleEvent, runtime.ExecutionContextCreated,
        runtime.ExecutionContextDestroyed, runtime.ExecutionContextsCleared,
        tags.FrameTreeReply, tags.ChildAutoAttach, timers.FrameMoveDeadline, timers.UnloadedFramesCheck,
        changes="frames",
    ),
    Slice.of(
        detached_frames.advance,
        "It reads the dialogs of a detached iframe before `dialogs` closes them.",
        page.FrameDetached, runtime.ExecutionContextCreated, target.AttachedToTarget, inputs.StopRequested,
        tags.FrameTreeReply, tags.PageDisabled, tags.DetachedDialogWorld, tags.DetachedDialogEnded,
        timers.SetupDeadline, timers.DetachedDialogRetry,
        depends_on="targets frames", changes="detached_frame_dialogs",
    ),
    Slice.of(
        sessions.watch_again,
        "It sends `Page.enable`, and later slices send commands that depend on it.",
        depends_on="detached_frame_dialogs",
    ),
    Slice.of(
        reconnect.advance,
        "Later slices answer a dialog on the session that has replaced the one that announced it.",
        target.AttachedToTarget,
        changes="dialogs", guard=_DIALOG_OPEN,
    ),
    Slice.of(
        dialogs.expire_rules,
        "An expired rule must not answer a dialog. Every input expires rules, so they need no timer.",
        EveryInput,
        changes="dialogs", guard=_RULE_ARMED,
    ),
    Slice.of(
        dialogs.advance,
        "The bridge learns from the dialogs that have ended, and open dialogs block calls.",
        page.JavascriptDialogOpening, page.JavascriptDialogClosed, page.FrameDetached, page.FrameNavigated,
        inputs.Connected, inputs.StopRequested, requests.AnswerRequested, requests.RuleArmed, requests.RuleDisarmed,
        tags.DialogAnswer, timers.DialogWatchdog, timers.AnswerRetry, timers.RateLimitReset,
        depends_on="targets", changes="dialogs",
    ),
    Slice.of(
        bridge.arm,
        "It counts the dialogs that have just ended.",
        page.JavascriptDialogClosed, tags.DialogAnswer,
        changes="bridge",
    ),
    Slice.of(
        bridge.advance,
        "A bridge that was just armed is installed in the same step.",
        fetch.RequestPaused, page.JavascriptDialogOpening, page.JavascriptDialogClosed, inputs.StopRequested,
        tags.DialogAnswer, tags.BridgeOwner, tags.BridgeRemoved,
        depends_on="targets page_ownership detached_frame_dialogs", changes="bridge",
        guard=Guard.of(
            "the bridge is armed, or is being removed", "bridge.is_armed", "bridge.sessions", "bridge.ending"
        ),
        wakes_on=(requests.BridgeEnding, tags.BridgeInstalled),
    ),
    Slice.of(
        bridged.advance,
        "A dialog of the bridge ends when the bridge is removed from its session.",
        page.FrameNavigated, page.FrameDetached, inspector.TargetCrashed, inputs.StopRequested, requests.BridgeEnding,
        tags.BridgeProbed, timers.BridgeProbe,
        depends_on="targets bridge", changes="dialogs", guard=_DIALOG_OPEN,
    ),
    Slice.of(
        dialogs.open_bridged,
        "A page's earlier dialog ends before its next one opens.",
        depends_on="bridge", changes="dialogs bridge",
        guard=Guard.of("the bridge has allowed a request", "bridge.allowed"),
    ),
    Slice.of(
        interception.advance,
        "A session has one set of patterns for the bridge, for logins, for URL rules and for routes.",
        fetch.RequestPaused, timers.RouteDelay, tags.RequestAnswered,
        depends_on="connection targets page_ownership bridge", changes="interception",
        guard=Guard.of(
            "a session is to hold requests, or does",
            "interception.url_rules", "interception.http_auth", "interception.routes", "interception.applied",
            "bridge.sessions",
        ),
        wakes_on=(inputs.UrlRulesAdded, requests.RouteAdded, requests.RoutesRemoved),
    ),
    Slice.of(
        session_settings.advance,
        "Its commands depend on `Page.enable`.",
        depends_on="connection targets page_ownership detached_frame_dialogs", changes="session_settings",
    ),
    Slice.of(
        page_emulation.advance,
        "A new page has it before it runs.",
        tags.EmulationSent,
        depends_on="connection targets page_ownership", changes="emulated",
        guard=Guard.of(
            "something is emulated", "emulated.commands", "emulated.applied", "emulated.permissions", "emulated.granted"
        ),
        wakes_on=(requests.EmulationRequested,),
    ),
    Slice.of(
        init_scripts.advance,
        "A new page has the scripts before it runs.",
        depends_on="connection targets page_ownership detached_frame_dialogs", changes="init_scripts",
        guard=Guard.of(
            "a script is to run in new documents, or does", "init_scripts.scripts", "init_scripts.installed"
        ),
        wakes_on=(requests.InitScriptAdded, requests.InitScriptsRemoved, tags.InitScriptSent),
    ),
    Slice.of(
        blockers.advance,
        "Blockers belong to sessions and frames.",
        page.DownloadProgress, debugger.Resumed, page.FrameNavigated, inputs.StopRequested, tags.BlockerAnswer,
        fed_cm.DialogClosed,
        depends_on="targets frames blockers", changes="blockers",
        guard=Guard.of("something besides dialogs blocks a page", "blockers.entries", "blockers.ending"),
        wakes_on=(
            page.FileChooserOpened, page.DownloadWillBegin, browser.DownloadProgress, debugger.Paused,
            fetch.AuthRequired, fed_cm.DialogShown, requests.UnblockRequested,
        ),
    ),
    Slice.of(
        followed_downloads.ask_browser,
        "It needs the browser contexts.",
        tags.BrowserAutoAttach, tags.OwnContext, tags.ContextMade, tags.DownloadsAsked,
        changes="blockers",
    ),
    Slice.of(
        print_previews.advance,
        "It opens blockers, which belong to sessions.",
        target.DetachedFromTarget, tags.HangProbe, tags.PrintPreviewSearch, tags.PrintPreviewAttached,
        tags.PromiseProbe,
        changes="blockers",
    ),
    Slice.of(
        failed_requests.advance,
        "It sends `Network.enable` before a new page runs.",
        target.AttachedToTarget, target.DetachedFromTarget, network.RequestWillBeSent, network.ResponseReceived,
        network.LoadingFinished, network.LoadingFailed,
        changes="network_requests",
        guard=Guard.of("requests are watched", "network_requests.is_watched"),
        wakes_on=(requests.RequestsWatched,),
    ),
    Slice.of(
        seen_requests.advance,
        "The slice before it enables the events.",
        network.RequestWillBeSent, network.ResponseReceived, network.LoadingFinished, network.LoadingFailed,
        changes="network_requests",
        guard=Guard.of("requests are kept", "network_requests.keeps_since"),
    ),
    Slice.of(
        ownership.release_new_page,
        "A new page runs only after all commands that watch it were sent.",
        target.AttachedToTarget, timers.PopupRelease,
    ),
    Slice.of(
        console.advance,
        "A console message refers to a frame.",
        runtime.ConsoleAPICalled, runtime.ExceptionThrown, log.EntryAdded, target.AttachedToTarget,
        target.DetachedFromTarget, page.FrameNavigated, inputs.AllAnnounced, tags.LogEnabled,
        changes="console",
    ),
    Slice.of(
        navigations.dismiss_in_the_way,
        "A page that is being navigated or closed has its dialogs dismissed before they end a call as blocked.",
        depends_on="dialogs calls navigations", changes="dialogs", guard=_CLOSING_REQUESTED,
    ),
    Slice.of(
        before_close.advance,
        "It decides whether a call may close a page now.",
        tags.BlankBeforeClose, timers.BlankBeforeCloseDeadline,
        depends_on="targets frames", changes="before_close",
        guard=Guard.of(
            "a page goes to `about:blank` before it is closed", "before_close.going_to_blank", "before_close.stuck"
        ),
    ),
    Slice.of(
        _on_disconnected,
        "The slices above have taken the input. State that ends with the connection ends before calls complete.",
        depends_on="connection",
        changes="page_ownership targets frames dialogs bridge interception detached_frame_dialogs before_close "
        "session_settings emulated init_scripts blockers network_requests",
    ),
    Slice.of(
        reconnect.reconcile,
        "A dialog that ended while there was no connection must not block a call.",
        depends_on="dialogs frames targets", changes="dialogs", guard=_DIALOG_OPEN,
    ),
    Slice.of(
        _become_ready,
        "The start ends only after the slices above have taken the input.",
        depends_on="connection targets page_ownership", changes="connection page_ownership",
    ),
    Slice.of(
        calls.advance,
        "The slices above decide whether a call can be sent, continues or ends.",
        requests.CallAbandoned, tags.CallReply, tags.CallValue, timers.CallDeadline,
        depends_on="connection targets frames dialogs blockers before_close detached_frame_dialogs", changes="calls",
        guard=_CALL_PENDING, wakes_on=(requests.CallRequested,),
    ),
    Slice.of(
        responsiveness.advance,
        "It watches a call from the step in which it is sent.",
        tags.HangProbe, timers.HangCheck,
        depends_on="calls targets", changes="hang_probes",
    ),
    Slice.of(
        navigations.advance,
        "The slices above decide whether a page can be navigated or closed now.",
        page.FrameStartedNavigating, page.FrameNavigated, inspector.TargetCrashed, tags.NavigationReply,
        tags.FrameTreeReply,
        timers.NavigationRetry, timers.NavigationDeadline,
        depends_on="connection targets frames dialogs blockers before_close detached_frame_dialogs",
        changes="navigations",
        guard=_NAVIGATION_PENDING, wakes_on=(requests.NavigationRequested,),
    ),
    Slice.of(
        navigations.dismiss_in_the_way,
        "This input may have asked to navigate or close another page, whose dialogs are dismissed now.",
        depends_on="dialogs calls navigations", changes="dialogs", guard=_CLOSING_REQUESTED,
    ),
    Slice.of(
        navigations.go_to_blank_first,
        "A page that waits to be closed and may show an unannounced dialog goes to `about:blank` first.",
        depends_on="connection calls navigations targets before_close", changes="before_close",
        guard=_CLOSING_REQUESTED,
    ),
    Slice.of(
        change_log.advance,
        "It records the changes of all other slices.",
        depends_on="connection targets detached_frame_dialogs page_ownership frames interception dialogs bridge "
        "blockers console network_requests",
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
    field.name: next((position for position, entry in enumerate(ORDER) if field.name in entry.depends_on), len(ORDER))
    for field in fields(World)
}
"""The position of the first slice that follows a field of `World`."""


@lru_cache(maxsize=1024)
def concerned(kind: type, pending_changes: frozenset[str]) -> tuple[tuple[int, bool], ...]:
    """Return the positions of the slices that an input may concern: by itself (True), or by what may change before."""
    by_input, changing = _SLICES_BY_INPUT.get(kind, _SLICES_BY_INPUT[EveryInput]), set(pending_changes)
    positions: list[tuple[int, bool]] = []
    for position, entry in enumerate(ORDER):
        if position in by_input or not entry.depends_on.isdisjoint(changing):
            positions.append((position, position in by_input))
            changing.update(entry.changes)
    return tuple(positions)
