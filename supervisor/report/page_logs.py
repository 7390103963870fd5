"""Console messages and failed requests."""

from __future__ import annotations

from supervisor.core.vocabulary.console_values import ConsoleMessage

from .model import ConsoleEntry, NetworkFailure
from .moments import Moment, cut

_STACK = 10


class ConsoleEntries:
    """Collects console messages."""

    def __init__(self) -> None:
        self.all: list[ConsoleEntry] = []

    def see(self, moment: Moment) -> None:
        """See `Collector`."""
        console = moment.world.console
        new = min(console.count - moment.before.world.console.count, len(console.messages))
        if new > 0:
            self.all.extend(_entry(message, moment) for message in console.messages[-new:])


def _entry(message: ConsoleMessage, moment: Moment) -> ConsoleEntry:
    return ConsoleEntry(
        seq=message.seq,
        input=moment.index,
        time=moment.time,
        level=message.level,
        text=cut(message.text),
        length=message.text_length,
        page=moment.page_of(message.session_id),
        frame_id=message.frame_id,
        url=cut(message.url),
        line=message.line,
        stack=[f"{at.function} ({cut(at.url, 300)}:{at.line}:{at.column})" for at in message.stack[:_STACK]],
    )


class NetworkFailures:
    """Collects failed requests."""

    def __init__(self) -> None:
        self.all: list[NetworkFailure] = []

    def see(self, moment: Moment) -> None:
        """See `Collector`."""
        requests = moment.world.network_requests
        new = min(requests.count - moment.before.world.network_requests.count, len(requests.failed))
        for failed in requests.failed[-new:] if new > 0 else ():
            failure = NetworkFailure(
                input=moment.index,
                time=moment.time,
                duration=round(failed.duration_s * 1_000, 1),
                method=failed.method,
                url=cut(failed.url),
                type=failed.type,
                status=failed.status,
                error=failed.error,
                page=moment.page_of(failed.session_id),
                frame_id=failed.frame_id,
            )
            self.all.append(failure)
