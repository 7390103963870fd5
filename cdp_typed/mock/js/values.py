"""The values of the mock's JavaScript.

Numbers, strings, booleans, lists and dicts are Python's own; `null` is None and `undefined` is `msgspec.UNSET`.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final, Literal, TypeGuard

from msgspec import UNSET, Struct

from cdp_typed.mock.js.numbers import number_text
from cdp_typed.mock.js.syntax.syntax_tree import Program, Unsupported

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


class HostObject(Struct, frozen=True):
    """An object of the browser: its class, which one of the class it is, and what it is about.

    `node` describes a node: `body`, `#document`. An element's `key` is its number in the document.
    """

    class_name: str
    key: str = ""
    about: str = ""
    node: str = ""


WINDOW: Final = HostObject("Window")
DOCUMENT: Final = HostObject("HTMLDocument", node="#document")
NAVIGATOR: Final = HostObject("Navigator")
PATHS: Final = {DOCUMENT: "document", NAVIGATOR: "navigator"}
"""The objects of which the interpreter itself knows properties, and their names."""


class SymbolValue(Struct, frozen=True):
    """The `number`-th symbol of its context."""

    number: int
    description: str


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
    if isinstance(value, SymbolValue):
        return "symbol"
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
    if value is None or value is UNSET:
        return "null" if value is None else "undefined"
    if is_dict(value):
        return "[object Object]"
    if isinstance(value, HostObject) and value.class_name != "Selection":
        return f"[object {value.class_name}]"
    raise Unsupported(f"the text of a {type(value).__name__}")
