"""The tool `browser_console`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, get_args

from msgspec import Meta, Struct

from cdp_typed.protocol import log, runtime
from supervisor.tools.framework.coercion import chosen
from supervisor.tools.framework.results import rows_that_fit
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.locators import frame_meant

_MOST = 50
"""Messages that a result has, unless the caller says how many."""

LEVELS = (*get_args(runtime.ConsoleAPICalledType), *get_args(log.LogEntryLevel), "exception")


class ConsoleArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_console`."""

    cursor: int | None = None
    """Only newer messages; 0: also of earlier documents."""
    levels: tuple[str, ...] = ()
    """error, warning, exception...; empty for all."""
    frame_id: str | None = None
    """An iframe's ref, or an id."""
    limit: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """Newest first; else what fits."""


class ConsoleLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message."""

    level: str
    text: PageText
    url: PageText = ""
    """The URL of the script. Omitted when it is the URL of the page."""
    line: int | None = None
    """From 1."""
    column: int | None = None
    """From 1."""
    frame_id: str | None = None
    """Omitted for the top frame of the page."""
    timestamp: float
    """Milliseconds since the epoch."""


class Console(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Console messages of all pages and their frames since the current page's document began, oldest first."""

    cursor: int
    """For the next call."""
    messages: list[ConsoleLine]
    missed: int = 0
    """Older messages that are no longer held."""
    counts: Mapping[str, int] = {}
    """Level -> how many there ever were; only where these are not all."""


@tool(toolset="browser", reads_only=True, idempotent=True, works_during_dialog=True)
async def browser_console(context: ToolContext, arguments: ConsoleArguments) -> Console:
    """Read console messages and uncaught exceptions."""
    frame_id = await frame_meant(context.supervisor, arguments.frame_id)
    news = context.supervisor.console_since(arguments.cursor or 0)
    if arguments.cursor is None and news.document:
        news = context.supervisor.console_since(news.document)
    now = context.supervisor.snapshot()
    top = now.frame_tree.top
    levels = chosen("levels", arguments.levels, dict.fromkeys((*LEVELS, *now.console_counts)))
    meant = [
        message
        for message in news.messages
        if (not levels or message.level in levels) and frame_id in (None, message.frame_id)
    ][-(arguments.limit or _MOST) :]
    lines = [
        ConsoleLine(
            level=message.level,
            text=message.text,
            url="" if top is not None and message.url == top.url else message.url,
            line=None if message.line is None else message.line + 1,
            column=None if message.column is None else message.column + 1,
            frame_id=None if top is not None and message.frame_id == top.frame_id else message.frame_id,
            timestamp=message.timestamp,
        )
        for message in meant
    ]
    lines = lines[-(arguments.limit or rows_that_fit(reversed(lines), _MOST)) :]
    counts = dict(now.console_counts)
    is_all = counts == Counter(line.level for line in lines)
    return Console(messages=lines, cursor=news.cursor, missed=news.missed, counts={} if is_all else counts)
