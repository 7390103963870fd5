"""`localStorage`, which the pages of an origin share, and `sessionStorage`, which belongs to one page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.dom.known_documents import require_scripts
from cdp_typed.mock.js.effects import AskHost, Threw
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import Failure, HostObject, text
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.http import header
from cdp_typed.mock.state.step import Step, origin_url_of

_OF_ALL_AREAS: Final = """
    clear constructor getItem hasOwnProperty isPrototypeOf key length propertyIsEnumerable removeItem setItem
    toLocaleString toString valueOf
"""
_NO_ITEMS: Final = frozenset(_OF_ALL_AREAS.split())


def storage_area(step: Step, frame: FrameNode, question: AskHost) -> Any:
    """Return `localStorage` or `sessionStorage`; a document without an origin has none."""
    if "sandbox" in header(frame.document.headers, "Content-Security-Policy"):
        raise Unsupported(f"{question.name} of a document in a sandbox")
    if origin_url_of(frame):
        return HostObject("Storage", about=question.name)
    is_data = frame.url.startswith("data:")
    if not is_data and frame.url != "about:blank":
        raise Unsupported(f"{question.name} of a document at {frame.url}")
    why = "Storage is disabled inside 'data:' URLs." if is_data else "Access is denied for this document."
    message = f"Failed to read the '{question.name}' property from 'Window': {why}"
    return Threw(Failure("SecurityError", message, class_name="DOMException", stack=False), 0)


def answer_storage(step: Step, frame: FrameNode, question: AskHost) -> Any:
    """Answer a question about a storage area."""
    key = _key(step, frame, question.holder.about)
    items = step.state.storage.get(key, {})
    match question.how, question.name, [text(argument) for argument in question.arguments]:
        case "read", "length", []:
            return len(items)
        case "read", name, [] if name not in _NO_ITEMS:
            return items.get(name, UNSET)
        case "call", "getItem", [name]:
            return items.get(name)
        case "call", "setItem", [name, value]:
            _put(step, key, {**items, name: value})
        case "assign", name, [value] if name not in _NO_ITEMS:
            _put(step, key, {**items, name: value})
        case "call", "removeItem", [name]:
            _put(step, key, {other: value for other, value in items.items() if other != name})
        case "call", "clear", []:
            _put(step, key, {})
        case _:
            raise Unsupported(f"{question.name} of a storage area")
    return UNSET


def _key(step: Step, frame: FrameNode, name: str) -> tuple[str, str]:
    """Return the key of a storage area: of the browser context or of the page, and of the origin."""
    require_scripts(frame)
    target = step.state.targets[frame.page]
    origin = origin_of(origin_url_of(frame))
    around: FrameNode | None = frame
    while around is not None:
        if origin_of(origin_url_of(around)) != origin:
            raise Unsupported("the storage of an iframe of another origin")
        around = step.state.frames.get(around.parent or "")
    if name == "sessionStorage" and target.opener_frame:
        raise Unsupported("the sessionStorage of a window that a script opened")
    return (target.context if name == "localStorage" else frame.page), origin


def _put(step: Step, key: tuple[str, str], items: Mapping[str, str]) -> None:
    if any("DOMStorage" in session.enabled for session in step.state.sessions.values()):
        raise Unsupported("the events of a storage area that changes, which a client waits for with DOMStorage.enable")
    step.state = replace(step.state, storage={**step.state.storage, key: items})
