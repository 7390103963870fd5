"""The causes of failures, one item each; an item counts the actions that failed because of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from supervisor.addons.report.describe import LINE
from supervisor.addons.report.model import (
    Action,
    BlockerSpan,
    CallSpan,
    ConnectionSpan,
    DialogSpan,
    Report,
    SummaryItem,
)
from supervisor.addons.report.report_events import cut

LONG_WAIT_MS = 1_000.0
"""A dialog that was open for so long, or a call that waited for so long, is a separate cause."""

PAUSE_MS = 100.0
"""A call that follows another one within this time belongs to the same wait."""

_SCRIPTS = ("evaluate", "Runtime.evaluate", "Runtime.callFunctionOn")

FOREMOST = ("lost", "crash", "reconnect")
"""The kinds that come before all others."""

_AWAITED = {"unresponsive": "the page to respond", "download": "the end of the download", "debugger": "the debugger"}


_CLOSED = {
    "agent": "until the agent answered it",
    "auto_policy": "until the policy answered it",
    "watchdog": "until the watchdog closed it",
    "remote": "until a person or another client answered it",
}


class _Trouble(Struct, frozen=True):
    """A time in which something was wrong, and which actions failed because of it."""

    item: SummaryItem
    end: float | None
    explains: Callable[[Action], bool]
    is_silent: bool = False
    """Nothing is said of it, if nothing failed because of it."""


def causes_of(report: Report) -> list[SummaryItem]:
    """Lost connections and crashes first, then in the order of time."""
    failed = [action for action in report.actions if action.status == "failed"]
    explained: set[int] = set()
    items: list[SummaryItem] = []
    troubles = sorted(_troubles(report), key=lambda trouble: (_rank(trouble.item), trouble.item.time))
    for trouble in troubles:
        because = [action.number for action in failed if action.number not in explained and _during(trouble, action)]
        explained.update(because)
        if because or not trouble.is_silent:
            items.append(_joined(trouble.item, because, report.actions))
    items.extend(_alone([action for action in failed if action.number not in explained]))
    items.extend(_not_ended(report))
    return sorted(items, key=lambda item: (_rank(item), item.input))


def _rank(item: SummaryItem) -> int:
    return 0 if item.kind in FOREMOST else 1


def _during(trouble: _Trouble, action: Action) -> bool:
    has_begun = action.end is None or action.end >= trouble.item.time
    return has_begun and (trouble.end is None or action.time <= trouble.end) and trouble.explains(action)


def _joined(item: SummaryItem, because: list[int], actions: Sequence[Action]) -> SummaryItem:
    """The item with the action that was under way, and how many failed because of it."""
    under_way = next(
        (one.number for one in actions if one.time <= item.time and (one.end or item.time) >= item.time), None
    )
    first = under_way or (because[0] if because else None)
    later = [number for number in because if number != first]
    text = item.text
    if first is not None and first in because:
        text += f" {actions[first - 1].text} failed because of it."
    if later:
        text += f" {len(later)} later {'action' if len(later) == 1 else 'actions'} failed because of it."
    severity = "error" if because else item.severity
    return replace(item, text=text, action=first, later=later, severity=severity)


def _troubles(report: Report) -> Iterator[_Trouble]:
    yield from _of_the_connection(report)
    for blocker in report.blockers:
        yield _of_blocker(blocker, report)
    for dialog in report.dialogs:
        yield _of_dialog(dialog, report.calls)
    for storm in report.storms:
        item = SummaryItem(
            kind="storm",
            severity="warning",
            input=storm.input,
            time=storm.time,
            duration=None if storm.end is None else storm.end - storm.time,
            page=storm.page,
            text=f"The page opened dialogs too fast: {storm.count} were dismissed.",
        )
        yield _Trouble(item, storm.end, lambda _: False)


def _of_the_connection(report: Report) -> Iterator[_Trouble]:
    for span in report.connection:
        if span.state not in ("reconnecting", "lost"):
            continue
        is_lost = span.state == "lost"
        item = SummaryItem(
            kind="lost" if is_lost else "reconnect",
            severity="error",
            input=max(span.input, 0),
            time=span.time,
            duration=None if span.end is None else span.end - span.time,
            text=f"The connection was lost: {cut(span.reason, LINE).rstrip('.')}.{_back(span)}",
        )
        yield _Trouble(item, span.end, _has_call(report.calls, lambda call: _ended_with_connection(call)))


def _back(span: ConnectionSpan) -> str:
    if span.state == "lost" or span.end is None:
        return ""
    return f" It was back after {_length(span.end - span.time)}."


def _ended_with_connection(call: CallSpan) -> bool:
    return call.outcome == "failed" and ("reconnecting" in call.blocked_by or call.error == "ConnectionLost")


def _of_blocker(blocker: BlockerSpan, report: Report) -> _Trouble:
    is_crash, is_busy = blocker.kind == "crash", blocker.kind == "unresponsive"
    since = _asked_at(blocker, report.calls) if is_busy else blocker.time
    length = None if blocker.end is None else blocker.end - since
    explains = _has_call(report.calls, lambda call: blocker.id in call.blocked_by)
    text = f"{blocker.kind} {cut(blocker.text, LINE)}".strip().rstrip(".") + "."
    if is_crash:
        text = "The page crashed."
        explains = _on_page(blocker.page)
    elif is_busy:
        text = "The page answered nothing: a long script, or a dialog that opened before the supervisor came."
        if length is not None:
            text = f"The page was busy, most likely with a long script: no answer for at least {_length(length)}."
        explains = _has_call(report.calls, lambda call: call.outcome == "failed" and "unresponsive" in call.blocked_by)
    item = SummaryItem(
        kind="crash" if is_crash else "busy" if is_busy else "waited",
        severity="error" if is_crash else "warning",
        input=blocker.input,
        time=since,
        duration=length,
        page=blocker.page,
        text=text,
        whom="" if is_crash or is_busy else _AWAITED.get(blocker.kind, "the agent"),
    )
    return _Trouble(item, blocker.end, explains)


def _of_dialog(dialog: DialogSpan, calls: Sequence[CallSpan]) -> _Trouble:
    length = None if dialog.end is None else round(dialog.end - dialog.time, 1)
    is_short = length is not None and length < LONG_WAIT_MS and dialog.closed_by != "watchdog"
    until = _CLOSED.get(dialog.closed_by, "until it was closed")
    end = "and still open when the recording ended" if length is None else f"for {_length(length)} {until}"
    item = SummaryItem(
        kind="dialog",
        severity="warning",
        input=dialog.input,
        time=dialog.time,
        duration=length,
        page=dialog.page,
        text=f'The {dialog.type} "{cut(dialog.message, LINE)}" was open {end}.',
    )
    return _Trouble(item, dialog.end, _has_call(calls, lambda call: dialog.id in call.blocked_by), is_short)


def _has_call(calls: Sequence[CallSpan], matches: Callable[[CallSpan], bool]) -> Callable[[Action], bool]:
    return lambda action: any(matches(calls[number]) for number in action.calls)


def _on_page(page: str) -> Callable[[Action], bool]:
    return lambda action: not action.page or not page or action.page == page


def _alone(failed: Sequence[Action]) -> Iterator[SummaryItem]:
    """Failures that nothing else explains; those that say the same are one."""
    same: dict[tuple[str, str], list[Action]] = {}
    for action in failed:
        same.setdefault((action.text, action.outcome), []).append(action)
    for (text, outcome), actions in same.items():
        first, count = actions[0], len(actions)
        times = f" ({count} times)" if count > 1 else ""
        yield SummaryItem(
            kind="failed",
            severity="error",
            input=max(first.input, 0) if first.end_input is None else first.end_input,
            time=first.time if first.end is None else first.end,
            page=first.page,
            text=f"{text} failed{times}: {outcome}",
            action=first.number,
            later=[action.number for action in actions[1:]],
        )


def _not_ended(report: Report) -> Iterator[SummaryItem]:
    """Actions that had not ended, and calls of programs that waited long although they succeeded."""
    for action in report.actions:
        length = None if action.end is None else round(action.end - action.time, 1)
        awaited = [name for number in action.calls for name in report.calls[number].blocked_by]
        is_long = action.tool is None and awaited and length is not None and length >= LONG_WAIT_MS
        if action.status == "pending" or (is_long and action.status != "failed"):
            yield SummaryItem(
                kind="waited",
                severity="warning",
                input=max(action.input, 0),
                time=action.time,
                duration=length,
                page=action.page,
                text=f"{action.text} waited." if length else f"{action.text} had not ended when the recording ended.",
                whom=", ".join(dict.fromkeys(f"dialog {name}" if name.startswith("d-") else name for name in awaited)),
                action=action.number,
            )


def _asked_at(blocker: BlockerSpan, calls: Sequence[CallSpan]) -> float:
    """When the first of the calls was made that had no answer: a page is known to be busy only some time after."""
    waiting = [call for call in calls if "unresponsive" in call.blocked_by and call.page == blocker.page]
    known = [call.time for call in waiting if call.time <= blocker.time <= (call.end or blocker.time)]
    since = min(known, default=blocker.time)
    # A click gives up on a busy page before the page is known to be busy: its calls come before, without a pause.
    for call in reversed(calls):
        is_given_up = call.outcome == "abandoned" and call.page == blocker.page
        if (
            is_given_up
            and call.time < since <= (call.end or 0) + PAUSE_MS
            and not _is_answered_after(call, blocker, calls)
        ):
            since = call.time
    return since


def _is_answered_after(call: CallSpan, blocker: BlockerSpan, calls: Sequence[CallSpan]) -> bool:
    """Whether the frame ran a script after this call was made, and before the page was known to be busy."""
    return any(
        other.outcome == "succeeded"
        and other.kind in _SCRIPTS
        and (other.page, other.frame_id) == (call.page, call.frame_id)
        and other.end is not None
        and call.time <= other.end <= blocker.time
        for other in calls
    )


def _length(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds < LONG_WAIT_MS else f"{milliseconds / 1_000:.1f} s"
