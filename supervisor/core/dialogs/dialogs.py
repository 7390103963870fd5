"""Slice: the JavaScript dialogs, from their opening to their end."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page
from supervisor.core.state.bridge import Asked
from supervisor.core.state.dialogs import Answering, Dialog, Dialogs, close, put
from supervisor.core.state.frames import Frames, origin_of, removed_by
from supervisor.core.state.pages import Tabs, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import DialogAnswer
from supervisor.core.vocabulary.effects import Arm, CommandResult, Disarm, Effects, Tell
from supervisor.core.vocabulary.errors import UnknownRule
from supervisor.core.vocabulary.inputs import Answered, EventReceived, Input, LinkUp, Refused, StopRequested, TimerFired
from supervisor.core.vocabulary.requests import AnswerRequested, RuleArmed, RuleDisarmed
from supervisor.core.vocabulary.timers import AnswerRetry, DialogWatchdog, StormCalm
from supervisor.core.vocabulary.values import PendingDialog

from . import bridged
from .answers import answer_for_agent, confirm, refuse, retry, send_answer, supersede
from .rate_limit import NOTE as STORM
from .rate_limit import count, end, forget_gone, pause
from .rules import arm, begin, disarm, expire, use

FRAME_REMOVED = "its iframe was removed while it was open"
OVERDUE = "nobody answered in time, and the browser takes no answer for it: the watchdog could not dismiss it"


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow dialogs and answers."""
    gone = removed_by(received, before.frames)
    orphans = frozenset(dialog.info.id for dialog in before.dialogs.open if dialog.info.frame_id in gone)
    dialogs, effects = _reduce(world.dialogs, received, world.targets, world.tabs, world.frames, now, orphans)
    return replace(world, dialogs=dialogs), effects


