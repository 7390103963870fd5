"""Where a page is and what it opens: `location`, `history`, windows and workers.

Assignments to `location`, `location.href` and `location.hash`; `location.assign`, `replace` and `reload`;
`history.pushState`, `replaceState`, `back`, `forward`, `go` and `length`; `window.open`, and of what it gives `closed`,
`close()`, `location` and the dialogs; `close()` of a page that was opened so; `new Worker`, its `terminate()`,
`new SharedWorker` and `navigator.serviceWorker.register`.
"""

from __future__ import annotations

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
    ReloadPage,
    StartWorker,
    TerminateWorker,
    TraverseHistory,
)
from cdp_typed.mock.js.interpreter_state import InterpreterState
from cdp_typed.mock.js.syntax_tree import Unsupported
from cdp_typed.mock.js.values import Window, Worker, text

__all__ = [
    "LOCATION_PROPERTIES",
    "NAVIGATION_CALLS",
    "assign_location",
    "assign_window_location",
    "call_navigation",
    "call_window_method",
    "new_worker",
    "read_location",
    "show_dialog",
]

Arguments = list[Any]
LOCATION_PROPERTIES: Final = frozenset({"location", "location.href", "location.hash"})
"""What may be assigned to."""
_STEPS: Final = {"history.back": -1, "history.forward": 1}
NAVIGATION_CALLS: Final = frozenset(
    {"close", "history.go", "history.pushState", "history.replaceState", "location.assign", "location.reload"}
    | {"location.replace", "navigator.serviceWorker.register", "open", *_STEPS}
)


def read_location(machine: InterpreterState, path: str) -> Any:
    """The value of such a path; UNSET for any other."""
    match path:
        case "location.href" | "document.URL":
            return machine.url
        case "location.hash":
            return _fragment(machine.url)
        case "history.length":
            return machine.steps[1]
        case _:
            return UNSET


def assign_location(machine: InterpreterState, path: str, value: Any) -> None:
    """One of `LOCATION_PROPERTIES` is given a value."""
    url = text(value)
    if path != "location.hash":
        _go(machine, url)
    elif _fragment(machine.url) != f"#{url.removeprefix('#')}":
        _go(machine, f"#{url.removeprefix('#')}")


def call_navigation(machine: InterpreterState, path: str, arguments: Arguments) -> Any:
    """One of `NAVIGATION_CALLS` is called."""
    words = [text(argument) for argument in arguments]
    match path, words:
        case "open", _:
            return _open(machine, [text(argument) for argument in arguments if argument is not UNSET])
        case "close", []:
            return _close(machine, machine.world.popup)
        case "location.reload", []:
            _require_page(machine)
            machine.effects.append(ReloadPage())
        case "location.assign" | "location.replace", [url]:
            _go(machine, url, replaces=path == "location.replace")
        case "history.pushState" | "history.replaceState", [_, _, *urls]:
            _push(machine, "".join(urls[:1]), replaces=path == "history.replaceState")
        case "history.go", [_] if isinstance(arguments[0], int):
            _traverse(machine, arguments[0])
        case "history.back" | "history.forward", []:
            _traverse(machine, _STEPS[path])
        case "navigator.serviceWorker.register", [url]:
            return machine.answered(StartWorker("service_worker", urljoin(machine.base, url)))
        case _:
            raise Unsupported(f"{path} with these arguments")
    return UNSET


def new_worker(machine: InterpreterState, name: str, arguments: Arguments) -> Any:
    """`new Worker(url)` or `new SharedWorker(url)`."""
    if len(arguments) != 1:
        raise Unsupported(f"new {name} with anything but an address")
    url = urljoin(machine.base, text(arguments[0]))
    if _origin(url) != _origin(machine.base):
        message = (
            f"Failed to construct '{name}': Script at '{url}' cannot be accessed from origin '{_origin(machine.base)}'."
        )
        machine.throw("SecurityError", message, class_name="DOMException")
    return machine.answered(StartWorker("worker" if name == "Worker" else "shared_worker", url))


def show_dialog(machine: InterpreterState, kind: str, arguments: Arguments, *, page: str = "") -> Any:
    """A dialog, of this page or of another one."""
    message = text(arguments[0]) if arguments else ""
    default = text(arguments[1]) if kind == "prompt" and len(arguments) > 1 else ""
    return machine.answered(OpenDialog(kind, message, default, page))


def call_window_method(machine: InterpreterState, holder: Window | Worker, name: str, arguments: Arguments) -> Any:
    """`holder.name(arguments)` for a window or a worker."""
    match holder, name:
        case Worker(), "terminate":
            machine.effects.append(TerminateWorker(holder.id))
            return UNSET
        case Window(page), "close":
            return _close(machine, page if page in machine.world.windows else "")
        case Window(page), "alert" | "confirm" | "prompt":
            _require_same_origin(machine, holder)
            return show_dialog(machine, name, arguments, page=page)
        case _:
            raise Unsupported(f"a call of {name}")


def assign_window_location(machine: InterpreterState, window: Window, url: str) -> None:
    """`window.location = url`."""
    if window.page not in machine.world.windows:
        raise Unsupported("the location of a window that is closed")
    machine.effects.append(NavigateWindow(window.page, urljoin(machine.base, url)))


def _require_same_origin(machine: InterpreterState, window: Window) -> None:
    if not machine.world.windows.get(window.page, False):
        raise Unsupported("a window that is closed, or of another origin")


def _require_page(machine: InterpreterState) -> None:
    if machine.world.worker:
        raise Unsupported("the location of a worker")


def _go(machine: InterpreterState, url: str, *, replaces: bool = False) -> None:
    _require_page(machine)
    there = urljoin(machine.base, url)
    if "#" in there and there.partition("#")[0] == machine.url.partition("#")[0]:
        _move_within_document(machine, there, replaces=replaces or there == machine.url)
    machine.effects.append(AssignLocation(there, replaces))


def _push(machine: InterpreterState, url: str, *, replaces: bool) -> None:
    _require_page(machine)
    if machine.world.base:
        raise Unsupported("a history state of a document without an address")
    there = urljoin(machine.base, url)
    if _origin(there) != _origin(machine.base):
        raise Unsupported("a history state of another origin")
    _move_within_document(machine, there, replaces=replaces)
    machine.effects.append(PushState(there, replaces))


def _move_within_document(machine: InterpreterState, url: str, *, replaces: bool) -> None:
    machine.url = url
    if not replaces:
        index = machine.steps[0] + 1
        machine.steps = (index, index + 1)


def _traverse(machine: InterpreterState, delta: int) -> None:
    _require_page(machine)
    machine.effects.append(TraverseHistory(delta) if delta else ReloadPage())


def _open(machine: InterpreterState, words: list[str]) -> Any:
    _require_page(machine)
    url, name, features, *_ = [*words, "", "", ""]
    there = urljoin(machine.base, url) if url else ""
    return machine.answered(OpenWindow(there, name or "_blank", features))


def _close(machine: InterpreterState, page: str) -> Any:
    if not page:
        raise Unsupported("closing a window that no script opened")
    machine.effects.append(CloseWindow(page))
    return UNSET


def _fragment(url: str) -> str:
    fragment = url.partition("#")[2]
    return f"#{fragment}" if fragment else ""


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
