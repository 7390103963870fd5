"""What a new session tells again of what an older one, of a connection that was lost, has told already.

Measured: `Runtime.enable` and `Log.enable` repeat the last 1,000 messages of a target before they are answered.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import target
from supervisor.core.state.observed import Newest, Repeats, Source
from supervisor.core.state.pages import Targets
from supervisor.core.vocabulary.command_tags import SeedConsole
from supervisor.core.vocabulary.inputs import AllAnnounced, Answered, EventReceived, Input, Refused


def reduce(repeats: Repeats, received: Input, targets: Targets) -> Repeats:
    """Follow the sessions. `targets` is the slice after this input."""
    match received:
        case EventReceived(_, target.AttachedToTarget() as event) if event.session_id in targets.sessions:
            return replace(repeats, before={**repeats.before, event.session_id: repeats.heard})
        case Answered(SeedConsole(session_id)) | Refused(SeedConsole(session_id)):
            return replace(repeats, before={key: heard for key, heard in repeats.before.items() if key != session_id})
        case EventReceived(_, target.DetachedFromTarget()) | AllAnnounced():
            here = {session.target_id for session in targets.sessions.values()}
            return Repeats(
                heard={source: newest for source, newest in repeats.heard.items() if source[0] in here},
                before={key: heard for key, heard in repeats.before.items() if key in targets.sessions},
            )
        case _:
            return repeats


def hear(repeats: Repeats, session_id: str, source: Source, timestamp: float, said: str) -> tuple[Repeats, bool]:
    """Take a message in; False when it is a repetition. Two at the same time are told apart by what they say."""
    before = repeats.before.get(session_id, {}).get(source)
    if before is not None and before.is_after(timestamp, said):
        return repeats, False
    newest = repeats.heard.get(source)
    together = newest.said if newest is not None and newest.timestamp == timestamp else frozenset[str]()
    return replace(repeats, heard={**repeats.heard, source: Newest(timestamp, together | {said})}), True
