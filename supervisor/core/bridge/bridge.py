"""Slice: the dialog bridge: when it is needed, in which sessions its script is, and what that script asks.

Where somebody else answers the browser's dialogs at once, nobody gets to see them. The bridge replaces `alert`,
`confirm` and `prompt` in the pages by functions that ask us, through a request that the browser holds for us. What a
frame may not show natively it does not show through the bridge either: whether a sandbox forbids it is looked up when
the frame's session comes, because later the page around it may be blocked itself.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import dom, fetch, page
from supervisor.core.state.bridge import Asked, Bridge, Side
from supervisor.core.state.dialogs import Bridged, Dialogs
from supervisor.core.state.frames import Frames, origin_of
from supervisor.core.state.pages import Session, Tabs, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary import bridge_protocol as wire
from supervisor.core.vocabulary.command_tags import BridgeInstalled, BridgeOwner, BridgeTakenBack, DialogAnswer
from supervisor.core.vocabulary.effects import CommandResult, Effects, Send, Tell
from supervisor.core.vocabulary.inputs import Answered, EventReceived, Input, Refused, StopRequested
from supervisor.core.vocabulary.requests import BridgeEnding

AT_ONCE_S = 0.25
"""A dialog that ends so soon was not answered by a person."""
ENOUGH = 2
"""So many of them in a row show that dialogs are answered by somebody else."""
OWNER_TIMEOUT_S = 1.0
"""How long the page around a frame may take to say how it is embedded."""
MAX_NATIVE = 50
"""Origins of which it is kept that the bridge does not work there."""

ALWAYS = "the setting dialog_bridge is 'always'"
SHOWN = f"{ENOUGH} dialogs in a row were answered by somebody else within {AT_ONCE_S:g} s"


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Have the bridge where it is needed, and hear what pages ask through it."""
    bridge = _learn(world.bridge, before.dialogs, world.dialogs, received, world.tabs)
    bridge, effects, asked = _reduce(bridge, received, before.dialogs, world.targets, world.tabs, world.frames)
    for session in world.targets.pages():
        is_back = session.target_id in before.rescues.pages and session.target_id not in world.rescues.pages
        if is_back and world.tabs.manages(session.target_id):
            bridge, more = _enter(bridge, session)
            effects = (*effects, *more)
    bridge = replace(bridge, asked=asked) if asked else bridge
    return replace(world, bridge=bridge), effects


def _reduce(
    bridge: Bridge, received: Input, dialogs: Dialogs, targets: Targets, tabs: Tabs, frames: Frames
) -> tuple[Bridge, Effects, tuple[Asked, ...]]:
    """Follow sessions and requests; returns what is to become a dialog, too. `dialogs` is the slice before this input,
    the other ones are those after it."""
    bridge = _forget_gone(bridge, targets)
    bridge, following = _follow_pages(bridge, dialogs, targets, tabs)
    match received:
        case EventReceived(str() as session_id, fetch.RequestPaused() as event) if session_id in bridge.sides:
            bridge, effects = _hear(bridge, session_id, event)
        case EventReceived(session_id, page.JavascriptDialogOpening() as event) if (
            session_id in bridge.sides and event.type != "beforeunload"
        ):
            frame = frames.nodes.get(event.frame_id)
            bridge, effects = _note_native(bridge, frame.origin if frame else origin_of(event.url)), ()
        case Answered(BridgeInstalled(session_id), page.AddScriptToEvaluateOnNewDocumentResult(identifier=script_id)):
            bridge, effects = _change(bridge, session_id, script_id=script_id), ()
            if session_id not in bridge.sides and session_id in targets.sessions:  # it was taken back meanwhile
                remove = page.RemoveScriptToEvaluateOnNewDocument(identifier=script_id)
                effects = (Send(command=remove, session_id=session_id),)
        case Answered(BridgeOwner(session_id), result) if session_id in bridge.sides:
            bridge, effects = _look(bridge, targets.sessions[session_id], result)
        case Refused(BridgeOwner(session_id)) if session_id in bridge.sides:
            bridge, effects = _give_up(bridge, session_id, targets, frames)
        case BridgeEnding(call_id, reason):
            bridge, effects = _end(bridge, call_id, reason, dialogs)
        case Answered(BridgeTakenBack(session_id)) | Refused(BridgeTakenBack(session_id)):
            bridge, effects = _settle(bridge, {session_id}), ()
        case StopRequested():
            bridge, effects = replace(_cut(bridge), is_armed=False), ()
        case _:
            effects = ()
    bridge, more, asked = _judge(bridge, targets, frames)
    bridge, telling = _tell(bridge)
    return bridge, (*following, *effects, *more, *telling), asked


