"""The tool `browser_page`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from supervisor.core.vocabulary.console_values import ConsoleMessage
from supervisor.tools.browser.evaluate import Timeout
from supervisor.tools.browser.navigate import Journey, Navigated, go_in_history
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import LongPageText, PageText

from . import clipboard
from .document_scripts import InitScriptView, add_script, remove_scripts, scripts
from .downloads import DownloadedFile, downloads, save_to
from .highlight import highlight
from .offered_tools import started_tools
from .offered_tools.page_tools import PageTool, call_tool, list_tools
from .page_events import drop_on, push_state, wait_until_true
from .sign_ins import Passkey, choose_account, dismiss_accounts, passkeys, remove_authenticator
from .unpacked_extensions import Extension, list_extensions, load_extension, press_button, remove_extension
from .worker_console import LoggedMessage, call_line, worker_messages

MOST_MESSAGES = 20
TIMEOUT_S = 30.0

Action: TypeAlias = Literal[
    "forward", "reload", "hard_reload", "highlight", "clipboard_read", "clipboard_write", "console",
    "tools", "call_tool", "start_tool", "tool_result", "cancel_tool", "passkeys", "passkeys_off", "choose_account",
    "dismiss_accounts", "init_script", "remove_script", "downloads", "download_to", "extensions", "click_extension",
    "remove_extension", "push_state", "wait_js", "drop",
]  # fmt: skip


class PageArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_page`."""

    action: Action
    """hard_reload: no cache. tools: the page's (WebMCP). start_tool: returns at once. init_script, extensions: text
    adds one; else a list. wait_js: until it is true."""
    ref: str | None = None
    """To highlight; none removes all. To drop on. call_tool, wait_js: the frame. console: worker=part of its URL."""
    name: str | None = None
    """Of the tool; the id of the call, script or extension."""
    text: TypedText | None = None
    """The text, URL or folder, JavaScript, JSON (of the tool's arguments, or {"text/plain": "x", "files": ["/x"]} to
    drop), the account's e-mail, a colour: #f00 or none."""
    timeout: Timeout | None = None
    """Seconds to wait: 30, or 10 for a tool."""


