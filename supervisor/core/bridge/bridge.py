"""Slice: the dialog bridge: arms it when it is needed, keeps its script in sessions, and takes its requests in.

If another client answers the browser's dialogs at once, no agent can answer them. The bridge replaces `alert`,
`confirm` and `prompt` in the pages by functions that send a request, which the browser holds (`Fetch.requestPaused`)
until the supervisor answers it. A frame whose sandbox forbids dialogs shows none through the bridge either: the
`sandbox` attribute is read when the frame's session is attached, because later the page around it may be blocked.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import dom, fetch, page
from supervisor.core.state.bridge import Bridge, BridgedRequest, BridgeSession
from supervisor.core.state.dialogs import Dialogs, HeldRequest
from supervisor.core.state.frames import Frames, origin_of
from supervisor.core.state.pages import PageOwnership, Session, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary import bridge_protocol
from supervisor.core.vocabulary.command_tags import BridgeInstalled, BridgeOwner, BridgeRemoved, DialogAnswer
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, EventReceived, Input, StopRequested
from supervisor.core.vocabulary.requests import BridgeEnding

AT_ONCE_S = 0.25
"""A dialog that ends within this time was not answered by a person."""
ENOUGH = 2
"""The number of such dialogs in a row after which the bridge is armed."""
OWNER_TIMEOUT_S = 1.0
"""The timeout for reading the iframe element of a frame from the page around it."""
MAX_NATIVE = 50
"""The number of origins that are kept in `Bridge.native`."""

ALWAYS = "the setting dialog_bridge is 'always'"
SHOWN = f"{ENOUGH} dialogs in a row were answered by another client within {AT_ONCE_S:g} s"


def arm(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Arm the bridge when dialogs of managed pages have been answered at once by another client."""
    bridge = _arm_if_needed(world.bridge, before.dialogs, world.dialogs, received, world.page_ownership)
    return replace(world, bridge=bridge), ()


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Keep the bridge in the sessions of managed pages, and take its requests in."""
    bridge, effects, allowed = _reduce(
        world.bridge, received, before.dialogs, world.targets, world.page_ownership, world.frames
    )
    for session in world.targets.pages():
        is_back = (
            session.target_id in before.detached_frame_dialogs.pages
            and session.target_id not in world.detached_frame_dialogs.pages
        )
        if is_back and world.page_ownership.manages(session.target_id):
            bridge, more = _install(bridge, session)
            effects = (*effects, *more)
    bridge = replace(bridge, allowed=allowed) if allowed else bridge
    return replace(world, bridge=bridge), effects


def _reduce(
    bridge: Bridge, received: Input, dialogs: Dialogs, targets: Targets, ownership: PageOwnership, frames: Frames
) -> tuple[Bridge, Effects, tuple[BridgedRequest, ...]]:
    """Follow sessions and requests; also returns the requests that become dialogs. `dialogs` is the slice before this
    input, the other ones are those after it."""
    bridge = _forget_gone(bridge, targets)
    bridge, installing = _follow_pages(bridge, dialogs, targets, ownership)
    match received:
        case EventReceived(str() as session_id, fetch.RequestPaused() as event) if session_id in bridge.sessions:
            bridge, effects = _on_request_paused(bridge, session_id, event)
        case EventReceived(session_id, page.JavascriptDialogOpening() as event) if (
            session_id in bridge.sessions and event.type != "beforeunload"
        ):
            # Measured: Chromium 156 refuses synchronous requests in a `beforeunload` handler, so these stay native.
            frame = frames.nodes.get(event.frame_id)
            bridge, effects = _note_native(bridge, frames.origin(frame) if frame else origin_of(event.url)), ()
        case CommandSucceeded(
            BridgeInstalled(session_id), page.AddScriptToEvaluateOnNewDocumentResult(identifier=script_id)
        ):
            bridge, effects = _update_session(bridge, session_id, script_id=script_id), ()
            if session_id not in bridge.sessions and session_id in targets.sessions:  # it was removed meanwhile
                remove = page.RemoveScriptToEvaluateOnNewDocument(identifier=script_id)
                effects = (Send(command=remove, session_id=session_id),)
        case CommandSucceeded(BridgeOwner(session_id), result) if session_id in bridge.sessions:
            bridge, effects = _on_owner_reply(bridge, targets.sessions[session_id], result)
        case CommandFailed(BridgeOwner(session_id)) if session_id in bridge.sessions:
            bridge, effects = _give_up(bridge, session_id, targets, frames)
        case BridgeEnding(call_id, reason):
            bridge, effects = _take_down(bridge, call_id, reason, dialogs)
        case CommandSucceeded(BridgeRemoved(session_id)) | CommandFailed(BridgeRemoved(session_id)):
            bridge, effects = _note_removed(bridge, {session_id}), ()
        case StopRequested():
            bridge, effects = replace(_without_sessions(bridge), is_armed=False), ()
        case _:
            effects = ()
    bridge, more, allowed = _allow_or_hand_over(bridge, targets, frames)
    bridge, completing = _complete_endings(bridge)
    return bridge, (*installing, *effects, *more, *completing), allowed


def _arm_if_needed(
    bridge: Bridge, before: Dialogs, after: Dialogs, received: Input, ownership: PageOwnership
) -> Bridge:
    """Arm the bridge when dialogs of managed pages have been answered at once by another client.

    Dialogs of pages that are not managed do not count. `ownership` is the slice after this input."""
    if bridge.mode != "auto" or bridge.is_armed or before.closed is after.closed:
        return bridge
    match received:
        case EventReceived(_, page.JavascriptDialogClosed()) | CommandFailed(DialogAnswer()):
            pass
        case _:
            return bridge
    known = {closed.record.id for closed in before.closed if closed.record.closed_by == "remote"}
    for record in (closed.record for closed in after.closed):
        if record.id in known or record.type == "beforeunload" or not ownership.manages(record.target_id):
            continue
        is_hit = record.closed_by == "remote" and record.closed_at - record.opened_at < AT_ONCE_S
        if record.closed_by == "remote":
            bridge = replace(bridge, hits=bridge.hits + 1 if is_hit else 0)
    return replace(bridge, is_armed=True, reason=SHOWN) if bridge.hits >= ENOUGH else bridge


def _follow_pages(
    bridge: Bridge, dialogs: Dialogs, targets: Targets, ownership: PageOwnership
) -> tuple[Bridge, Effects]:
    """Install the script in the sessions of managed pages, and remove it from all others."""
    effects: Effects = ()
    for session in targets.sessions.values():
        session_id = session.session_id
        is_wanted = bridge.is_armed and ownership.manages(session.page_id) and not session.stale
        if is_wanted and session_id not in bridge.sessions:
            bridge, more = _install(bridge, session)
            effects = (*effects, *more)
        elif session_id in bridge.sessions and not is_wanted and not session.stale:
            bridge, more = _remove(bridge, session_id, dialogs)
            effects = (*effects, *more)
    return bridge, effects


def _remove(bridge: Bridge, session_id: str, dialogs: Dialogs) -> tuple[Bridge, Effects]:
    """Remove the script from a session; the page of a held request calls its own function instead."""
    held = [
        dialog.held_request
        for dialog in dialogs.open
        if dialog.held_request is not None and dialog.info.session_id == session_id
    ]
    held += [request.held_request for request in bridge.waiting if request.session_id == session_id]
    effects: Effects = tuple(
        Send(command=bridge_protocol.dismiss_script(held_request.request_id, held_request.proof), session_id=session_id)
        for held_request in held
    )
    script_id = bridge.sessions[session_id].script_id
    if script_id is not None:
        remove = page.RemoveScriptToEvaluateOnNewDocument(identifier=script_id)
        effects = (*effects, Send(command=remove, session_id=session_id))
    remove_now = bridge_protocol.remove(bridge_protocol.session_keys(bridge.secret, session_id))
    effects = (*effects, Send(command=remove_now, session_id=session_id, tag=BridgeRemoved(session_id)))
    bridge = replace(
        bridge,
        sessions={key: bridge_session for key, bridge_session in bridge.sessions.items() if key != session_id},
        waiting=tuple(request for request in bridge.waiting if request.session_id != session_id),
    )
    return bridge, effects


def _install(bridge: Bridge, session: Session) -> tuple[Bridge, Effects]:
    """Install the script in a session, again after `Page.disable` has removed it."""
    if not bridge.is_armed:
        return bridge, ()
    session_id = session.session_id
    command = bridge_protocol.install(bridge.script, bridge_protocol.session_keys(bridge.secret, session_id))
    effects: Effects = (Send(command=command, session_id=session_id, tag=BridgeInstalled(session_id)),)
    if bridge.bypasses_csp:
        effects = (Send(command=page.SetBypassCSP(enabled=True), session_id=session_id), *effects)
    bridge = replace(
        bridge, sessions={**bridge.sessions, session_id: BridgeSession(modals=None if session.is_iframe else True)}
    )
    bridge, asking = _ask_owner(bridge, session)
    return bridge, (*effects, *asking)


def on_disconnected(bridge: Bridge) -> tuple[Bridge, Effects]:
    """Forget the sessions; without a connection the script calls the pages' own functions."""
    return _complete_endings(_without_sessions(bridge))


