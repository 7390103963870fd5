"""Callers' calls: what was asked, what they waited for, and how they ended."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from cdp_typed.errors import ConnectionLost
from supervisor.core.state.world import World
from supervisor.core.vocabulary import requests
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Send
from supervisor.core.vocabulary.errors import (
    BlockedByDialog,
    BlockedByPrintPreview,
    CallTimeout,
    LoginRequired,
    PausedByDebugger,
)
from supervisor.core.vocabulary.values import DialogReceipt, Evaluation

from .describe import json_of, snake, subject_of
from .model import CallSpan
from .report_events import ReportEvent, Spans, cut

_KINDS: dict[type, str] = {
    requests.AnswerRequested: "answer_dialog",
    requests.UnblockRequested: "unblock",
    requests.RuleArmed: "arm_rule",
    requests.RuleDisarmed: "disarm_rule",
    requests.RouteAdded: "add_route",
    requests.RoutesRemoved: "remove_routes",
    requests.RequestsWatched: "watch_requests",
    requests.EmulationRequested: "emulate",
    requests.InitScriptAdded: "add_init_script",
    requests.InitScriptsRemoved: "remove_init_scripts",
    requests.OpenRequested: "open_page",
    requests.SelectRequested: "select_page",
    requests.GiveRequested: "give_page",
    requests.TakeBackRequested: "take_page_back",
    requests.BridgeEnding: "remove_bridge",
    requests.ReloadPage: "reload_page",
    requests.NavigatePage: "navigate",
    requests.ClosePage: "close_page",
}

Outcome: TypeAlias = Literal["succeeded", "failed", "abandoned", "pending"]


class CallSpans:
    """Collects calls."""

    def __init__(self) -> None:
        self._spans = Spans[CallSpan]()

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        received = moment.received
        if isinstance(received, requests.Request):
            self._spans.begin(received.call_id, _begun(received, moment))
        for effect in moment.effects:
            if isinstance(effect, Send):
                self._note_sent(getattr(effect.tag, "call_id", None), moment)
        for key in (*moment.world.calls.pending, *moment.world.navigations.pending):
            self._note_waiting(key, moment.world)
        for effect in moment.effects:
            if isinstance(effect, CompleteCall) and effect.call_id in self._spans.open:
                self._complete(effect, moment)
        if isinstance(received, requests.CallAbandoned) and received.call_id in self._spans.open:
            self._spans.end(received.call_id, outcome="abandoned", end=moment.time, end_input=moment.index)

    def _note_sent(self, key: str | None, moment: ReportEvent) -> None:
        current = self._spans.current(key) if key else None
        if key and current is not None and current.sent_input is None:
            self._spans.update(key, sent_input=moment.index)

    def _note_waiting(self, key: str, world: World) -> None:
        current = self._spans.current(key)
        new = [why for why in _waits_for(key, world) if current is not None and why not in current.blocked_by]
        if current is not None and new:
            self._spans.update(key, blocked_by=[*current.blocked_by, *new])

    def _complete(self, effect: CompleteCall, moment: ReportEvent) -> None:
        current, outcome = self._spans.current(effect.call_id), effect.outcome
        assert current is not None
        is_abandoned = isinstance(moment.received, requests.CallAbandoned)
        is_error = isinstance(outcome, Exception)
        ended: Outcome = "abandoned" if is_abandoned else "failed" if is_error else "succeeded"
        new = [why for why in _ended_by(outcome) if why not in current.blocked_by]
        self._spans.end(
            effect.call_id,
            end=moment.time,
            end_input=moment.index,
            outcome=ended,
            error=type(outcome).__name__ if is_error else "",
            text=cut(_text(outcome)),
            blocked_by=[*current.blocked_by, *new],
        )

    def spans(self) -> list[CallSpan]:
        """All that was collected."""
        return self._spans.all


def _begun(received: requests.Request, moment: ReportEvent) -> CallSpan:
    kind, arguments = _asked(received)
    page = subject_of(moment)
    if not page and isinstance(received, requests.CallRequested | requests.NavigationRequested):
        page = moment.world.targets.current or ""
    return CallSpan(
        id=received.call_id,
        kind=kind,
        arguments=cut(arguments),
        page=page,
        frame_id=getattr(received, "frame_id", None),
        input=moment.index,
        time=moment.time,
        sent_input=None,
        end=None,
        end_input=None,
        outcome="pending",
        error="",
        text="",
        blocked_by=[],
    )


def _asked(received: requests.Request) -> tuple[str, str]:
    match received:
        case requests.CallRequested(work=requests.Evaluate(expression=expression)):
            return "evaluate", expression
        case requests.CallRequested(work=work):
            return str(getattr(work, "METHOD", "")), json_of(work)
        case requests.NavigationRequested(work=work):
            return _KINDS[type(work)], json_of(work)
        case requests.UnblockRequested(work=work):
            return "unblock", f"{snake(type(work).__name__)} {json_of(work)}"
        case _:
            fields = {name: getattr(received, name) for name in received.__struct_fields__ if name != "call_id"}
            return _KINDS[type(received)], json_of(fields)


def _waits_for(key: str, world: World) -> list[str]:
    """The obstacle of a call that has not ended."""
    call, navigation = world.calls.pending.get(key), world.navigations.pending.get(key)
    if call is None and navigation is None:
        return []
    if world.connection.state == "reconnecting":
        return ["reconnecting"]
    if navigation is not None:
        return [dialog.info.id for dialog in world.dialogs.open if dialog.info.target_id == navigation.page_id]
    frame = world.frames.nodes.get(call.frame.frame_id) if call and call.frame else None
    if call is None or frame is None:
        return []
    if call.sent:
        session = world.targets.sessions.get(frame.session_id)
        return ["unresponsive"] if session is not None and session.unresponsive else []
    if frame.stale or frame.is_moving:
        return ["frame moving" if frame.is_moving else "reconnecting"]
    return [dialog.info.id for dialog in world.dialogs_over(frame)] or ["document loading"]


def _ended_by(outcome: object) -> list[str]:
    match outcome:
        case BlockedByDialog():
            return [outcome.dialog.id]
        case PausedByDebugger() | BlockedByPrintPreview() | LoginRequired():
            return [outcome.blocker.id]
        case CallTimeout(cause="unresponsive"):
            return ["unresponsive"]
        case ConnectionLost():
            return ["reconnecting"]
        case _:
            return []


def _text(outcome: Any) -> str:
    match outcome:
        case Exception():
            return str(outcome)
        case Evaluation(value=value, description=description):
            return description if value is None else json_of(value)
        case CommandResult(value):
            return "" if value is None else json_of(value)
        case DialogReceipt(dialog_id=dialog_id, accepted=accepted):
            return f"{dialog_id} {'accepted' if accepted else 'dismissed'}"
        case _:
            return str(outcome)
