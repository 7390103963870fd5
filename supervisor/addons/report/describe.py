"""An input in one line: its kind, its page, its severity, and a text."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from cdp_typed.protocol import page
from supervisor.core.vocabulary import inputs, requests, timers

from .model import Severity
from .report_events import ReportEvent, cut

LINE = 200
"""Characters of the text of an input."""

_INNER = ("frame", "target_info", "entry", "request", "response", "exception_details")
"""Fields of events that hold more fields."""

_TELLING = ("message", "text", "url", "error_text", "reason", "status", "frame_id", "request_id", "session_id", "type")
"""Fields of events that say most, the first one first."""

_NOTICES: tuple[type, ...] = (
    inputs.Connected,
    inputs.PersonAsked,
    inputs.StopRequested,
    inputs.UrlRulesAdded,
    requests.CallAbandoned,
    page.FrameNavigated,
    page.JavascriptDialogOpening,
    page.JavascriptDialogClosed,
    page.FileChooserOpened,
)
_GRAVE: dict[str, Severity] = {
    "Page.downloadWillBegin": "notice",
    "Inspector.targetCrashed": "error",
    "Runtime.exceptionThrown": "error",
    "Network.loadingFailed": "warning",
    "Fetch.authRequired": "warning",
    "Debugger.paused": "warning",
}
_CONSOLE: dict[str, Severity] = {"error": "error", "assert": "error", "warning": "warning"}


def snake(name: str) -> str:
    """`CallRequested` as `call_requested`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def kind_of(received: inputs.Input) -> str:
    """The method of an event, or the name of another input."""
    if isinstance(received, inputs.EventReceived):
        return str(received.event.METHOD)
    return snake(type(received).__name__)


def severity_of(moment: ReportEvent) -> Severity:
    """How grave an input is."""
    match moment.received:
        case inputs.Disconnected() | inputs.ConnectFailed():
            return "error"
        case inputs.CommandFailed() | inputs.TimerFired(timers.CallDeadline() | timers.NavigationDeadline()):
            return "warning"
        case inputs.TimerFired(timers.DialogWatchdog() | timers.HangDeadline() | timers.SetupDeadline()):
            return "warning"
        case inputs.EventReceived(_, event):
            if isinstance(event, _NOTICES):
                return "notice"
            level = str(getattr(event, "type", "") or getattr(getattr(event, "entry", None), "level", ""))
            spoken = _CONSOLE.get(level, "info") if event.METHOD in _SPEAKING else "info"
            return _GRAVE.get(event.METHOD, spoken)
        case received if isinstance(received, _NOTICES) or hasattr(received, "call_id"):
            return "notice"
        case _:
            return "info"


_SPEAKING = frozenset({"Runtime.consoleAPICalled", "Log.entryAdded"})


def subject_of(moment: ReportEvent) -> str:
    """The page that an input is about; empty where that is none, or not known."""
    match moment.received:
        case inputs.EventReceived(session_id, event):
            target = getattr(getattr(event, "target_info", None), "target_id", None)
            session = session_id or getattr(event, "session_id", None)
            return moment.page_of(session) or (str(target) if isinstance(target, str) else "")
        case inputs.CommandSucceeded(tag) | inputs.CommandFailed(tag):
            return _page_of_parts(tag, moment)
        case inputs.TimerFired(timer):
            return _page_of_parts(timer, moment)
        case received:
            return _page_of_parts(received, moment)


def _page_of_parts(part: Struct, moment: ReportEvent) -> str:
    """The page by whichever id a tag, a timer or a request holds."""
    for name in ("page_id", "target_id"):
        value = getattr(part, name, None)
        if isinstance(value, str):
            return value
    if isinstance(session_id := getattr(part, "session_id", None), str):
        return moment.page_of(session_id)
    for world in (moment.after.world, moment.before.world):
        frame = world.frames.nodes.get(getattr(part, "frame_id", None) or "")
        call = world.calls.pending.get(getattr(part, "call_id", None) or "")
        navigation = world.navigations.pending.get(getattr(part, "call_id", None) or "")
        dialog = world.dialogs.find(getattr(part, "dialog_id", None) or "")
        frame = frame or (call.frame if call else None)
        if frame is not None:
            return frame.page_id
        if navigation is not None:
            return navigation.page_id
        if dialog is not None:
            return dialog.info.target_id
    return ""


def text_of(received: inputs.Input) -> str:
    """The text of an input, on one line."""
    match received:
        case inputs.EventReceived(_, event):
            text = _event(event)
        case inputs.CommandSucceeded(tag):
            text = _named(tag)
        case inputs.CommandFailed(tag, error):
            text = f"{_named(tag)}: {error}"
        case inputs.TimerFired(timer):
            text = _named(timer)
        case inputs.PersonAsked(reason) | inputs.Disconnected(reason) | inputs.ConnectFailed(reason):
            text = reason
        case requests.CallRequested(call_id=call_id, work=work):
            text = f"{call_id} {work_of(work)}"
        case (
            requests.NavigationRequested(call_id=call_id, work=work)
            | requests.UnblockRequested(call_id=call_id, work=work)
        ):
            text = f"{call_id} {_named(work)}"
        case _:
            text = _values(received)
    return cut(" ".join(cut(str(text), 4 * LINE).split()), LINE)


def work_of(work: Any) -> str:
    """The expression that a call runs, or its command with the parameters."""
    if isinstance(work, requests.Evaluate):
        return work.expression
    return f"{work.METHOD} {json_of(work)}"


def _event(event: Struct) -> str:
    """Arguments of a console call, or the field that says most."""
    said = [_said(item) for item in _field(event, "args") or ()]
    if said:
        return " ".join(said)
    inner = (part for name in _among(type(event), _INNER) if isinstance(part := _field(event, name), Struct))
    telling = (_field(part, name) for part in (*inner, event) for name in _among(type(part), _TELLING))
    return next((value for value in telling if isinstance(value, str) and value), "")


@cache
def _among(kind: type[Struct], names: tuple[str, ...]) -> tuple[str, ...]:
    """The names that are fields of a class."""
    return tuple(name for name in names if name in kind.__struct_fields__)


def _said(argument: Any) -> str:
    value = _field(argument, "value")
    return str(_field(argument, "description") or "") if value is None else str(value)


def _field(value: object, name: str) -> Any:
    found = getattr(value, name, None)
    return None if found is UNSET else found


def _named(part: Struct) -> str:
    return f"{snake(type(part).__name__)} {_values(part)}".rstrip()


def _values(part: Struct) -> str:
    values = (getattr(part, name) for name in part.__struct_fields__)
    return " ".join(
        json_of(value) if isinstance(value, Struct) else str(value) for value in values if value is not None
    )


def json_of(value: object) -> str:
    """A value of the protocol as JSON, with the names of the wire."""
    return json.dumps(msgspec.to_builtins(value, enc_hook=str, str_keys=True), ensure_ascii=False)
