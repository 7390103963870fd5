"""Slice: JavaScript dialogs, from their opening to their end."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page
from supervisor.core.state.bridge import BridgedRequest
from supervisor.core.state.dialogs import Dialog, Dialogs, PendingAnswer, close, put
from supervisor.core.state.frames import Frames, origin_of, removed_by
from supervisor.core.state.pages import PageOwnership, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import DialogAnswer
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Disarm, Effects
from supervisor.core.vocabulary.errors import UnknownRule
from supervisor.core.vocabulary.inputs import (
    CommandFailed,
    CommandSucceeded,
    Connected,
    EventReceived,
    Input,
    StopRequested,
    TimerFired,
)
from supervisor.core.vocabulary.requests import AnswerRequested, RuleArmed, RuleDisarmed
from supervisor.core.vocabulary.timers import AnswerRetry, DialogWatchdog, RateLimitReset
from supervisor.core.vocabulary.values import PendingDialog

from . import bridged
from .answers import answer_for_agent, confirm, refuse, retry, send_answer, supersede
from .rate_limit import NOTE as STORM
from .rate_limit import count_dialog, forget_gone, reset, reset_all
from .rules import arm, disarm, expire, start_expiry, take_matching

FRAME_REMOVED = "its iframe was removed while it was open"
OVERDUE = "not answered in time, and the browser takes no answer for it: the watchdog could not dismiss it"


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow dialogs and answers."""
    detached = frozenset[str]()
    if isinstance(received, EventReceived) and isinstance(received.event, page.FrameDetached):
        gone = removed_by(received, before.frames)
        detached = frozenset(dialog.info.id for dialog in before.dialogs.open if dialog.info.frame_id in gone)
    dialogs, effects = _reduce(
        world.dialogs, received, world.targets, world.page_ownership, world.frames, now, detached
    )
    return replace(world, dialogs=dialogs), effects