def _without_sessions(bridge: Bridge) -> Bridge:
    return replace(bridge, sessions={}, waiting=(), ending={call_id: frozenset[str]() for call_id in bridge.ending})


def _forget_gone(bridge: Bridge, targets: Targets) -> Bridge:
    kept = frozenset(bridge.sessions).union(*bridge.ending.values())
    gone = {session_id for session_id in kept if session_id not in targets.sessions}
    if not gone:
        return bridge
    bridge = _note_removed(bridge, gone)
    return replace(
        bridge,
        sessions={key: bridge_session for key, bridge_session in bridge.sessions.items() if key not in gone},
        waiting=tuple(request for request in bridge.waiting if request.session_id not in gone),
    )


def _update_session(bridge: Bridge, session_id: str, **changes: object) -> Bridge:
    bridge_session = bridge.sessions.get(session_id)
    return (
        bridge
        if bridge_session is None
        else replace(bridge, sessions={**bridge.sessions, session_id: replace(bridge_session, **changes)})
    )


def _ask_owner(bridge: Bridge, session: Session) -> tuple[Bridge, Effects]:
    bridge_session = bridge.sessions[session.session_id]
    if bridge_session.modals is not None or bridge_session.is_asking:
        return bridge, ()
    command = dom.GetFrameOwner(frame_id=page.FrameId(session.target_id))
    return _update_session(bridge, session.session_id, is_asking=True), (_to_owner(session, command),)


