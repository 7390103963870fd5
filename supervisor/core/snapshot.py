"""`snapshot`, which turns the state into the public value, with limits that keep it small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from cdp_typed.protocol import page, runtime, target

from .state.bridge import Bridge
from .state.calls import Call, PageNavigation
from .state.frames import Frame, Frames
from .state.pages import Session
from .state.world import State, World
from .vocabulary.requests import ClosePage, Evaluate, NavigatePage
from .vocabulary.values import (
    Blocker,
    BlockerKind,
    BridgeInfo,
    CallInfo,
    FrameInfo,
    FrameTree,
    PageInfo,
    SupervisorSnapshot,
)

MAX_CALL_TEXT = 200
"""Characters of a call's expression or address that are shown."""

_READ_FOR_PAGES = (
    "capabilities",
    "page_ownership",
    "targets",
    "frames",
    "bridge",
    "detached_frame_dialogs",
    "blockers",
)
"""The fields of `World` of which the pages, their frames and blockers, and what is lacking are made."""

_CANNOT_GO_ON: dict[BlockerKind, str] = {
    "crash": "its process crashed",
    "unresponsive": "it answers nothing: a dialog that opened before we came, or a script without end",
}

_WAYS_OUT: dict[BlockerKind, tuple[str, ...]] = {
    "crash": ("reload_page", "navigate", "close_page"),
    "unresponsive": ("wait", "terminate", "reload_page", "navigate", "close_page"),
}


def snapshot(state: State, before: tuple[State, SupervisorSnapshot] | None = None) -> SupervisorSnapshot:
    """The whole state as one immutable public value. `before` is another state with its snapshot, which gives the parts
    that are the same."""
    world = state.world
    if before is not None and all(getattr(world, name) is getattr(before[0].world, name) for name in _READ_FOR_PAGES):
        made = before[1]
        pages, frame_tree, blockers, lacks = made.pages, made.frame_tree, made.blockers, made.lacks
    else:
        pages = tuple(_page(session, world) for session in world.targets.pages())
        frame_tree, blockers = _tree(world), tuple(_blockers(world))
        lacks = (*world.capabilities.lacking, *_not_bridged(world))
    return SupervisorSnapshot(
        state=world.connection.state,
        reason=world.connection.reason,
        pages=pages,
        pending_dialogs=tuple(dialog.info for dialog in world.dialogs.open),
        recent_dialogs=tuple(closed.record for closed in world.dialogs.closed),
        dialog_rules=world.dialogs.rules.waiting,
        dialog_storms=world.dialogs.rate_limit.storms,
        bridge=_bridge(world.bridge),
        frame_tree=frame_tree,
        console=world.console.messages,
        console_dropped=world.console.dropped,
        console_counts=world.console.counts,
        blockers=blockers,
        recent_downloads=world.blockers.ended_downloads,
        failed_requests=world.network_requests.failed,
        cursor=state.world.change_log.count,
        lacks=lacks,
        epoch=world.connection.epoch,
    )


def frames(state: State) -> tuple[FrameInfo, ...]:
    """The frames of every page, page by page, each depth first."""
    world = state.world
    return tuple(_info(frame, world.frames) for page_id in world.frames.tops for frame in world.frames.of_page(page_id))


def calls(state: State) -> tuple[CallInfo, ...]:
    """The calls that have not ended, the oldest first."""
    world = state.world
    infos = [_call(call, world) for call in world.calls.pending.values()]
    infos += [_navigation(navigation, world) for navigation in world.navigations.pending.values()]
    return tuple(sorted(infos, key=lambda call: call.since))


def _call(call: Call, world: World) -> CallInfo:
    work = call.work
    return CallInfo(
        id=call.call_id,
        what=runtime.Evaluate.METHOD if isinstance(work, Evaluate) else work.METHOD,
        text=work.expression[:MAX_CALL_TEXT] if isinstance(work, Evaluate) else "",
        frame_id=call.frame.frame_id if call.frame else None,
        since=call.begun_at,
        waits_for=_obstacle(call.frame.page_id if call.frame else "", world) or _next_step(call),
    )


def _navigation(navigation: PageNavigation, world: World) -> CallInfo:
    work, what, waits_for = navigation.work, page.Reload.METHOD, "the new document"
    if isinstance(work, NavigatePage):
        what = page.Navigate.METHOD
    elif isinstance(work, ClosePage):
        what, waits_for = target.CloseTarget.METHOD, "the end of the page"
    return CallInfo(
        id=navigation.call_id,
        what=what,
        text=work.url[:MAX_CALL_TEXT] if isinstance(work, NavigatePage) else "",
        frame_id=navigation.page_id,
        since=navigation.begun_at,
        waits_for=_obstacle(navigation.page_id, world) or waits_for,
    )


