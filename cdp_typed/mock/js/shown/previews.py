"""The `Runtime.ObjectPreview` that Chrome adds to objects in console messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from cdp_typed.mock.js.shown.remote_values import remote_object
from cdp_typed.mock.js.values import WINDOW, Failure, is_dict, is_list, text, type_name

_MOST_ITEMS: Final = 100
_MOST_FIELDS: Final = 5
_LONGEST: Final = 100
_CODES: Final = {"InvalidStateError": 11, "NetworkError": 19, "SecurityError": 18}
_WINDOW: Final[dict[str, Any]] = {
    "type": "object",
    "description": "Window",
    "overflow": True,
    "properties": [
        {"name": "window", "type": "object", "value": "Window"},
        {"name": "self", "type": "object", "value": "Window"},
        {"name": "document", "type": "object", "subtype": "node", "value": "#document"},
        {"name": "name", "type": "string", "value": ""},
        {"name": "location", "type": "object", "value": "Location"},
    ],
}


def preview(value: Any, *, nested: bool = False) -> dict[str, Any] | None:
    """Return the preview of an array, an object or an error; None for other values.

    With `nested` those in an array or an object have previews, too, as in `console.table`.
    """
    if is_list(value):
        return _preview(value, ((str(index), item) for index, item in enumerate(value)), _MOST_ITEMS, nested=nested)
    if is_dict(value):
        return _preview(value, value.items(), _MOST_FIELDS, nested=nested)
    if isinstance(value, Failure):
        stack = remote_object(value, object_id="")["description"]
        code = (("code", _CODES.get(value.name, 0)), ("name", value.name)) if value.class_name == "DOMException" else ()
        return _preview(value, (("stack", stack), *code, ("message", value.message)), _MOST_FIELDS)
    if value == WINDOW:
        return _WINDOW
    return None


def _preview(value: Any, parts: Iterable[tuple[str, Any]], most: int, *, nested: bool = False) -> dict[str, Any]:
    shown = remote_object(value, object_id="")
    properties = [_property(name, part, nested=nested) for name, part in parts]
    subtype = {"subtype": shown["subtype"]} if "subtype" in shown else {}
    return {
        "type": "object",
        **subtype,
        "description": shown["description"],
        "overflow": len(properties) > most,
        "properties": properties[:most],
    }


def _property(name: str, value: Any, *, nested: bool) -> dict[str, Any]:
    shown = remote_object(value, object_id="")
    subtype = {"subtype": shown["subtype"]} if "subtype" in shown else {}
    words = "" if type_name(value) == "function" else shown["description"] if "description" in shown else text(value)
    cut = words if len(words) <= _LONGEST else f"{words[: _LONGEST // 2]}…{words[-_LONGEST // 2 + 1 :]}"
    inner = preview(value) if nested else None
    return {
        "name": name,
        "type": shown["type"],
        **subtype,
        "value": cut,
        **({} if inner is None else {"valuePreview": inner}),
    }
