"""The `Runtime.RemoteObject` that Chrome shows for each value of the mock's JavaScript."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from cdp_typed.mock.js.numbers import narrow, number_text
from cdp_typed.mock.js.values import (
    DOCUMENT,
    WINDOW,
    Binding,
    ClickableElement,
    Failure,
    FetchResponse,
    FunctionValue,
    HostObject,
    IframeElement,
    NativeFunction,
    NeverSettledPromise,
    OpaqueObject,
    PromiseSettler,
    PromiseValue,
    SymbolValue,
    Window,
    Worker,
    XmlHttpRequest,
    is_dict,
    is_list,
    text,
    type_name,
)


class NotByValue(Exception):
    """A value cannot be returned by value; the message is Chrome's error, or that of the mock."""


def error_description(failure: Failure) -> str:
    """Return an error's text with the stack line that Chrome appends."""
    words = text(failure)
    if not failure.stack:
        return words
    return f"{words}\n    at {failure.url or '<anonymous>'}:1:{failure.column + 1}"


def remote_object(
    value: Any, *, object_id: str, by_value: bool = False, location: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the `Runtime.RemoteObject` of a value; `object_id` is used only for objects.

    By value a document consists of its `location`. Raises `NotByValue`.
    """
    kind = type_name(value)
    if kind == "undefined":
        return {"type": "undefined"}
    if value is None:
        return {"type": "object", "subtype": "null", "value": None}
    if kind == "number":
        return _number(value)
    if kind in ("string", "boolean"):
        return {"type": kind, "value": value}
    if kind == "symbol" and not by_value:
        return {"type": kind, "description": f"Symbol({value.description})", "objectId": object_id}
    if by_value and not (isinstance(value, Failure) and value.name == "MockError"):
        return {"type": kind, "value": _plain(value, location)}
    return {"type": kind, **_class_of(value), "objectId": object_id}


def _number(value: float) -> dict[str, Any]:
    shown = number_text(value)
    negative_zero = value == 0 and math.copysign(1, value) < 0
    if negative_zero or not math.isfinite(value):
        word = "-0" if negative_zero else shown
        return {"type": "number", "unserializableValue": word, "description": word}
    return {"type": "number", "value": narrow(value), "description": shown}


def _plain(value: Any, location: Mapping[str, Any] | None) -> Any:
    if is_list(value):
        return [None if item is UNSET else _plain(item, location) for item in value]
    if is_dict(value):
        return {key: _plain(item, location) for key, item in value.items() if item is not UNSET}
    if isinstance(value, float):
        return None if not math.isfinite(value) else value or 0
    if isinstance(value, SymbolValue):
        raise NotByValue("Object couldn't be returned by value")
    if isinstance(value, HostObject):
        return _plain_host(value, location)
    return {} if isinstance(value, msgspec.Struct) else value


def _plain_host(value: HostObject, location: Mapping[str, Any] | None) -> dict[str, Any]:
    if value == WINDOW:
        raise NotByValue("Object reference chain is too long")
    if value == DOCUMENT and location is not None:
        return {"location": location}
    if value == DOCUMENT or value.class_name == "CSSStyleDeclaration":
        raise NotByValue(f"cdp_typed.mock does not know this {value.class_name} by value")
    return {}


def _class_of(value: Any) -> dict[str, Any]:
    match value:
        case _ if is_list(value):
            size = len(value)
            return {"subtype": "array", "className": "Array", "description": f"Array({size})"}
        case Failure():
            return {
                "subtype": "error",
                "className": value.class_name or value.name,
                "description": error_description(value),
            }
        case NeverSettledPromise() | PromiseValue():
            return {"subtype": "promise", "className": "Promise", "description": "Promise"}
        case FetchResponse():
            return {"className": "Response", "description": "Response"}
        case Window():
            return {"className": "Window", "description": "Window"}
        case Worker(class_name=name):
            return {"className": name, "description": name}
        case XmlHttpRequest():
            return {"className": "XMLHttpRequest", "description": "XMLHttpRequest"}
        case ClickableElement(name=name, kind=kind):
            tag, of = ("a", "Anchor") if kind == "link" else ("input", "Input")
            return {"subtype": "node", "className": f"HTML{of}Element", "description": f"{tag}#{name}"}
        case HostObject(class_name="ArrayBuffer", about=size):
            return {"subtype": "arraybuffer", "className": "ArrayBuffer", "description": f"ArrayBuffer({size})"}
        case HostObject(node=node):
            shown = {"subtype": "node"} if node else {}
            return {**shown, "className": value.class_name, "description": node or value.class_name}
        case NativeFunction(name=name):
            return {"className": "Function", "description": f"function {name}() {{ [native code] }}"}
        case PromiseSettler():
            return {"className": "Function", "description": "function () { [native code] }"}
        case FunctionValue() | Binding():
            return {"className": "Function", "description": "() => { ... }"}
        case OpaqueObject(name=name):
            return {"className": name, "description": name}
        case IframeElement(name=name):
            return {"subtype": "node", "className": "HTMLIFrameElement", "description": f"iframe#{name}"}
        case _:
            return {"className": "Object", "description": "Object"}