def open_bridged(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Open dialogs for the allowed requests of the bridge."""
    dialogs = world.dialogs
    effects: Effects = ()
    for request in world.bridge.allowed:
        dialogs, more = _open_bridged(dialogs, request, world.targets, world.frames, now)
        effects = (*effects, *more)
    bridge = replace(world.bridge, allowed=()) if world.bridge.allowed else world.bridge
    return replace(world, dialogs=dialogs, bridge=bridge), effects


def expire_rules(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Remove expired rules."""
    rules = expire(world.dialogs.rules, now)
    if rules is world.dialogs.rules:
        return world, ()
    return replace(world, dialogs=replace(world.dialogs, rules=rules)), ()


def _reduce(
    dialogs: Dialogs,
    received: Input,
    targets: Targets,
    ownership: PageOwnership,
    frames: Frames,
    now: float,
    detached: Collection[str],
) -> tuple[Dialogs, Effects]:
    """Follow dialogs and answers. `targets`, `ownership` and `frames` are the states after this input. `now` is in
    seconds since the epoch. `detached` are the dialogs whose iframe this input removes."""
    match received:
        case EventReceived(str() as session_id, page.JavascriptDialogOpening() as event):
            return _open(dialogs, session_id, event, targets, ownership, frames, now)
        case EventReceived(str() as session_id, page.JavascriptDialogClosed() as event):
            return _close_announced(dialogs, session_id, event, now)
        case EventReceived(_, page.FrameDetached()):
            return _close_all(dialogs, detached, now, note=FRAME_REMOVED)
        case EventReceived(_, page.FrameNavigated(frame=frame)):
            return _close_all(dialogs, _of_replaced_document(dialogs, frame, frames), now)
        case AnswerRequested():
            return answer_for_agent(dialogs, received)
        case CommandSucceeded(DialogAnswer(dialog_id)):
            return confirm(dialogs, dialog_id, now)
        case CommandFailed(DialogAnswer(dialog_id), error):
            return _refuse(dialogs, dialog_id, error, now)
        case TimerFired(DialogWatchdog(dialog_id)):
            return _dismiss_overdue(dialogs, dialog_id)
        case TimerFired(AnswerRetry(dialog_id)):
            return retry(dialogs, dialog_id)
        case TimerFired(RateLimitReset(target_id)):
            return replace(dialogs, rate_limit=reset(dialogs.rate_limit, target_id)), ()
        case RuleArmed() | RuleDisarmed() | Connected():
            return _change_rules(dialogs, received, now)
        case StopRequested():
            return mark_unanswerable(dialogs)
        case _:  # nothing announces the end of a dialog whose page was closed while there was no connection
            return _close_gone(dialogs, targets, now)


def _open(
    dialogs: Dialogs,
    session_id: str,
    event: page.JavascriptDialogOpening,
    targets: Targets,
    ownership: PageOwnership,
    frames: Frames,
    now: float,
) -> tuple[Dialogs, Effects]:
    session = targets.sessions.get(session_id)
    if session is not None and session.is_iframe:
        session = targets.page(session.page_id)  # measured: that of the iframe cannot answer
    if session is None:
        return dialogs, ()
    frame_id = event.frame_id or _frame_with(event.url, session.page_id, frames)
    dialogs, effects = _close_replaced(dialogs, frame_id, now)
    # Such a browser shows no dialog by itself, and gives every answer to the latest dialog.
    if is_clients := not event.has_browser_handler:
        dialogs, replacing = supersede(dialogs, session.page_id)
        effects = (*effects, *replacing)
    in_same_tab = any(dialog.info.target_id == session.page_id and not dialog.held_request for dialog in dialogs.open)
    info = PendingDialog(
        id=f"d-{dialogs.count + 1}",
        type=event.type,
        message=event.message,
        default_prompt=event.default_prompt or "",
        url=event.url,
        frame_id=frame_id,
        target_id=session.page_id,
        session_id=session.session_id,
        opened_at=now,
        answerable=is_clients or not in_same_tab,  # measured: a second one in a tab cancels the first, takes no answer
    )
    dialog = Dialog(info, is_clients=is_clients)
    if not ownership.manages(session.page_id):  # another client, or a caller, answers it
        return replace(dialogs, open=(*dialogs.open, dialog), count=dialogs.count + 1), effects
    dialogs, more = _add(dialogs, dialog, frames, now)
    return dialogs, (*effects, *more)


def _frame_with(url: str, page_id: str, frames: Frames) -> str | None:
    """Return the id of the only frame of the page with this URL, if there is exactly one."""
    fitting = [frame.frame_id for frame in frames.nodes.values() if frame.page_id == page_id and frame.url == url]
    return fitting[0] if len(fitting) == 1 else None


def _open_bridged(
    dialogs: Dialogs, request: BridgedRequest, targets: Targets, frames: Frames, now: float
) -> tuple[Dialogs, Effects]:
    """Open a dialog of the bridge, which only the session of its frame can answer."""
    session, frame = targets.sessions[request.session_id], frames.nodes.get(request.frame_id)
    info = PendingDialog(
        id=f"d-{dialogs.count + 1}",
        type=request.dialog.type,
        message=request.dialog.message,
        default_prompt=request.dialog.default_prompt,
        url=frame.url if frame else "",
        frame_id=request.frame_id,
        target_id=session.page_id,
        session_id=session.session_id,
        opened_at=now,
        bridged=True,
    )
    dialogs, effects = _add(dialogs, Dialog(info, held_request=request.held_request), frames, now)
    return dialogs, (*effects, bridged.probe_later(info.id))


def _add(dialogs: Dialogs, dialog: Dialog, frames: Frames, now: float) -> tuple[Dialogs, Effects]:
    """Add a new dialog: answer it, or arm its watchdog."""
    info, frame = dialog.info, frames.nodes.get(dialog.info.frame_id or "")
    rate_limit, counting = count_dialog(dialogs.rate_limit, info.target_id, now)
    dialogs = replace(dialogs, open=(*dialogs.open, dialog), count=dialogs.count + 1, rate_limit=rate_limit)
    dialogs, answer = _decide(dialogs, info, frames.origin(frame) if frame else origin_of(info.url))
    if answer is None:
        return dialogs, (*counting, Arm(DialogWatchdog(info.id), dialogs.timeout_s))
    dialogs, sending = send_answer(dialogs, dialog, answer)
    return dialogs, (*counting, *sending)


def _close_replaced(dialogs: Dialogs, frame_id: str | None, now: float) -> tuple[Dialogs, Effects]:
    """Close an earlier dialog of the same frame: a frame shows one at a time, so its end was missed."""
    for dialog in dialogs.open:
        if frame_id is not None and dialog.info.frame_id == frame_id and dialog.held_request is None:
            return close(dialogs, dialog, now)
    return dialogs, ()


def _decide(dialogs: Dialogs, info: PendingDialog, origin: str) -> tuple[Dialogs, PendingAnswer | None]:
    """Return the automatic answer to a new dialog, if any: dismissed if the page exceeds the rate limit, else decided
    by the first matching rule, else by the policy."""
    if not info.answerable:
        return dialogs, None
    if dialogs.rate_limit.is_exceeded_by(info.target_id) and info.type != "beforeunload":  # that one asks for a way out
        return dialogs, PendingAnswer(by="auto_policy", accept=False, note=STORM)
    rules, used = take_matching(dialogs.rules, info, origin)
    dialogs = replace(dialogs, rules=rules)
    action = used.rule.action if used else dialogs.policy
    if action == "must_respond":
        return dialogs, None
    return dialogs, PendingAnswer(
        by="auto_policy",
        accept=action in ("accept", "auto_accept"),
        prompt_text=used.rule.prompt_text if used and info.type == "prompt" else None,
        rule_id=used.id if used else None,
        note=f"rule {used.id}" if used else dialogs.policy,
    )


def _refuse(dialogs: Dialogs, dialog_id: str, error: Exception, now: float) -> tuple[Dialogs, Effects]:
    dialog = dialogs.find(dialog_id)
    if dialog is not None and dialog.held_request is not None and isinstance(error, CommandError):
        return bridged.vanish(dialogs, dialog, now)
    return refuse(dialogs, dialog_id, error)


def _close_announced(
    dialogs: Dialogs, session_id: str, event: page.JavascriptDialogClosed, now: float
) -> tuple[Dialogs, Effects]:
    """Close the dialog that has ended, matched by frame, not by session alone: of two dialogs in a tab, the first ends
    after the second has opened. Without a frame id, the dialog that takes answers is closed."""
    for dialog in sorted(dialogs.open, key=lambda dialog: not dialog.info.answerable):
        is_meant = not event.frame_id or dialog.info.frame_id in (event.frame_id, None)
        if dialog.info.session_id == session_id and is_meant and dialog.held_request is None:
            return close(dialogs, dialog, now, accepted=event.result, user_input=event.user_input)
    return dialogs, ()


def _close_all(dialogs: Dialogs, ids: Collection[str], now: float, *, note: str = "") -> tuple[Dialogs, Effects]:
    """Close dialogs that have ended without an answer, also if one is pending."""
    effects: Effects = ()
    for dialog in dialogs.open:
        if dialog.info.id in ids:
            dialogs, more = close(dialogs, dialog, now, closed_by="remote" if note else None, note=note)
            effects = (*effects, *more)
    return dialogs, effects


def _of_replaced_document(dialogs: Dialogs, shown: page.Frame, frames: Frames) -> tuple[str, ...]:
    """Return the ids of the dialogs whose document was replaced, in browsers that do not announce their end. A dialog
    of the new document may be announced before the document."""
    node = frames.nodes.get(shown.id)
    page_id = node.page_id if node else None

    def is_left(info: PendingDialog) -> bool:
        if info.frame_id in (None, shown.id):
            return (info.frame_id or info.target_id) == shown.id and info.url.partition("#")[0] != shown.url
        return info.target_id == page_id and info.frame_id not in frames.nodes

    return tuple(dialog.info.id for dialog in dialogs.open if dialog.is_clients and is_left(dialog.info))


def _close_gone(dialogs: Dialogs, targets: Targets, now: float) -> tuple[Dialogs, Effects]:
    """Close the dialogs of pages that are gone."""
    rate_limit, disarming = forget_gone(dialogs.rate_limit, targets)
    gone = [dialog.info.id for dialog in dialogs.open if targets.page(dialog.info.target_id) is None]
    dialogs, effects = _close_all(replace(dialogs, rate_limit=rate_limit), gone, now)
    return dialogs, (*effects, *disarming)


def _change_rules(
    dialogs: Dialogs, received: RuleArmed | RuleDisarmed | Connected, now: float
) -> tuple[Dialogs, Effects]:
    """Arm and disarm rules for callers; start the expiry of the settings' rules."""
    match received:
        case RuleArmed(call_id=call_id, rule=rule):
            rules, rule_id = arm(dialogs.rules, rule, now)
            return replace(dialogs, rules=rules), (CompleteCall(call_id, CommandResult(rule_id)),)
        case RuleDisarmed(call_id=call_id, rule_id=rule_id):
            left = disarm(dialogs.rules, rule_id)
            if left is None:
                known = tuple(rule.id for rule in dialogs.rules.waiting)
                return dialogs, (CompleteCall(call_id, UnknownRule(rule_id, known)),)
            return replace(dialogs, rules=left), (CompleteCall(call_id, CommandResult(None)),)
        case Connected():
            return replace(dialogs, rules=start_expiry(dialogs.rules, now)), ()


def _dismiss_overdue(dialogs: Dialogs, dialog_id: str) -> tuple[Dialogs, Effects]:
    dialog = dialogs.find(dialog_id)
    if dialog is None or dialog.pending_answer is not None:
        return dialogs, ()
    if not dialog.info.answerable:
        return put(dialogs, replace(dialog, info=replace(dialog.info, note=OVERDUE))), ()
    return send_answer(dialogs, dialog, PendingAnswer(by="watchdog", accept=False))


def mark_unanswerable(dialogs: Dialogs) -> tuple[Dialogs, Effects]:
    """Mark all dialogs unanswerable: there is no connection. Pending answers fail with the connection."""
    frozen = tuple(replace(dialog, info=replace(dialog.info, answerable=False)) for dialog in dialogs.open)
    rate_limit, disarming = reset_all(dialogs.rate_limit)
    watchdogs = tuple(Disarm(DialogWatchdog(dialog.info.id)) for dialog in dialogs.open)
    ids = [
        dialog.info.id
        for dialog in dialogs.open
        if dialog.pending_answer is not None and dialog.pending_answer.tries > 1
    ]
    retries = tuple(Disarm(AnswerRetry(dialog_id)) for dialog_id in ids)
    return replace(dialogs, open=frozen, rate_limit=rate_limit), (*watchdogs, *retries, *disarming)