def _obstacle(page_id: str, world: World) -> str:
    """Return what is known to be in the way on a page."""
    if not world.connection.is_up:
        return "the connection to the browser"
    open_ids = [dialog.info.id for dialog in world.dialogs.open if dialog.info.target_id == page_id]
    if open_ids:
        return f"the page, which shows {', '.join(open_ids)}"
    session = world.targets.page(page_id)
    return "the page, which does not respond" if session is not None and session.unresponsive else ""


def _next_step(call: Call) -> str:
    if call.frame is None:
        return "an answer of the browser"
    return "an answer of the page" if call.sent else "the frame's document"


def _bridge(bridge: Bridge) -> BridgeInfo:
    state: Literal["off", "armed"] = "armed" if bridge.is_armed else "off"
    return BridgeInfo(state=state, reason=bridge.reason, native=bridge.native)


def _page(session: Session, world: World) -> PageInfo:
    top = world.frames.root(session.target_id)
    return PageInfo(
        target_id=session.target_id,
        session_id=session.session_id,
        url=top.url if top else "",
        status=world.status(session),
        is_current=session.target_id == world.targets.current,
        opener_id=session.opener_page_id,
        is_ours=session.target_id in world.page_ownership.opened,
        is_managed=world.page_ownership.manages(session.target_id),
        is_given=session.target_id in world.page_ownership.given,
        context=world.page_ownership.context_name(session.browser_context_id),
        stale=session.stale,
    )


def _not_bridged(world: World) -> Iterator[str]:
    """Yield a sentence for each page without the bridge that the setting `always` asks for."""
    for page_id in world.not_bridged():
        yield (
            f"page {page_id} has no dialog bridge, because it belongs to a person or another "
            "client; select_page puts the bridge there"
        )


def _blockers(world: World) -> Iterator[Blocker]:
    """Yield the announced blockers, then a blocker for each page or iframe that has crashed or does not respond."""
    yield from (entry.info for entry in world.blockers.entries)
    for session in world.targets.pages():
        if session.status == "crashed":
            yield _cannot_go_on("crash", session, world)
        elif session.status == "unresponsive":
            yield _cannot_go_on("unresponsive", session, world)
        else:
            for iframe in world.silent_iframes(session.target_id):
                yield _cannot_go_on("unresponsive", iframe, world)


def _cannot_go_on(kind: BlockerKind, session: Session, world: World) -> Blocker:
    frame = world.frames.nodes.get(session.target_id) if session.is_iframe else world.frames.root(session.target_id)
    return Blocker(
        id=f"{kind}-{session.target_id}",
        kind=kind,
        target_id=session.page_id,
        frame_id=frame.frame_id if frame else None,
        session_id=session.session_id,
        url=frame.url if frame else "",
        text=_CANNOT_GO_ON[kind],
        since=session.since,
        ways_out=_WAYS_OUT[kind],
    )


def _tree(world: World) -> FrameTree:
    top = world.frame(None)
    if top is None:
        return FrameTree(top=None, children=(), truncated=False, total=0)
    limits, below = world.frames.limits, tuple(world.frames.descendants(top.frame_id))
    shallow = tuple(frame for frame in below if _oopif_depth(frame, world.frames) <= limits.oopif_depth)
    shown = shallow[: limits.count]
    return FrameTree(
        top=_info(top, world.frames),
        children=tuple(_info(frame, world.frames) for frame in shown),
        truncated=len(shown) < len(below),
        total=1 + len(below),
    )


def _oopif_depth(frame: Frame, frames: Frames) -> int:
    depth, above = 0, frames.nodes.get(frame.frame_id)
    while above is not None:
        depth += above.is_oopif
        above = frames.nodes.get(above.parent_id) if above.parent_id else None
    return depth


def _info(frame: Frame, frames: Frames) -> FrameInfo:
    return FrameInfo(
        frame_id=frame.frame_id,
        parent_id=frame.parent_id,
        url=frame.url,
        origin=frames.origin(frame),
        name=frame.name,
        is_oopif=frame.is_oopif,
        session_id=frame.session_id,
        is_loading=frame.is_loading,
        is_network_idle=frame.is_network_idle,
        loader_id=frame.loader_id,
        is_moving=frame.is_moving,
        stale=frame.stale,
    )
