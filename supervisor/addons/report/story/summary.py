"""The summary of a report: how much there is of everything, the settings, and the causes of what went wrong."""

from __future__ import annotations

from collections.abc import Mapping

from cdp_typed import __version__
from supervisor.addons.report.describe import json_of
from supervisor.addons.report.model import Report, Summary
from supervisor.config import Config
from supervisor.core.state.world import State
from supervisor.journal import NOT_KEPT, encode

from .causes import causes_of


def summary_of(report: Report, state: State, config: Config, versions: Mapping[str, str]) -> Summary:
    """The summary, without its title, times and notes, which are not in the report's lists."""
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
        items=causes_of(report),
        notes=[],
    )


def _setting(value: object) -> str:
    return str(value) if isinstance(value, str | int | float | None) else json_of(encode(value))


def _counts(report: Report, state: State) -> dict[str, int]:
    return {
        "actions": len(report.actions),
        "failed_actions": sum(action.status == "failed" for action in report.actions),
        "pages": len(report.pages),
        "frames": sum(len(lane.frames) for lane in report.pages),
        "dialogs": len(report.dialogs),
        "calls": len(report.calls),
        "failed_calls": sum(call.outcome == "failed" for call in report.calls),
        "tools": len(report.tools),
        "console": len(report.console),
        "console_errors": sum(entry.level in ("error", "exception", "assert") for entry in report.console),
        "requests": len(report.requests),
        "failed_requests": len(report.network),
        "reconnects": sum(span.state == "reconnecting" for span in report.connection),
        "storms": len(report.storms),
        "crashes": sum(blocker.kind == "crash" for blocker in report.blockers),
        "pictures": len(report.pictures),
        "left_out": sum(left.count for left in state.rejected.values()),
    }
