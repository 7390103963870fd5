"""What the spans of a fleet's calls say. Ray makes those of directory and hosts, and carries the trace there."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from opentelemetry import context, trace

from supervisor.addons.fleet.instruments import SUCCESS, Instruments

TRACER = trace.get_tracer("cdp_typed.fleet")
PLACED = "placed"


def describe_span(name: str = "", **attributes: str) -> None:
    """Say in the present span what is done, by whom, and for which task. Ray knows only methods of actors."""
    span = trace.get_current_span()
    if name:
        span.update_name(name)
    span.set_attributes({f"cdp_fleet.{key}": value for key, value in attributes.items()})
    outcome = attributes.get("outcome", SUCCESS)
    if outcome not in (SUCCESS, PLACED):
        span.set_status(trace.StatusCode.ERROR, outcome)


@contextmanager
def apart() -> Generator[None]:
    """Let calls in the block begin new traces: those that are repeated for ever belong to no call of a driver."""
    token = context.attach(context.Context())
    try:
        yield
    finally:
        context.detach(token)


class SpanInstruments(Instruments):
    """Notes in the present span how a call ended. It is a word: the text of an error may be that of a page."""

    def note_call(self, tool: str, outcome: str, seconds: float) -> None:
        """See `Instruments`."""
        describe_span(outcome=outcome)
