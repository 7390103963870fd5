"""The tool `browser_page`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from supervisor.core.vocabulary.console_values import ConsoleMessage
from supervisor.tools.browser.navigate import Journey, Navigated, go_in_history
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import LongPageText, PageText

from . import clipboard
from .highlight import highlight

MOST_MESSAGES = 20
TIMEOUT_S = 30.0

Action: TypeAlias = Literal[
    "forward", "reload", "hard_reload", "highlight", "clipboard_read", "clipboard_write", "console",
]  # fmt: skip


class PageArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_page`."""

    action: Action
    """hard_reload: without the cache. console: messages with stacks."""
    ref: str | None = None
    """For highlight: the element; without it, the box goes."""
    text: TypedText = ""
    """For clipboard_write. For console: a part of the messages."""


class LoggedMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message on the console."""

    level: str
    text: PageText
    stack: list[PageText] = []
    """The calls that led to it, innermost first: function, URL, line and column, both from 1."""


class PageDone(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of the action."""

    navigated: Navigated | None = None
    """The page after `forward` and the reloads."""
    highlighted: str = ""
    """The ref of the element that has the box."""
    clipboard: LongPageText | None = None
    """The text on the clipboard. After `clipboard_write`, too."""
    messages: list[LoggedMessage] | None = None
    """The last ones on the console that match, oldest first."""


@tool(toolset="browser-extras", destructive=True)
async def browser_page(context: ToolContext, arguments: PageArguments) -> PageDone:
    """Go forward, reload, highlight an element, use the clipboard, read console messages with their stacks."""
    return await _ACTIONS[arguments.action](context, arguments)


async def _forward(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(navigated=await go_in_history(context, 1, TIMEOUT_S))


async def _reload(context: ToolContext, arguments: PageArguments) -> PageDone:
    journey = Journey(context, TIMEOUT_S)
    going = context.supervisor.reload_page(ignore_cache=arguments.action == "hard_reload", timeout_s=journey.left_s)
    return PageDone(navigated=await journey.follow(going))


async def _highlight(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(highlighted=await highlight(context, arguments.ref))


async def _read_clipboard(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(clipboard=await clipboard.read(context))


async def _write_clipboard(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(clipboard=await clipboard.write(context, arguments.text))


async def _read_console(context: ToolContext, arguments: PageArguments) -> PageDone:
    held = context.supervisor.console_since(0).messages
    found = [_logged(message) for message in held if arguments.text in message.text]
    return PageDone(messages=found[-MOST_MESSAGES:])


def _logged(message: ConsoleMessage) -> LoggedMessage:
    calls = [f"{call.function or '(anonymous)'} {call.url}:{call.line + 1}:{call.column + 1}" for call in message.stack]
    return LoggedMessage(level=message.level, text=message.text, stack=list(calls))


_ACTIONS: Mapping[Action, Callable[[ToolContext, PageArguments], Awaitable[PageDone]]] = {
    "forward": _forward,
    "reload": _reload,
    "hard_reload": _reload,
    "highlight": _highlight,
    "clipboard_read": _read_clipboard,
    "clipboard_write": _write_clipboard,
    "console": _read_console,
}