def _to_owner(session: Session, command: dom.GetFrameOwner | dom.DescribeNode) -> Send:
    tag = BridgeOwner(session.session_id)
    return Send(command=command, session_id=session.parent_session_id, tag=tag, timeout_s=OWNER_TIMEOUT_S)


def _on_owner_reply(bridge: Bridge, session: Session, result: object) -> tuple[Bridge, Effects]:
    match result:
        case dom.GetFrameOwnerResult():
            return bridge, (_to_owner(session, dom.DescribeNode(backend_node_id=result.backend_node_id)),)
        case dom.DescribeNodeResult():
            attributes = result.node.attributes or ()
            flags = dict(zip(attributes[::2], attributes[1::2], strict=False)).get("sandbox")
            may = flags is None or "allow-modals" in flags.lower().split()
            return _update_session(bridge, session.session_id, modals=may, is_asking=False), ()
        case _:
            return bridge, ()


def _give_up(bridge: Bridge, session_id: str, targets: Targets, frames: Frames) -> tuple[Bridge, Effects]:
    """Leave the waiting requests to the browser when the iframe element of their frame cannot be read."""
    bridge = _update_session(bridge, session_id, is_asking=False)
    effects: Effects = ()
    for request in bridge.waiting:
        if session_id in (session.session_id for session in _chain(request.session_id, targets)):
            bridge, more = _hand_over(bridge, request, frames)
            effects = (*effects, *more)
    return bridge, effects


def _chain(session_id: str, targets: Targets) -> tuple[Session, ...]:
    """Return the session and the sessions around it, innermost first."""
    session = targets.sessions.get(session_id)
    return () if session is None else (session, *_chain(session.parent_session_id or "", targets))