class PageDone(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of the action."""

    navigated: Navigated | None = None
    """The page after `forward`, the reloads and `push_state`."""
    highlighted: list[str] = []
    """The refs of the elements that have a box, the newest last."""
    clipboard: LongPageText | None = None
    """The text on the clipboard. After `clipboard_write`, too."""
    messages: list[LoggedMessage] | None = None
    """The last ones on the console that match, oldest first."""
    tools: list[PageTool] | None = None
    """The tools of the page and its iframes."""
    left_out: list[str] = []
    """The ids of the iframes whose tools are not known, for example because of a dialog."""
    output: started_tools.PageToolOutput | None = None
    """The result of the page's tool."""
    passkeys: list[Passkey] | None = None
    """The passkeys in the tab's virtual authenticator."""
    extensions: list[Extension] | None = None
    """The unpacked extensions of the browser."""
    files: list[DownloadedFile] | None = None
    """The downloads, oldest first."""
    hint: str = ""
    """Why downloads may fail after `download_to`."""
    scripts: list[InitScriptView] | None = None
    """The scripts that run in each new document."""
    account: PageText = ""
    """The account that was chosen."""
    value: PageText = ""
    """The value of the expression that became true, as JSON."""
    dropped_on: str = ""
    """The ref of the element that took the drop."""


@tool(toolset="browser-extras", destructive=True)
async def browser_page(context: ToolContext, arguments: PageArguments) -> PageDone:
    """Forward, reload, highlight, clipboard, passkeys, accounts, extensions, console with stacks, the page's tools."""
    return await _ACTIONS[arguments.action](context, arguments)


async def _forward(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(navigated=await go_in_history(context, 1, arguments.timeout or TIMEOUT_S))


async def _reload(context: ToolContext, arguments: PageArguments) -> PageDone:
    journey = Journey(context, arguments.timeout or TIMEOUT_S)
    going = context.supervisor.reload_page(ignore_cache=arguments.action == "hard_reload", timeout_s=journey.left_s)
    return PageDone(navigated=await journey.follow(going))


async def _highlight(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(highlighted=await highlight(context, arguments.ref, arguments.text or ""))


async def _read_clipboard(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(clipboard=await clipboard.read(context))


async def _write_clipboard(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(clipboard=await clipboard.write(context, arguments.text or ""))


async def _read_console(context: ToolContext, arguments: PageArguments) -> PageDone:
    if arguments.ref is not None:
        found = await worker_messages(context, arguments.ref)
    else:
        found = [_logged(message) for message in context.supervisor.console_since(0).messages]
    text = arguments.text or ""
    return PageDone(messages=[message for message in found if text in message.text][-MOST_MESSAGES:])


async def _tools(context: ToolContext, arguments: PageArguments) -> PageDone:
    found = await list_tools(context)
    return PageDone(tools=found.tools, left_out=found.left_out)


async def _call_tool(context: ToolContext, arguments: PageArguments) -> PageDone:
    wait_s = arguments.timeout or started_tools.WAIT_S if arguments.action == "call_tool" else 0
    return PageDone(output=await call_tool(context, arguments.name or "", arguments.text or "", arguments.ref, wait_s))


async def _tool_result(context: ToolContext, arguments: PageArguments) -> PageDone:
    wait_s = arguments.timeout or started_tools.WAIT_S
    return PageDone(output=await started_tools.result(context, arguments.name or "", wait_s))


async def _cancel_tool(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(output=await started_tools.cancel(context, arguments.name or ""))


async def _passkeys(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(passkeys=await passkeys(context))


async def _passkeys_off(context: ToolContext, arguments: PageArguments) -> PageDone:
    await remove_authenticator(context)
    return PageDone()


async def _choose_account(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(account=await choose_account(context, arguments.text or ""))


async def _dismiss_accounts(context: ToolContext, arguments: PageArguments) -> PageDone:
    await dismiss_accounts(context)
    return PageDone()


async def _init_script(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(scripts=await (add_script(context, arguments.text or "") if arguments.text else scripts(context)))


async def _remove_script(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(scripts=await remove_scripts(context, arguments.name))


async def _downloads(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(files=downloads(context))


async def _download_to(context: ToolContext, arguments: PageArguments) -> PageDone:
    hint = await save_to(context, arguments.text or "")
    return PageDone(files=downloads(context), hint=hint)


async def _extensions(context: ToolContext, arguments: PageArguments) -> PageDone:
    if arguments.text:
        return PageDone(extensions=await load_extension(context, arguments.text or ""))
    return PageDone(extensions=await list_extensions(context))


async def _click_extension(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(extensions=await press_button(context, arguments.name or ""))


async def _remove_extension(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(extensions=await remove_extension(context, arguments.name or ""))


async def _push_state(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(navigated=await push_state(context, arguments.text or "", arguments.timeout or TIMEOUT_S))


async def _wait_js(context: ToolContext, arguments: PageArguments) -> PageDone:
    timeout_s = arguments.timeout or TIMEOUT_S
    return PageDone(value=await wait_until_true(context, arguments.text or "", arguments.ref, timeout_s))


async def _drop(context: ToolContext, arguments: PageArguments) -> PageDone:
    return PageDone(dropped_on=await drop_on(context, arguments.ref, arguments.text or ""))


def _logged(message: ConsoleMessage) -> LoggedMessage:
    calls = [call_line(call.function, call.url, call.line, call.column) for call in message.stack]
    return LoggedMessage(level=message.level, text=message.text, stack=list(calls))


_ACTIONS: Mapping[Action, Callable[[ToolContext, PageArguments], Awaitable[PageDone]]] = {
    "forward": _forward,
    "reload": _reload,
    "hard_reload": _reload,
    "highlight": _highlight,
    "clipboard_read": _read_clipboard,
    "clipboard_write": _write_clipboard,
    "console": _read_console,
    "tools": _tools,
    "call_tool": _call_tool,
    "start_tool": _call_tool,
    "tool_result": _tool_result,
    "cancel_tool": _cancel_tool,
    "passkeys": _passkeys,
    "passkeys_off": _passkeys_off,
    "choose_account": _choose_account,
    "dismiss_accounts": _dismiss_accounts,
    "init_script": _init_script,
    "remove_script": _remove_script,
    "downloads": _downloads,
    "download_to": _download_to,
    "extensions": _extensions,
    "click_extension": _click_extension,
    "remove_extension": _remove_extension,
    "push_state": _push_state,
    "wait_js": _wait_js,
    "drop": _drop,
}
