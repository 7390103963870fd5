"""The summary of a report: what failed, what waited and for whom, storms, reconnects, crashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cdp_typed import __version__
from supervisor.config import Config
from supervisor.core.state.world import State
from supervisor.journal import NOT_KEPT, encode

from .describe import LINE, json_of
from .model import CallSpan, DialogSpan, Report, Summary, SummaryItem
from .moments import cut

LONG_WAIT_MS = 1_000.0
"""Of a dialog or a call that waited at least so long, the summary tells."""


def summary_of(report: Report, state: State, config: Config, versions: Mapping[str, str]) -> Summary:
    """The summary, without its title, times and notes, which stand outside of the report's lists."""
    known = {name: version for name, version in versions.items() if version}
    return Summary(
        title="",
        started_at=0.0,
        duration=0.0,
        ended=state.world.connection.state,
        ended_reason=state.world.connection.reason,
        inputs=len(report.inputs.time),
        counts=_counts(report, state),
        versions={**known, "report": __version__},
        settings={name: _setting(getattr(config, name)) for name in config.__struct_fields__ if name not in NOT_KEPT},
        items=sorted(_items(report), key=lambda item: item.input),
        notes=[],
    )


def _setting(value: object) -> str:
    return str(value) if isinstance(value, str | int | float | None) else json_of(encode(value))


def _counts(report: Report, state: State) -> dict[str, int]:
    return {
        "pages": len(report.pages),
        "frames": sum(len(lane.frames) for lane in report.pages),
        "dialogs": len(report.dialogs),
        "calls": len(report.calls),
        "failed_calls": sum(call.outcome == "failed" for call in report.calls),
        "tools": len(report.tools),
        "console": len(report.console),
        "console_errors": sum(entry.level in ("error", "exception", "assert") for entry in report.console),
        "failed_requests": len(report.network),
        "reconnects": sum(span.state == "reconnecting" for span in report.connection),
        "storms": len(report.storms),
        "crashes": sum(blocker.kind == "crash" for blocker in report.blockers),
        "pictures": len(report.pictures),
        "left_out": sum(left.count for left in state.left_out.values()),
    }


def _items(report: Report) -> Iterator[SummaryItem]:
    yield from _of_the_connection(report)
    for call in report.calls:
        yield from _of_call(call)
    for dialog in report.dialogs:
        yield from _of_dialog(dialog)
    for tool in report.tools:
        if tool.is_error:
            text = f"{tool.name} failed: {cut(tool.text, LINE)}"
            yield SummaryItem(
                kind="failed",
                severity="error",
                input=max(tool.input, 0) if tool.end_input is None else tool.end_input,
                time=tool.time,
                page=tool.page,
                text=text,
            )
    for storm in report.storms:
        yield SummaryItem(
            kind="storm",
            severity="warning",
            input=storm.input,
            time=storm.time,
            duration=None if storm.end is None else storm.end - storm.time,
            page=storm.page,
            text=f"The page opened dialogs too fast: {storm.count} were dismissed.",
        )
    for blocker in report.blockers:
        is_crash = blocker.kind == "crash"
        yield SummaryItem(
            kind="crash" if is_crash else "waited",
            severity="error" if is_crash else "warning",
            input=blocker.input,
            time=blocker.time,
            duration=None if blocker.end is None else blocker.end - blocker.time,
            page=blocker.page,
            text="The page crashed." if is_crash else f"{blocker.kind} {cut(blocker.text, LINE)}".strip(),
            whom="" if is_crash else _BLOCKERS.get(blocker.kind, "the agent"),
        )


_BLOCKERS = {"unresponsive": "the page to respond", "download": "the end of the download", "debugger": "the debugger"}


def _of_the_connection(report: Report) -> Iterator[SummaryItem]:
    for span in report.connection:
        if span.state in ("reconnecting", "lost"):
            is_lost = span.state == "lost"
            yield SummaryItem(
                kind="lost" if is_lost else "reconnect",
                severity="error" if is_lost else "warning",
                input=max(span.input, 0),
                time=span.time,
                duration=None if span.end is None else span.end - span.time,
                text=f"The connection was lost: {cut(span.reason, LINE)}",
            )


def _of_call(call: CallSpan) -> Iterator[SummaryItem]:
    what = f"{call.kind} {call.id}"
    duration = None if call.end is None else round(call.end - call.time, 1)
    if call.outcome == "failed":
        yield SummaryItem(
            kind="failed",
            severity="warning" if call.error == "BlockedByDialog" else "error",
            input=call.input if call.end_input is None else call.end_input,
            time=call.time if call.end is None else call.end,
            page=call.page,
            text=f"{what} failed: {call.error}: {cut(call.text, LINE)}",
        )
    has_waited = call.blocked_by and (duration is None or duration >= LONG_WAIT_MS)
    if has_waited or call.outcome == "pending":
        names = [f"dialog {name}" if name.startswith("d-") else name for name in call.blocked_by]
        yield SummaryItem(
            kind="waited",
            severity="warning",
            input=call.input,
            time=call.time,
            duration=duration,
            page=call.page,
            text=f"{what} waited." if duration is not None else f"{what} had not ended when the recording ended.",
            whom=", ".join(names),
        )


def _of_dialog(dialog: DialogSpan) -> Iterator[SummaryItem]:
    duration = None if dialog.end is None else round(dialog.end - dialog.time, 1)
    if duration is not None and duration < LONG_WAIT_MS and dialog.closed_by != "watchdog":
        return
    end = f"closed by {dialog.closed_by}" if dialog.closed_by else "open when the recording ended"
    yield SummaryItem(
        kind="waited",
        severity="warning",
        input=dialog.input,
        time=dialog.time,
        duration=duration,
        page=dialog.page,
        text=f"{dialog.type} {dialog.id} was {end}: {cut(dialog.message, LINE)}",
        whom="an answer",
    )