def _on_request_paused(bridge: Bridge, session_id: str, event: fetch.RequestPaused) -> tuple[Bridge, Effects]:
    keys = bridge_protocol.session_keys(bridge.secret, session_id)
    if not bridge_protocol.is_for_us(event.request.url, keys):
        return bridge, ()
    dialog = bridge_protocol.read(event, keys)
    if dialog is None:
        refusal = Send(command=bridge_protocol.fail(event.request_id), session_id=session_id)
        return replace(bridge, refused=bridge.refused + 1), (refusal,)
    held_request = HeldRequest(event.request_id, keys.proof)
    request = BridgedRequest(session_id=session_id, frame_id=event.frame_id, dialog=dialog, held_request=held_request)
    return replace(bridge, waiting=(*bridge.waiting, request)), ()


def _allow_or_hand_over(
    bridge: Bridge, targets: Targets, frames: Frames
) -> tuple[Bridge, Effects, tuple[BridgedRequest, ...]]:
    """Allow or hand over the waiting requests of which it is known by now whether their frame may show dialogs."""
    effects: Effects = ()
    allowed: tuple[BridgedRequest, ...] = ()
    for request in bridge.waiting:
        chain = _chain(request.session_id, targets)
        may = [
            bridge.sessions[session.session_id].modals if session.session_id in bridge.sessions else None
            for session in chain
        ]
        if False in may or (request.dialog.sandboxed and len(chain) == 1):
            # The sandbox of a top document, or of an iframe in its process, cannot be read.
            bridge, more = _hand_over(bridge, request, frames, is_known=False in may)
            effects = (*effects, *more)
        elif None not in may:
            bridge = _drop(bridge, request)
            allowed = (*allowed, request)
        else:
            for session, known in zip(chain, may, strict=True):
                if known is None and session.session_id in bridge.sessions:
                    bridge, more = _ask_owner(bridge, session)
                    effects = (*effects, *more)
    return bridge, effects, allowed


def _drop(bridge: Bridge, request: BridgedRequest) -> Bridge:
    return replace(bridge, waiting=tuple(other for other in bridge.waiting if other is not request))


def _hand_over(
    bridge: Bridge, request: BridgedRequest, frames: Frames, *, is_known: bool = False
) -> tuple[Bridge, Effects]:
    """Make the page call its own function; its origin is noted unless that function is known to show nothing."""
    bridge = _drop(bridge, request)
    frame = frames.nodes.get(request.frame_id)
    if frame is not None and not is_known:
        bridge = _note_native(bridge, frames.origin(frame))
    return bridge, (
        Send(
            command=bridge_protocol.hand_over(request.held_request.request_id, request.held_request.proof),
            session_id=request.session_id,
        ),
    )


def _note_native(bridge: Bridge, origin: str) -> Bridge:
    if not bridge.is_armed or origin in bridge.native:
        return bridge
    return replace(bridge, native=(*bridge.native, origin)[-MAX_NATIVE:])


def _take_down(bridge: Bridge, call_id: str, reason: str, dialogs: Dialogs) -> tuple[Bridge, Effects]:
    """Remove the script from all sessions, for good."""
    ending = {**bridge.ending, call_id: frozenset(bridge.sessions)}
    effects: Effects = ()
    for session_id in bridge.sessions:
        bridge, more = _remove(bridge, session_id, dialogs)
        effects = (*effects, *more)
    return replace(bridge, mode="never", is_armed=False, reason=reason, ending=ending), effects


def _note_removed(bridge: Bridge, session_ids: set[str]) -> Bridge:
    if not bridge.ending:
        return bridge
    return replace(bridge, ending={call_id: left - session_ids for call_id, left in bridge.ending.items()})


def _complete_endings(bridge: Bridge) -> tuple[Bridge, Effects]:
    """Complete the calls that end the bridge when no session is left to wait for."""
    done = [call_id for call_id, left in bridge.ending.items() if not left]
    if not done:
        return bridge, ()
    left = {call_id: sessions for call_id, sessions in bridge.ending.items() if call_id not in done}
    return replace(bridge, ending=left), tuple(CompleteCall(call_id, CommandResult(None)) for call_id in done)
