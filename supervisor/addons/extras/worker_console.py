"""The messages on the console of a worker, for `browser_page`."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed.protocol import runtime
from supervisor.core.vocabulary.console_values import describe, exception_text
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.scripts.second_session import named_worker, worker_named

LONGEST = 2_000
"""Characters of a message that are shown."""
MOST_CALLS = 10


class LoggedMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message on the console."""

    level: str
    text: PageText
    stack: list[PageText] = []
    """The calls that led to it, innermost first: function, URL, line and column, both from 1."""


def call_line(function: str, url: str, line: int, column: int) -> str:
    """A call of a stack as one line. `line` and `column` are from 0, as in the protocol."""
    return f"{function or '(anonymous)'} {url}:{line + 1}:{column + 1}"


async def worker_messages(context: ToolContext, named: str) -> list[LoggedMessage]:
    """Return the messages of the worker that `worker=` and a part of its URL name, oldest first.

    Raises `InvalidArgument` for any other text, and what `worker_named` and `PageWorker.console` raise.
    """
    part = named_worker(named)
    if part is None:
        raise InvalidArgument("ref", "the console takes worker= and a part of a worker's URL")
    context.policy.check_method(runtime.Enable.METHOD)
    async with worker_named(context.supervisor, context.policy, part) as worker:
        return [_logged(event) for event in await worker.console()]


def _logged(event: runtime.ConsoleAPICalled | runtime.ExceptionThrown) -> LoggedMessage:
    if isinstance(event, runtime.ConsoleAPICalled):
        level, text, trace = str(event.type), " ".join(map(describe, event.args)), event.stack_trace
    else:
        details = event.exception_details
        level, text, trace = "exception", exception_text(details), details.stack_trace
    calls = trace.call_frames[:MOST_CALLS] if trace is not None else ()
    lines = [call_line(call.function_name, call.url, call.line_number, call.column_number) for call in calls]
    return LoggedMessage(level=level, text=text[:LONGEST], stack=list(lines))
