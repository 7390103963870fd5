"""The values of the mock's JavaScript, and the `Runtime.RemoteObject` that Chrome shows for each.

Numbers, strings, booleans, lists and dicts are Python's own; `null` is None and `undefined` is `msgspec.UNSET`.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final, Literal, TypeGuard

import msgspec
from msgspec import UNSET, Struct

from cdp_typed.mock.js.numbers import narrow, number_text
from cdp_typed.mock.js.syntax.syntax_tree import Program

_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,8}")


class FunctionValue(Struct, frozen=True):
    """A function; `parameters` are the names of its arguments, `scopes` those around it, innermost first."""

    program: Program
    returns: bool
    parameters: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()


class NativeFunction(Struct, frozen=True):
    """A global function of ECMAScript, such as `Boolean`."""

    name: str


class PromiseSettler(Struct, frozen=True):
    """The `resolve`, or with `failed` the `reject`, of the `number`-th promise of its context."""

    number: int
    failed: bool = False


class Failure(Struct, frozen=True):
    """An error object; `column` is its position, counted from 0, in the script at `url`.

    `class_name` is the class of errors that ECMAScript does not define, such as `DOMException`. A script that could not
    begin has no `stack`.
    """

    name: str
    message: str
    column: int = 0
    class_name: str = ""
    url: str = ""
    stack: bool = True


class IframeElement(Struct, frozen=True):
    """The iframe element of this name, of the frame `frame`."""

    frame: str
    name: str


class OpaqueObject(Struct, frozen=True):
    """An object of which the mock models only the class."""

    name: str


class NeverSettledPromise(Struct, frozen=True):
    """A promise that never settles."""


class Window(Struct, frozen=True):
    """The window of a page that `window.open` opened."""

    page: str


class Worker(Struct, frozen=True):
    """A worker in the page that created it."""

    id: str
    class_name: str = "Worker"


class PromiseValue(Struct, frozen=True):
    """A promise: the `number`-th of its context."""

    number: int


class XmlHttpRequest(Struct, frozen=True):
    """The `number`-th XMLHttpRequest of its context."""

    number: int


class FetchResponse(Struct, frozen=True):
    """The `Response` that a `fetch` resolves to."""

    url: str
    status: int
    status_text: str
    body: str
    redirected: bool = False


class Binding(Struct, frozen=True):
    """The function that `Runtime.addBinding` adds."""

    name: str


class ClickableElement(Struct, frozen=True):
    """A link or a file input, by its name; `files` are the names of the selected files."""

    name: str
    kind: Literal["link", "file"]
    files: tuple[str, ...] = ()


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Return whether the value is an array."""
    return isinstance(value, list)


def is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether the value is a plain object."""
    return isinstance(value, dict)


def ordered(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an object in JavaScript's order: those that are indices first, by their number."""
    indices = sorted((key for key in fields if _INDEX.fullmatch(key)), key=int)
    return {**{key: fields[key] for key in indices}, **fields} if indices else fields


def property_of(value: Any, name: str) -> Any:
    """Return `value.name` where the mock models it, else `undefined`."""
    if is_dict(value):
        return value.get(name, UNSET)
    if name == "length" and isinstance(value, str):
        # JavaScript counts in units of UTF-16.
        return len(value.encode("utf-16-le", "surrogatepass")) // 2
    if name == "length" and is_list(value):
        return len(value)
    known: dict[str, Any] = {}
    match value:
        case Failure():
            known = {"message": value.message, "name": value.name}
        case FetchResponse(status=status):
            known = {"status": status, "statusText": value.status_text, "url": value.url, "ok": 200 <= status < 300}
            known["redirected"] = value.redirected
        case ClickableElement(kind="file", files=files):
            known = {"files": list(files), "value": f"C:\\fakepath\\{files[0]}" if files else ""}
        case _:
            pass
    return known.get(name, UNSET)


def type_name(value: Any) -> str:
    """Return `typeof value`."""
    if value is UNSET:
        return "undefined"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "function" if isinstance(value, (FunctionValue, NativeFunction, PromiseSettler, Binding)) else "object"


def is_truthy(value: Any) -> bool:
    """Return `!!value`."""
    if value is UNSET or value is None:
        return False
    if isinstance(value, float) and math.isnan(value):
        return False
    return bool(value) if isinstance(value, (bool, int, float, str)) else True


def text(value: Any) -> str:
    """Return `String(value)`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, str):
        return value
    if is_list(value):
        return ",".join("" if item is None or item is UNSET else text(item) for item in value)
    if isinstance(value, Failure):
        return f"{value.name}: {value.message}" if value.message else value.name
    return {"undefined": "undefined"}.get(type_name(value), "null" if value is None else "[object Object]")


def error_description(failure: Failure) -> str:
    """Return an error's text with the stack line that Chrome appends."""
    words = text(failure)
    if not failure.stack:
        return words
    return f"{words}\n    at {failure.url or '<anonymous>'}:1:{failure.column + 1}"


def remote_object(value: Any, *, object_id: str, by_value: bool = False) -> dict[str, Any]:
    """Return the `Runtime.RemoteObject` of a value; `object_id` is used only for objects."""
    kind = type_name(value)
    if kind == "undefined":
        return {"type": "undefined"}
    if value is None:
        return {"type": "object", "subtype": "null", "value": None}
    if kind == "number":
        return _number(value)
    if kind in ("string", "boolean"):
        return {"type": kind, "value": value}
    if by_value and not (isinstance(value, Failure) and value.name == "MockError"):
        return {"type": kind, "value": _plain(value)}
    return {"type": kind, **_class_of(value), "objectId": object_id}


def _number(value: float) -> dict[str, Any]:
    shown = number_text(value)
    negative_zero = value == 0 and math.copysign(1, value) < 0
    if negative_zero or not math.isfinite(value):
        word = "-0" if negative_zero else shown
        return {"type": "number", "unserializableValue": word, "description": word}
    return {"type": "number", "value": narrow(value), "description": shown}


def _plain(value: Any) -> Any:
    if is_list(value):
        return [None if item is UNSET else _plain(item) for item in value]
    if is_dict(value):
        return {key: _plain(item) for key, item in value.items() if item is not UNSET}
    if isinstance(value, float):
        return None if not math.isfinite(value) else value or 0
    return {} if isinstance(value, msgspec.Struct) else value


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