def open_asked(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Open what pages ask through the bridge."""
    dialogs = world.dialogs
    effects: Effects = ()
    for asked in world.bridge.asked:
        dialogs, more = _open_bridged(dialogs, asked, world.targets, world.frames, now)
        effects = (*effects, *more)
    bridge = replace(world.bridge, asked=()) if world.bridge.asked else world.bridge
    return replace(world, dialogs=dialogs, bridge=bridge), effects


def expire_rules(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Forget the rules whose time is over."""
    rules = expire(world.dialogs.rules, now)
    if rules is world.dialogs.rules:
        return world, ()
    return replace(world, dialogs=replace(world.dialogs, rules=rules)), ()


def _reduce(
    dialogs: Dialogs,
    received: Input,
    targets: Targets,
    tabs: Tabs,
    frames: Frames,
    now: float,
    orphans: Collection[str],
) -> tuple[Dialogs, Effects]:
    """Follow dialogs and answers. `targets`, `tabs` and `frames` are the slices after this input; `now` is in seconds
    since the epoch; `orphans` are the dialogs whose iframe this input removes."""
    match received:
        case EventReceived(str() as session_id, page.JavascriptDialogOpening() as event):
            return _open(dialogs, session_id, event, targets, tabs, frames, now)
        case EventReceived(str() as session_id, page.JavascriptDialogClosed() as event):
            return _close_announced(dialogs, session_id, event, now)
        case EventReceived(_, page.FrameDetached()):
            return _close_all(dialogs, orphans, now, note=FRAME_REMOVED)
        case EventReceived(_, page.FrameNavigated(frame=frame)):
            return _close_all(dialogs, _left_behind(dialogs, frame, frames), now)
        case AnswerRequested():
            return answer_for_agent(dialogs, received)
        case Answered(DialogAnswer(dialog_id)):
            return confirm(dialogs, dialog_id, now)
        case Refused(DialogAnswer(dialog_id), error):
            return _refuse(dialogs, dialog_id, error, now)
        case TimerFired(DialogWatchdog(dialog_id)):
            return _dismiss_overdue(dialogs, dialog_id)
        case TimerFired(AnswerRetry(dialog_id)):
            return retry(dialogs, dialog_id)
        case TimerFired(StormCalm(target_id)):
            return replace(dialogs, storms=end(dialogs.storms, target_id)), ()
        case RuleArmed(call_id=call_id, rule=rule):
            rules, rule_id = arm(dialogs.rules, rule, now)
            return replace(dialogs, rules=rules), (Tell(call_id, CommandResult(rule_id)),)
        case RuleDisarmed():
            return _disarm(dialogs, received)
        case LinkUp():
            return replace(dialogs, rules=begin(dialogs.rules, now)), ()
        case StopRequested():
            return freeze(dialogs)
        case _:
            return _close_gone(dialogs, targets, now)


def _open(
    dialogs: Dialogs,
    session_id: str,
    event: page.JavascriptDialogOpening,
    targets: Targets,
    tabs: Tabs,
    frames: Frames,
    now: float,
) -> tuple[Dialogs, Effects]:
    session = targets.sessions.get(session_id)
    if session is None:
        return dialogs, ()
    frame_id = event.frame_id or _frame_with(event.url, session.page_id, frames)
    dialogs, effects = _close_replaced(dialogs, frame_id, now)
    if is_clients := not event.has_browser_handler:
        dialogs, replacing = supersede(dialogs, session.page_id)
        effects = (*effects, *replacing)
    in_same_tab = any(dialog.info.target_id == session.page_id and not dialog.way for dialog in dialogs.open)
    info = PendingDialog(
        id=f"d-{dialogs.count + 1}",
        type=event.type,
        message=event.message,
        default_prompt=event.default_prompt or "",
        url=event.url,
        frame_id=frame_id,
        target_id=session.page_id,
        session_id=session_id,
        opened_at=now,
        answerable=is_clients or not in_same_tab,  # measured: a second one in a tab cancels the first, takes no answer
    )
    dialog = Dialog(info, is_clients=is_clients)
    if not tabs.manages(session.page_id):  # whoever drives the page answers it, or a caller of ours
        return replace(dialogs, open=(*dialogs.open, dialog), count=dialogs.count + 1), effects
    dialogs, more = _admit(dialogs, dialog, frames, now)
    return dialogs, (*effects, *more)


def _frame_with(url: str, page_id: str, frames: Frames) -> str | None:
    """The frame that shows this address, if it is the only one of its page."""
    fitting = [frame.frame_id for frame in frames.nodes.values() if frame.page_id == page_id and frame.url == url]
    return fitting[0] if len(fitting) == 1 else None


def _open_bridged(
    dialogs: Dialogs, asked: Asked, targets: Targets, frames: Frames, now: float
) -> tuple[Dialogs, Effects]:
    """A page asks through the bridge: a dialog like any other, that only its own session can answer."""
    session, frame = targets.sessions[asked.session_id], frames.nodes.get(asked.frame_id)
    info = PendingDialog(
        id=f"d-{dialogs.count + 1}",
        type=asked.ask.type,
        message=asked.ask.message,
        default_prompt=asked.ask.default_prompt,
        url=frame.url if frame else "",
        frame_id=asked.frame_id,
        target_id=session.page_id,
        session_id=session.session_id,
        opened_at=now,
        bridged=True,
    )
    dialogs, effects = _admit(dialogs, Dialog(info, way=asked.way), frames, now)
    return dialogs, (*effects, bridged.probe_later(info.id))


def _admit(dialogs: Dialogs, dialog: Dialog, frames: Frames, now: float) -> tuple[Dialogs, Effects]:
    """Take a new dialog in: answer it, or have it watched."""
    info, frame = dialog.info, frames.nodes.get(dialog.info.frame_id or "")
    storms, counting = count(dialogs.storms, info.target_id, now)
    dialogs = replace(dialogs, open=(*dialogs.open, dialog), count=dialogs.count + 1, storms=storms)
    dialogs, answering = _decide(dialogs, info, frame.origin if frame else origin_of(info.url))
    if answering is None:
        return dialogs, (*counting, Arm(DialogWatchdog(info.id), dialogs.timeout_s))
    dialogs, sending = send_answer(dialogs, dialog, answering)
    return dialogs, (*counting, *sending)


def _close_replaced(dialogs: Dialogs, frame_id: str | None, now: float) -> tuple[Dialogs, Effects]:
    """A frame shows one dialog at a time: a new one means that we missed the end of the old one."""
    for dialog in dialogs.open:
        if frame_id is not None and dialog.info.frame_id == frame_id and dialog.way is None:
            return close(dialogs, dialog, now)
    return dialogs, ()


def _decide(dialogs: Dialogs, info: PendingDialog, origin: str) -> tuple[Dialogs, Answering | None]:
    """The answer that a new dialog gets from us, if any: a page without end is dismissed, else a rule decides, else
    the policy."""
    if not info.answerable:
        return dialogs, None
    if dialogs.storms.rages(info.target_id) and info.type != "beforeunload":  # that one asks for a way out
        return dialogs, Answering(by="auto_policy", accept=False, note=STORM)
    rules, used = use(dialogs.rules, info, origin)
    dialogs = replace(dialogs, rules=rules)
    action = used.rule.action if used else dialogs.policy
    if action == "must_respond":
        return dialogs, None
    return dialogs, Answering(
        by="auto_policy",
        accept=action in ("accept", "auto_accept"),
        prompt_text=used.rule.prompt_text if used and info.type == "prompt" else None,
        rule_id=used.id if used else None,
        note=f"rule {used.id}" if used else dialogs.policy,
    )


def _refuse(dialogs: Dialogs, dialog_id: str, error: Exception, now: float) -> tuple[Dialogs, Effects]:
    dialog = dialogs.find(dialog_id)
    if dialog is not None and dialog.way is not None and isinstance(error, CommandError):
        return bridged.vanish(dialogs, dialog, now)
    return refuse(dialogs, dialog_id, error)


def _close_announced(
    dialogs: Dialogs, session_id: str, event: page.JavascriptDialogClosed, now: float
) -> tuple[Dialogs, Effects]:
    """Matched by frame, not by session: of two dialogs in a tab, the first ends after the second has opened. Where the
    browser names no frame, the one ends that takes answers."""
    for dialog in sorted(dialogs.open, key=lambda dialog: not dialog.info.answerable):
        is_meant = not event.frame_id or dialog.info.frame_id in (event.frame_id, None)
        if dialog.info.session_id == session_id and is_meant and dialog.way is None:
            return close(dialogs, dialog, now, accepted=event.result, user_input=event.user_input)
    return dialogs, ()


def _close_all(dialogs: Dialogs, ids: Collection[str], now: float, *, note: str = "") -> tuple[Dialogs, Effects]:
    """These are over, and nobody of us answered them, whatever is on its way."""
    effects: Effects = ()
    for dialog in dialogs.open:
        if dialog.info.id in ids:
            dialogs, more = close(dialogs, dialog, now, closed_by="remote" if note else None, note=note)
            effects = (*effects, *more)
    return dialogs, effects


def _left_behind(dialogs: Dialogs, shown: page.Frame, frames: Frames) -> tuple[str, ...]:
    """The dialogs whose document is gone now that a frame shows another one, where the browser does not tell of their
    end. A dialog of the new document may be told of before the document is."""
    node = frames.nodes.get(shown.id)
    page_id = node.page_id if node else None

    def is_left(info: PendingDialog) -> bool:
        if info.frame_id in (None, shown.id):
            return (info.frame_id or info.target_id) == shown.id and info.url.partition("#")[0] != shown.url
        return info.target_id == page_id and info.frame_id not in frames.nodes

    return tuple(dialog.info.id for dialog in dialogs.open if dialog.is_clients and is_left(dialog.info))


def _close_gone(dialogs: Dialogs, targets: Targets, now: float) -> tuple[Dialogs, Effects]:
    """A dialog ends with the page that shows it."""
    storms, calming = forget_gone(dialogs.storms, targets)
    gone = [dialog.info.id for dialog in dialogs.open if targets.page(dialog.info.target_id) is None]
    dialogs, effects = _close_all(replace(dialogs, storms=storms), gone, now)
    return dialogs, (*effects, *calming)


def _disarm(dialogs: Dialogs, asked: RuleDisarmed) -> tuple[Dialogs, Effects]:
    left = disarm(dialogs.rules, asked.rule_id)
    if left is None:
        known = tuple(one.id for one in dialogs.rules.waiting)
        return dialogs, (Tell(asked.call_id, UnknownRule(asked.rule_id, known)),)
    return replace(dialogs, rules=left), (Tell(asked.call_id, CommandResult(None)),)


def _dismiss_overdue(dialogs: Dialogs, dialog_id: str) -> tuple[Dialogs, Effects]:
    dialog = dialogs.find(dialog_id)
    if dialog is None or dialog.answering is not None:
        return dialogs, ()
    if not dialog.info.answerable:
        return put(dialogs, replace(dialog, info=replace(dialog.info, note=OVERDUE))), ()
    return send_answer(dialogs, dialog, Answering(by="watchdog", accept=False))


def freeze(dialogs: Dialogs) -> tuple[Dialogs, Effects]:
    """Nothing can be answered over a link that is gone. Answers on their way fail with the link itself."""
    frozen = tuple(replace(dialog, info=replace(dialog.info, answerable=False)) for dialog in dialogs.open)
    storms, calming = pause(dialogs.storms)
    watchdogs = tuple(Disarm(DialogWatchdog(dialog.info.id)) for dialog in dialogs.open)
    ids = [dialog.info.id for dialog in dialogs.open if dialog.answering is not None and dialog.answering.tries > 1]
    retries = tuple(Disarm(AnswerRetry(dialog_id)) for dialog_id in ids)
    return replace(dialogs, open=frozen, storms=storms), (*watchdogs, *retries, *calming)