def _learn(bridge: Bridge, before: Dialogs, after: Dialogs, received: Input, tabs: Tabs) -> Bridge:
    """See in how dialogs of managed pages end whether the bridge is needed; `tabs` is the slice after this input.

    What other clients do with the dialogs of their own pages is their matter."""
    if bridge.mode != "auto" or bridge.is_armed or before.closed is after.closed:
        return bridge
    match received:
        case EventReceived(_, page.JavascriptDialogClosed()) | Refused(DialogAnswer()):
            pass
        case _:
            return bridge
    known = {closed.record.id for closed in before.closed if closed.record.closed_by == "remote"}
    for record in (closed.record for closed in after.closed):
        if record.id in known or record.type == "beforeunload" or not tabs.manages(record.target_id):
            continue
        is_hit = record.closed_by == "remote" and record.closed_at - record.opened_at < AT_ONCE_S
        if record.closed_by == "remote":
            bridge = replace(bridge, hits=bridge.hits + 1 if is_hit else 0)
    return replace(bridge, is_armed=True, reason=SHOWN) if bridge.hits >= ENOUGH else bridge


def _follow_pages(bridge: Bridge, dialogs: Dialogs, targets: Targets, tabs: Tabs) -> tuple[Bridge, Effects]:
    """Have the script in the sessions of managed pages, and in no others."""
    effects: Effects = ()
    for session in targets.sessions.values():
        session_id = session.session_id
        is_wanted = bridge.is_armed and tabs.manages(session.page_id) and not session.stale
        if is_wanted and session_id not in bridge.sides:
            bridge, more = _enter(bridge, session)
            effects = (*effects, *more)
        elif session_id in bridge.sides and not is_wanted and not session.stale:
            bridge, more = _take_back(bridge, session_id, dialogs)
            effects = (*effects, *more)
    return bridge, effects


def _take_back(bridge: Bridge, session_id: str, dialogs: Dialogs) -> tuple[Bridge, Effects]:
    """Give the documents of a session their own functions back; a request that is held makes its page call them."""
    held = [dialog.way for dialog in dialogs.open if dialog.way is not None and dialog.info.session_id == session_id]
    held += [asked.way for asked in bridge.waiting if asked.session_id == session_id]
    effects: Effects = tuple(
        Send(command=wire.dismiss_script(way.request_id, way.proof), session_id=session_id) for way in held
    )
    script_id = bridge.sides[session_id].script_id
    if script_id is not None:
        remove = page.RemoveScriptToEvaluateOnNewDocument(identifier=script_id)
        effects = (*effects, Send(command=remove, session_id=session_id))
    take_back = wire.take_back(wire.keys(bridge.secret, session_id))
    effects = (*effects, Send(command=take_back, session_id=session_id, tag=BridgeTakenBack(session_id)))
    bridge = replace(
        bridge,
        sides={key: side for key, side in bridge.sides.items() if key != session_id},
        waiting=tuple(asked for asked in bridge.waiting if asked.session_id != session_id),
    )
    return bridge, effects


def _enter(bridge: Bridge, session: Session) -> tuple[Bridge, Effects]:
    """Put the script into a session, again where `Page.disable` has taken it out."""
    if not bridge.is_armed:
        return bridge, ()
    session_id = session.session_id
    command = wire.install(bridge.script, wire.keys(bridge.secret, session_id))
    effects: Effects = (Send(command=command, session_id=session_id, tag=BridgeInstalled(session_id)),)
    if bridge.bypasses_csp:
        effects = (Send(command=page.SetBypassCSP(enabled=True), session_id=session_id), *effects)
    bridge = replace(bridge, sides={**bridge.sides, session_id: Side(modals=None if session.is_iframe else True)})
    bridge, asking = _ask_owner(bridge, session)
    return bridge, (*effects, *asking)


def lose(bridge: Bridge) -> tuple[Bridge, Effects]:
    """The connection is gone, and with it all that was set up; the pages' own functions are called until it is back."""
    return _tell(_cut(bridge))


def _cut(bridge: Bridge) -> Bridge:
    return replace(bridge, sides={}, waiting=(), ending={call_id: frozenset[str]() for call_id in bridge.ending})


def _forget_gone(bridge: Bridge, targets: Targets) -> Bridge:
    kept = frozenset(bridge.sides).union(*bridge.ending.values())
    gone = {session_id for session_id in kept if session_id not in targets.sessions}
    if not gone:
        return bridge
    bridge = _settle(bridge, gone)
    return replace(
        bridge,
        sides={key: side for key, side in bridge.sides.items() if key not in gone},
        waiting=tuple(one for one in bridge.waiting if one.session_id not in gone),
    )


def _change(bridge: Bridge, session_id: str, **changes: object) -> Bridge:
    side = bridge.sides.get(session_id)
    return bridge if side is None else replace(bridge, sides={**bridge.sides, session_id: replace(side, **changes)})


def _ask_owner(bridge: Bridge, session: Session) -> tuple[Bridge, Effects]:
    side = bridge.sides[session.session_id]
    if side.modals is not None or side.is_asking:
        return bridge, ()
    command = dom.GetFrameOwner(frame_id=page.FrameId(session.target_id))
    return _change(bridge, session.session_id, is_asking=True), (_to_owner(session, command),)


def _to_owner(session: Session, command: dom.GetFrameOwner | dom.DescribeNode) -> Send:
    tag = BridgeOwner(session.session_id)
    return Send(command=command, session_id=session.parent_session_id, tag=tag, timeout_s=OWNER_TIMEOUT_S)


