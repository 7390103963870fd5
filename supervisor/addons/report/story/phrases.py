"""An agent's action in words: a tool with its arguments, or a call, as one line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from cdp_typed.wire.json_text import is_array, is_object
from supervisor.addons.report.describe import LINE
from supervisor.addons.report.model import CallSpan, ToolSpan
from supervisor.addons.report.moments import cut

_TOOLS: Mapping[str, str] = {
    "navigate": "Open {url}",
    "back": "Go back",
    "click": "Click {ref}",
    "hover": "Hover over {ref}",
    "drag": "Drag {ref} to {to_ref}",
    "type": "Type into {ref}",
    "press": "Press {key}",
    "scroll": "Scroll {direction}",
    "snapshot": "Read the page",
    "vision": "Take a picture of the page",
    "get_images": "List the images",
    "console": "Read the console",
    "network": "Read the requests",
    "fill_form": "Fill in a form",
    "file": "Give files to the page",
    "wait": "Wait for {until}",
    "evaluate": "Run {expression}",
    "cdp": "Send {method}",
}
_FIELD = re.compile(r"\{(\w+)\}")
_DEFAULTS = {"direction": "down", "ref": "the focus", "to_ref": "another place"}
_DIALOGS = {"accept": "Accept the dialog", "dismiss": "Dismiss the dialog"}
_TABS = {"open": "Open a tab", "select": "Switch to another tab", "close": "Close a tab"}
_CALLS: Mapping[str, str] = {
    "evaluate": "Run {arguments}",
    "answer_dialog": "Answer a dialog",
    "navigate": "Open {url}",
    "reload_page": "Reload the page",
    "close_page": "Close a tab",
    "open_page": "Open a tab",
    "select_page": "Switch to another tab",
    "unblock": "Unblock the page",
}


def phrase_of_tool(tool: ToolSpan) -> str:
    """`Click button "Save"` for a call of `browser_click`."""
    arguments = _object(tool.arguments)
    short = tool.name.removeprefix("browser_")
    if short == "dialog":
        return _DIALOGS.get(str(arguments.get("action")), "Answer a dialog")
    if short == "tabs":
        return _TABS.get(str(arguments.get("action")), "List the tabs")
    if short in _TOOLS:
        return _filled(_TOOLS[short], arguments)
    return _line(f"{tool.name} {tool.arguments if arguments else ''}")


def phrase_of_call(call: CallSpan) -> str:
    """`Run document.title` for a call of `evaluate`."""
    pattern = _CALLS.get(call.kind, f"{call.kind} {{arguments}}")
    return _filled(pattern, {**_object(call.arguments), "arguments": call.arguments})


def outcome_of(text: str) -> str:
    """The first line of a result."""
    return _line(text.strip().partition("\n")[0])


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if is_object(value) else {}


def _filled(pattern: str, arguments: Mapping[str, Any]) -> str:
    """The pattern with its fields filled in once: braces in a value stay as they are."""
    return _line(_FIELD.sub(lambda found: _shown(arguments.get(found[1]) or _DEFAULTS.get(found[1], "")), pattern))


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if is_array(value) else str(value)


def _line(text: str) -> str:
    return cut(" ".join(cut(text, 4 * LINE).split()), LINE)
