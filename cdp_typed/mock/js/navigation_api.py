"""`location`, `history`, windows and workers in scripts.

Assignments to `location`, `location.href` and `location.hash`; `location.assign`, `replace` and `reload`;
`history.pushState`, `replaceState`, `back`, `forward`, `go` and `length`; `window.open`, and `closed`, `close()`,
`location` and the dialogs of its result; `close()` of a page that was opened so; `new Worker`, its `terminate()`,
`new SharedWorker` and `navigator.serviceWorker.register`.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from msgspec import UNSET

from cdp_typed.mock.js.effects import (
    AssignLocation,
    CloseWindow,
    NavigateWindow,
    OpenDialog,
    OpenWindow,
    PushState,
    ReloadLocation,
    StartWorker,
    TerminateWorker,
    TraverseHistory,
)
from cdp_typed.mock.js.interpreter_state import InterpreterState
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import DOCUMENT, NAVIGATOR, WINDOW, Window, Worker, text
from cdp_typed.mock.urls import is_browser_page, is_external, is_script_url, is_valid_url, visible_url

Arguments = list[Any]
LOCATION_PROPERTIES: Final = frozenset({"location", "location.href", "location.hash"})
"""The properties that scripts may assign."""
_LOCATION_PARTS: Final = ("href", "origin", "protocol", "host", "hostname", "port", "pathname", "search", "hash")
_ESCAPED: Final = re.compile(r"[^!#-;=?-_a-z{-~]")
_LOCATION_METHODS: Final = ("assign", "reload", "replace", "toString")
USER_AGENT: Final = "cdp_typed.mock"
_STEPS: Final = {"history.back": -1, "history.forward": 1}
NAVIGATION_CALLS: Final = frozenset(
    {"close", "history.go", "history.pushState", "history.replaceState", "location.assign", "location.reload"}
    | {"document.hasFocus", "location.replace", "navigator.serviceWorker.register", "open", *_STEPS}
)


def read_location(state: InterpreterState, path: str) -> Any:
    """Return the value of a property of `location`, `history`, `navigator` or `document`; UNSET for any other path."""
    holder, _, name = path.removeprefix("document.").rpartition(".")
    if holder == "location" and name in _LOCATION_PARTS:
        return _location_part(state.url, name)
    match path:
        case "document.URL" | "document.documentURI":
            return state.url
        case "document.readyState":
            return state.environment.ready_state
        case "document.visibilityState" if state.environment.is_in_front:
            return "visible"
        case "document.hidden" if state.environment.is_in_front:
            return False
        case "history.length":
            return state.history_position[1]
        case "navigator.userAgent":
            return USER_AGENT
        case "navigator.onLine":
            return True
        case _:
            return UNSET


def read_window(state: InterpreterState, name: str, column: int = 0) -> Any:
    """Return the value of a property of this window. Raises `Unsupported` for those that the mock does not model."""
    opener = state.environment.opener
    match name:
        case "opener":
            return None if opener is None else Window(opener)
        case "closed":
            return False
        case "origin" if urlsplit(state.url).netloc:
            return _origin(state.url)
        case _ if state.environment.worker:
            raise Unsupported(f"the global {name}")
        case _ if name in _OBJECTS:
            return _OBJECTS[name]
        case "top" | "parent" if not state.environment.depth:
            return WINDOW
        case _:
            return state.ask(WINDOW, name, "read", column=column)


_WINDOWS: Final = ("window", "self", "globalThis", "this", "frames")
_OBJECTS: Final = {
    **dict.fromkeys(_WINDOWS, WINDOW),
    "document": DOCUMENT,
    "navigator": NAVIGATOR,
}


def same_window(state: InterpreterState, left: str, right: str) -> bool | None:
    """Return whether two names mean the same window of this page; None where one of them means none."""
    depth = state.environment.depth
    depths = {**dict.fromkeys(_WINDOWS, depth), "top": 0, "parent": max(depth - 1, 0)}
    if any(state.has(path.partition(".")[0]) for path in (left, right)):
        return None
    places = [depths.get(path.removeprefix("window.").removeprefix("self.")) for path in (left, right)]
    return None if None in places else places[0] == places[1]


def _location_part(url: str, name: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https", "about") and name not in ("href", "hash", "protocol"):
        raise Unsupported(f"location.{name} of an address of {parts.scheme}:")
    match name:
        case "href":
            return url
        case "hash":
            return _fragment(url)
        case "origin":
            return _origin(url) if parts.netloc else "null"
        case "protocol":
            return f"{parts.scheme}:"
        case "host":
            return parts.netloc.rpartition("@")[2]
        case "hostname":
            return parts.netloc.rpartition("@")[2].partition(":")[0]
        case "port":
            return parts.netloc.rpartition("@")[2].partition(":")[2]
        case "search":
            return f"?{parts.query}" if parts.query else ""
        case _:
            return parts.path or ("/" if parts.netloc else "")


def location_by_value(url: str) -> dict[str, Any] | None:
    """Return `location` of the top frame by value; None for an address of which the mock does not know the parts."""
    try:
        parts = {name: _location_part(url, name) for name in _LOCATION_PARTS}
    except Unsupported:
        return None
    return {"ancestorOrigins": {}, **parts, **{name: {} for name in _LOCATION_METHODS}}


def assign_location(state: InterpreterState, path: str, value: Any) -> None:
    """Assign one of `LOCATION_PROPERTIES`."""
    url = text(value)
    if path == "location.hash" and _ESCAPED.search(url):
        raise Unsupported("a fragment that the browser escapes")
    if path != "location.hash":
        _go(state, url)
    elif _fragment(state.url) != f"#{url.removeprefix('#')}":
        _go(state, f"#{url.removeprefix('#')}")


def call_navigation(state: InterpreterState, path: str, arguments: Arguments) -> Any:
    """Call one of `NAVIGATION_CALLS`."""
    words = [text(argument) for argument in arguments]
    match path, words:
        case "open", _:
            return _open(state, [text(argument) for argument in arguments if argument is not UNSET])
        case "close", []:
            return _close(state, state.environment.popup)
        case "location.reload", []:
            _require_page(state)
            state.effects.append(ReloadLocation())
        case "location.assign" | "location.replace", [url]:
            _go(state, url, replaces=path == "location.replace")
        case "history.pushState" | "history.replaceState", [_, _, *urls]:
            _push(state, "".join(urls[:1]), replaces=path == "history.replaceState")
        case "history.go", [_] if isinstance(arguments[0], int):
            _traverse(state, arguments[0])
        case "history.back" | "history.forward", []:
            _traverse(state, _STEPS[path])
        case "document.hasFocus", [] if state.environment.is_in_front and not state.environment.depth:
            return True
        case "navigator.serviceWorker.register", [url]:
            return state.answered(StartWorker("service_worker", urljoin(state.base, url)))
        case _:
            raise Unsupported(f"{path} with these arguments")
    return UNSET


def new_worker(state: InterpreterState, name: str, arguments: Arguments) -> Any:
    """Perform `new Worker(url)` or `new SharedWorker(url)`."""
    if len(arguments) != 1:
        raise Unsupported(f"new {name} with anything but an address")
    url = urljoin(state.base, text(arguments[0]))
    if _origin(url) != _origin(state.base):
        message = (
            f"Failed to construct '{name}': Script at '{url}' cannot be accessed from origin '{_origin(state.base)}'."
        )
        state.throw("SecurityError", message, class_name="DOMException")
    return state.answered(StartWorker("worker" if name == "Worker" else "shared_worker", url))


def show_dialog(state: InterpreterState, kind: str, arguments: Arguments, *, page: str = "") -> Any:
    """Open a dialog of this page or of another one; return its answer."""
    # An argument that is `undefined` counts as absent, except for `alert`, whose parameter has no default.
    message: Any
    default: Any
    message, default, *_ = (*arguments, UNSET, UNSET)
    shows = bool(arguments) and (kind == "alert" or message is not UNSET)
    message = text(message) if shows else ""
    default = text(default) if kind == "prompt" and default is not UNSET else ""
    return state.answered(OpenDialog(kind, message, default, page))


def call_window_method(state: InterpreterState, holder: Window | Worker, name: str, arguments: Arguments) -> Any:
    """Perform `holder.name(arguments)` for a window or a worker."""
    match holder, name:
        case Worker(), "terminate":
            state.effects.append(TerminateWorker(holder.id))
            return UNSET
        case Window(page), "close":
            return _close(state, page if page in state.environment.windows else "")
        case Window(page), "alert" | "confirm" | "prompt":
            _require_same_origin(state, holder)
            return show_dialog(state, name, arguments, page=page)
        case _:
            raise Unsupported(f"a call of {name}")


def assign_window_location(state: InterpreterState, window: Window, url: str) -> None:
    """Perform `window.location = url`."""
    if window.page not in state.environment.windows:
        raise Unsupported("the location of a window that is closed")
    state.effects.append(NavigateWindow(window.page, resolved(state, url)))


def _require_same_origin(state: InterpreterState, window: Window) -> None:
    if not state.environment.windows.get(window.page, False):
        raise Unsupported("a window that is closed, or of another origin")


def _require_page(state: InterpreterState) -> None:
    if state.environment.worker:
        raise Unsupported("the location of a worker")


def resolved(state: InterpreterState, url: str, *, top: bool = True) -> str:
    """Return the absolute URL to which a script navigates; Chrome blocks some, and some for `top` frames only."""
    there = url if is_valid_url(url) else urljoin(state.base, url)
    scheme = there.partition(":")[0].lower()
    if is_script_url(there) or is_browser_page(there) or scheme in ("blob", "file") or (top and scheme == "data"):
        raise Unsupported(f"a script that navigates to an address of {scheme}:")
    return visible_url(there)


def _go(state: InterpreterState, url: str, *, replaces: bool = False) -> None:
    _require_page(state)
    there = resolved(state, url)
    if "#" in there and there.partition("#")[0] == state.url.partition("#")[0]:
        _move_within_document(state, there, replaces=replaces or there == state.url)
    state.effects.append(AssignLocation(there, replaces))


def _push(state: InterpreterState, url: str, *, replaces: bool) -> None:
    _require_page(state)
    if state.environment.base:
        raise Unsupported("a history state of a document without an address")
    there = urljoin(state.base, url)
    if _origin(there) != _origin(state.base):
        raise Unsupported("a history state of another origin")
    _move_within_document(state, there, replaces=replaces)
    state.effects.append(PushState(there, replaces))


def _move_within_document(state: InterpreterState, url: str, *, replaces: bool) -> None:
    state.url = url
    if not replaces:
        index = state.history_position[0] + 1
        state.history_position = (index, index + 1)


def _traverse(state: InterpreterState, delta: int) -> None:
    _require_page(state)
    state.effects.append(TraverseHistory(delta) if delta else ReloadLocation())


def _open(state: InterpreterState, words: list[str]) -> Any:
    _require_page(state)
    url, name, features, *_ = [*words, "", "", ""]
    there = resolved(state, url) if url else ""
    if there and is_external(there):
        raise Unsupported("a window for an address of another program")
    return state.answered(OpenWindow(there, name or "_blank", features))


def _close(state: InterpreterState, page: str) -> Any:
    if not page:
        raise Unsupported("closing a window that no script opened")
    state.effects.append(CloseWindow(page))
    return UNSET


def _fragment(url: str) -> str:
    fragment = url.partition("#")[2]
    return f"#{fragment}" if fragment else ""


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
