"""Drops console messages that `Runtime.enable` and `Log.enable` replay after a reconnect.

Measured: both commands replay the last 1,000 messages of a target before they are answered.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import target
from supervisor.core.state.observed import LatestMessages, MessageSource, ReplayFilter
from supervisor.core.state.pages import Targets
from supervisor.core.vocabulary.command_tags import LogEnabled
from supervisor.core.vocabulary.inputs import AllAnnounced, CommandFailed, CommandSucceeded, EventReceived, Input


def reduce(replay_filter: ReplayFilter, received: Input, targets: Targets) -> ReplayFilter:
    """Follow the sessions. `targets` is the slice after this input."""
    match received:
        case EventReceived(_, target.AttachedToTarget() as event) if event.session_id in targets.sessions:
            return replace(replay_filter, before={**replay_filter.before, event.session_id: replay_filter.collected})
        case CommandSucceeded(LogEnabled(session_id)) | CommandFailed(LogEnabled(session_id)):
            return replace(
                replay_filter,
                before={key: collected for key, collected in replay_filter.before.items() if key != session_id},
            )
        case EventReceived(_, target.DetachedFromTarget()) | AllAnnounced():
            here = {session.target_id for session in targets.sessions.values()}
            return ReplayFilter(
                collected={source: newest for source, newest in replay_filter.collected.items() if source[0] in here},
                before={key: collected for key, collected in replay_filter.before.items() if key in targets.sessions},
            )
        case _:
            return replay_filter


def add_message(
    replay_filter: ReplayFilter, session_id: str, source: MessageSource, timestamp: float, said: str
) -> tuple[ReplayFilter, bool]:
    """Note a message; False for a replayed one. The text distinguishes messages with the same timestamp."""
    before = replay_filter.before.get(session_id, {}).get(source)
    if before is not None and before.is_after(timestamp, said):
        return replay_filter, False
    newest = replay_filter.collected.get(source)
    together = newest.said if newest is not None and newest.timestamp == timestamp else frozenset[str]()
    return replace(
        replay_filter, collected={**replay_filter.collected, source: LatestMessages(timestamp, together | {said})}
    ), True