def _look(bridge: Bridge, session: Session, result: object) -> tuple[Bridge, Effects]:
    match result:
        case dom.GetFrameOwnerResult():
            return bridge, (_to_owner(session, dom.DescribeNode(backend_node_id=result.backend_node_id)),)
        case dom.DescribeNodeResult():
            found = result.node.attributes or ()
            flags = dict(zip(found[::2], found[1::2], strict=False)).get("sandbox")
            may = flags is None or "allow-modals" in flags.lower().split()
            return _change(bridge, session.session_id, modals=may, is_asking=False), ()
        case _:
            return bridge, ()


def _give_up(bridge: Bridge, session_id: str, targets: Targets, frames: Frames) -> tuple[Bridge, Effects]:
    """The page around a frame does not say: what waits for that is left to the browser."""
    bridge = _change(bridge, session_id, is_asking=False)
    effects: Effects = ()
    for one in bridge.waiting:
        if session_id in (session.session_id for session in _chain(one.session_id, targets)):
            bridge, more = _hand_over(bridge, one, frames)
            effects = (*effects, *more)
    return bridge, effects


def _chain(session_id: str, targets: Targets) -> tuple[Session, ...]:
    """The session and those around it."""
    session = targets.sessions.get(session_id)
    return () if session is None else (session, *_chain(session.parent_session_id or "", targets))


def _hear(bridge: Bridge, session_id: str, event: fetch.RequestPaused) -> tuple[Bridge, Effects]:
    own = wire.keys(bridge.secret, session_id)
    if not wire.is_for_us(event.request.url, own):
        return bridge, ()
    ask = wire.read(event, own)
    if ask is None:
        refusal = Send(command=wire.fail(event.request_id), session_id=session_id)
        return replace(bridge, refused=bridge.refused + 1), (refusal,)
    way = Bridged(event.request_id, own.proof)
    asked = Asked(session_id=session_id, frame_id=event.frame_id, ask=ask, way=way)
    return replace(bridge, waiting=(*bridge.waiting, asked)), ()


def _judge(bridge: Bridge, targets: Targets, frames: Frames) -> tuple[Bridge, Effects, tuple[Asked, ...]]:
    """What can be said by now of the requests that wait."""
    effects: Effects = ()
    asked: tuple[Asked, ...] = ()
    for one in bridge.waiting:
        chain = _chain(one.session_id, targets)
        may = [
            bridge.sides[session.session_id].modals if session.session_id in bridge.sides else None for session in chain
        ]
        if False in may or (one.ask.sandboxed and len(chain) == 1):
            # Of a sandbox around a whole page, or in its process, nobody can be asked.
            bridge, more = _hand_over(bridge, one, frames, is_known=False in may)
            effects = (*effects, *more)
        elif None not in may:
            bridge = _drop(bridge, one)
            asked = (*asked, one)
        else:
            for session, known in zip(chain, may, strict=True):
                if known is None and session.session_id in bridge.sides:
                    bridge, more = _ask_owner(bridge, session)
                    effects = (*effects, *more)
    return bridge, effects, asked


def _drop(bridge: Bridge, one: Asked) -> Bridge:
    return replace(bridge, waiting=tuple(other for other in bridge.waiting if other is not one))


def _hand_over(bridge: Bridge, one: Asked, frames: Frames, *, is_known: bool = False) -> tuple[Bridge, Effects]:
    """Have the page call its own function; where it is known that this shows nothing, there is nothing to tell."""
    bridge = _drop(bridge, one)
    frame = frames.nodes.get(one.frame_id)
    if frame is not None and not is_known:
        bridge = _note_native(bridge, frame.origin)
    return bridge, (Send(command=wire.hand_over(one.way.request_id, one.way.proof), session_id=one.session_id),)


def _note_native(bridge: Bridge, origin: str) -> Bridge:
    if not bridge.is_armed or origin in bridge.native:
        return bridge
    return replace(bridge, native=(*bridge.native, origin)[-MAX_NATIVE:])


def _end(bridge: Bridge, call_id: str, reason: str, dialogs: Dialogs) -> tuple[Bridge, Effects]:
    """Take the script out of all sessions, for good."""
    ending = {**bridge.ending, call_id: frozenset(bridge.sides)}
    effects: Effects = ()
    for session_id in bridge.sides:
        bridge, more = _take_back(bridge, session_id, dialogs)
        effects = (*effects, *more)
    return replace(bridge, mode="never", is_armed=False, reason=reason, ending=ending), effects


def _settle(bridge: Bridge, session_ids: set[str]) -> Bridge:
    if not bridge.ending:
        return bridge
    return replace(bridge, ending={call_id: left - session_ids for call_id, left in bridge.ending.items()})


def _tell(bridge: Bridge) -> tuple[Bridge, Effects]:
    """End the calls for which nothing is left to wait."""
    done = [call_id for call_id, left in bridge.ending.items() if not left]
    if not done:
        return bridge, ()
    left = {call_id: sessions for call_id, sessions in bridge.ending.items() if call_id not in done}
    return replace(bridge, ending=left), tuple(Tell(call_id, CommandResult(None)) for call_id in done)
