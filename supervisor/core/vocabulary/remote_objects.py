"""Readable text for values and exceptions of a page (`Runtime.RemoteObject`, `Runtime.ExceptionDetails`)."""

from __future__ import annotations

import json
from typing import Any

from cdp_typed.protocol import runtime


def exception_text(details: runtime.ExceptionDetails) -> str:
    """Return the message of an exception, with its stack if the browser gives one."""
    thrown = details.exception
    if thrown is None:
        return details.text
    return thrown.description or f"{details.text} {describe(thrown)}"


def describe(argument: runtime.RemoteObject) -> str:
    """Return a value as the DevTools console shows it."""
    if isinstance(argument.value, str):
        return argument.value
    if argument.unserializable_value:
        return argument.unserializable_value
    if argument.preview is not None and argument.subtype in (None, "array"):
        return _preview(argument.preview)
    if argument.description is not None:
        return argument.description
    if argument.value is None:
        return "undefined" if argument.type == "undefined" else "null"
    return _compact(argument.value)


def _preview(preview: runtime.ObjectPreview) -> str:
    """Return the properties of a preview, which the browser has chosen."""
    is_array = preview.subtype == "array"
    shown = [prop.value or "" if is_array else f"{prop.name}: {prop.value or ''}" for prop in preview.properties]
    inside = ", ".join([*shown, "..."] if preview.overflow else shown)
    if is_array:
        return f"[{inside}]"
    name = preview.description if preview.description not in (None, "Object") else ""
    return f"{name} {{{inside}}}".strip()


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
