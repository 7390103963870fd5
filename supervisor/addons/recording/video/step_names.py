"""A few words for each call of a tool: `click button “Save”`. They have no text that was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from cdp_typed.redaction.texts import without_credentials
from supervisor.aio import AsyncSupervisor
from supervisor.tools.page.element_errors import ElementError
from supervisor.tools.page.page_frames import find
from supervisor.tools.page.refs import is_ref

_WORDS: Mapping[str, str] = {
    "browser_back": "go back",
    "browser_click": "click",
    "browser_dialog": "dialog:",
    "browser_drag": "drag",
    "browser_evaluate": "run a script",
    "browser_file": "upload",
    "browser_fill_form": "fill",
    "browser_hover": "hover over",
    "browser_login": "log in",
    "browser_mouse": "mouse:",
    "browser_navigate": "open",
    "browser_press": "press",
    "browser_scroll": "scroll",
    "browser_tabs": "tab:",
    "browser_type": "type",
    "browser_verify": "verify",
    "browser_wait": "wait",
}
"""The tools whose calls are steps."""
_NAMED = 3
"""Fields of a form that are named."""


def step_name(supervisor: AsyncSupervisor, tool: str, arguments: Struct) -> str | None:
    """The words for a call, with texts of the page; None for a tool whose calls are no steps."""
    given: dict[str, Any] = msgspec.to_builtins(arguments)
    if tool not in _WORDS or (tool == "browser_tabs" and given["action"] == "list"):
        return None
    match tool:
        case "browser_navigate":
            said = without_credentials(given["url"])
        case "browser_press":
            keys = [given["key"]] if isinstance(given["key"], str) else given["key"]
            said = " ".join(key for key in keys if len(key) > 1) or "a key"
        case "browser_fill_form":
            names = [_named(supervisor, field["ref"]) for field in given["fields"]]
            said = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
        case "browser_drag":
            said = f"{_named(supervisor, given['ref'])} to {_named(supervisor, given.get('to_ref'))}"
        case "browser_mouse" | "browser_tabs" | "browser_dialog":
            said = str(given["action"])
        case "browser_verify":
            said = str(given["check"])
        case _:
            said = _named(supervisor, given.get("ref"))
    return f"{_WORDS[tool]} {said}".strip()


def _named(supervisor: AsyncSupervisor, ref: str | None) -> str:
    """The role and the name of an element as they were read last, or the locator."""
    if ref is None or not is_ref(ref):
        return ref or ""
    try:
        read = find(supervisor, ref).read
    except ElementError:  # the call itself says so
        return ""
    return "" if read is None else f"{read.role} “{read.name}”" if read.name else read.role
