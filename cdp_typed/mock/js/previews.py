"""The `Runtime.ObjectPreview` that Chrome adds to objects in console messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import UNSET

from cdp_typed.mock.js.values import Failure, FunctionValue, is_dict, is_list, remote_object, text

_MOST_ITEMS: Final = 100
_MOST_FIELDS: Final = 5
_LONGEST: Final = 100


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
        return _preview(value, (("stack", stack), ("message", value.message)), _MOST_FIELDS)
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
    words = text(value) if value is None or value is UNSET else shown.get("description", text(value))
    if isinstance(value, FunctionValue):
        words = ""
    cut = words if len(words) <= _LONGEST else f"{words[: _LONGEST // 2]}…{words[-_LONGEST // 2 + 1 :]}"
    inner = preview(value) if nested else None
    return {
        "name": name,
        "type": shown["type"],
        **subtype,
        "value": cut,
        **({} if inner is None else {"valuePreview": inner}),
    }
