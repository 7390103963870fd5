"""An agent's action in words: a tool with its arguments, or a call, as one line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from cdp_typed.wire.json_text import is_array, is_object
from supervisor.addons.report.describe import LINE
from supervisor.addons.report.model import CallSpan, ToolSpan
from supervisor.addons.report.report_events import cut

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
    "fill_form": "Fill in {fields}",
    "file": "Give files to the page",
    "wait": "Wait for {until} {value}",
    "evaluate": "Run {expression}",
    "cdp": "Send {method}",
}
_FIELD = re.compile(r"\{(\w+)\}")
_NAMED = re.compile(r'\b(\w+ "(?:[^"\\\n]|\\.)*")[^"\n\[]* \[ref=(e\d+)\]')
_REF = re.compile(r"\be\d+\b")
_FACT = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^"])*?(?=; |\. |$)')
"""What happened, without the next step that an error names for a model."""
_DEFAULTS = {"direction": "down", "ref": "the focus", "to_ref": "another place", "fields": "a form"}
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


def names_in(result: str) -> Mapping[str, str]:
    """The role and the name of each ref in a result."""
    return {ref: name for name, ref in _NAMED.findall(result)}


def phrase_of_tool(tool: ToolSpan, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """`Click button "Save"` for a call of `browser_click`; `names` has what the refs were called before it."""
    arguments = _object(tool.arguments)
    short = tool.name.removeprefix("browser_")
    if short == "dialog":
        return _DIALOGS.get(str(arguments.get("action")), "Answer a dialog")
    if short == "tabs":
        return _TABS.get(str(arguments.get("action")), "List the tabs")
    if short in _TOOLS:
        return _line(_named(_filled(_TOOLS[short], arguments), names))
    return _line(f"{tool.name} {tool.arguments if arguments else ''}")


def phrase_of_call(call: CallSpan) -> str:
    """`Run document.title` for a call of `evaluate`."""
    pattern = _CALLS.get(call.kind, f"{call.kind} {{arguments}}")
    return _filled(pattern, {**_object(call.arguments), "arguments": call.arguments})


def outcome_of_tool(tool: ToolSpan, names: Mapping[str, str]) -> str:
    """The first line of its result, for a person: with names in place of refs, and an error without what to do next."""
    outcome = outcome_of(tool.text)
    fact = _FACT.match(outcome) if tool.is_error else None
    return _line(_named(fact[0] if fact else outcome, names))


def outcome_of(text: str) -> str:
    """The first line of a result."""
    return _line(text.strip().partition("\n")[0])


def _named(text: str, names: Mapping[str, str]) -> str:
    return _REF.sub(lambda found: names.get(found[0], found[0]), text)


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
    if is_object(value):  # a field of a form
        value = value.get("ref", "")
    return ", ".join(map(_shown, value)) if is_array(value) else str(value)


def _line(text: str) -> str:
    return cut(" ".join(cut(text, 4 * LINE).split()), LINE)
