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
    Asks,
    Begins,
    Closes,
    Goes,
    Opens,
    Pushes,
    Reloads,
    Steers,
    Terminates,
    Travels,
)
from cdp_typed.mock.js.interpreter_state import Machine
from cdp_typed.mock.js.syntax_tree import Unknown
from cdp_typed.mock.js.values import Window, Worker, text

__all__ = [
    "PLACES",
    "PLACE_CALLS",
    "asks",
    "assign_place",
    "call_of_window",
    "call_place",
    "make_worker",
    "read_place",
    "steer",
]

Arguments = list[Any]
PLACES: Final = frozenset({"location", "location.href", "location.hash"})
"""What may be assigned to."""
_STEPS: Final = {"history.back": -1, "history.forward": 1}
PLACE_CALLS: Final = frozenset(
    {"close", "history.go", "history.pushState", "history.replaceState", "location.assign", "location.reload"}
    | {"location.replace", "navigator.serviceWorker.register", "open", *_STEPS}
)


def read_place(machine: Machine, path: str) -> Any:
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


def assign_place(machine: Machine, path: str, value: Any) -> None:
    """One of `PLACES` is given a value."""
    url = text(value)
    if path != "location.hash":
        _go(machine, url)
    elif _fragment(machine.url) != f"#{url.removeprefix('#')}":
        _go(machine, f"#{url.removeprefix('#')}")


def call_place(machine: Machine, path: str, arguments: Arguments) -> Any:
    """One of `PLACE_CALLS` is called."""
    words = [text(argument) for argument in arguments]
    match path, words:
        case "open", _:
            return _open(machine, [text(argument) for argument in arguments if argument is not UNSET])
        case "close", []:
            return _close(machine, machine.world.popup)
        case "location.reload", []:
            _at_a_page(machine)
            machine.effects.append(Reloads())
        case "location.assign" | "location.replace", [url]:
            _go(machine, url, replaces=path == "location.replace")
        case "history.pushState" | "history.replaceState", [_, _, *urls]:
            _push(machine, "".join(urls[:1]), replaces=path == "history.replaceState")
        case "history.go", [_] if isinstance(arguments[0], int):
            _travel(machine, arguments[0])
        case "history.back" | "history.forward", []:
            _travel(machine, _STEPS[path])
        case "navigator.serviceWorker.register", [url]:
            return machine.answered(Begins("service_worker", urljoin(machine.base, url)))
        case _:
            raise Unknown(f"{path} with these arguments")
    return UNSET


def make_worker(machine: Machine, name: str, arguments: Arguments) -> Any:
    """`new Worker(url)` or `new SharedWorker(url)`."""
    if len(arguments) != 1:
        raise Unknown(f"new {name} with anything but an address")
    url = urljoin(machine.base, text(arguments[0]))
    if _origin(url) != _origin(machine.base):
        message = (
            f"Failed to construct '{name}': Script at '{url}' cannot be accessed from origin '{_origin(machine.base)}'."
        )
        machine.throw("SecurityError", message, class_name="DOMException")
    return machine.answered(Begins("worker" if name == "Worker" else "shared_worker", url))


def asks(machine: Machine, kind: str, arguments: Arguments, *, page: str = "") -> Any:
    """A dialog, of this page or of another one."""
    message = text(arguments[0]) if arguments else ""
    default = text(arguments[1]) if kind == "prompt" and len(arguments) > 1 else ""
    return machine.answered(Asks(kind, message, default, page))


def call_of_window(machine: Machine, holder: Window | Worker, name: str, arguments: Arguments) -> Any:
    """`holder.name(arguments)` for a window or a worker."""
    match holder, name:
        case Worker(), "terminate":
            machine.effects.append(Terminates(holder.id))
            return UNSET
        case Window(page), "close":
            return _close(machine, page if page in machine.world.windows else "")
        case Window(page), "alert" | "confirm" | "prompt":
            _touch(machine, holder)
            return asks(machine, name, arguments, page=page)
        case _:
            raise Unknown(f"a call of {name}")


def steer(machine: Machine, window: Window, url: str) -> None:
    """`window.location = url`."""
    if window.page not in machine.world.windows:
        raise Unknown("the location of a window that is closed")
    machine.effects.append(Steers(window.page, urljoin(machine.base, url)))


def _touch(machine: Machine, window: Window) -> None:
    if not machine.world.windows.get(window.page, False):
        raise Unknown("a window that is closed, or of another origin")


def _at_a_page(machine: Machine) -> None:
    if machine.world.worker:
        raise Unknown("the location of a worker")


def _go(machine: Machine, url: str, *, replaces: bool = False) -> None:
    _at_a_page(machine)
    there = urljoin(machine.base, url)
    if "#" in there and there.partition("#")[0] == machine.url.partition("#")[0]:
        _arrive(machine, there, replaces=replaces or there == machine.url)
    machine.effects.append(Goes(there, replaces))


def _push(machine: Machine, url: str, *, replaces: bool) -> None:
    _at_a_page(machine)
    if machine.world.base:
        raise Unknown("a history state of a document without an address")
    there = urljoin(machine.base, url)
    if _origin(there) != _origin(machine.base):
        raise Unknown("a history state of another origin")
    _arrive(machine, there, replaces=replaces)
    machine.effects.append(Pushes(there, replaces))


def _arrive(machine: Machine, url: str, *, replaces: bool) -> None:
    machine.url = url
    if not replaces:
        index = machine.steps[0] + 1
        machine.steps = (index, index + 1)


def _travel(machine: Machine, delta: int) -> None:
    _at_a_page(machine)
    machine.effects.append(Travels(delta) if delta else Reloads())


def _open(machine: Machine, words: list[str]) -> Any:
    _at_a_page(machine)
    url, name, features, *_ = [*words, "", "", ""]
    there = urljoin(machine.base, url) if url else ""
    return machine.answered(Opens(there, name or "_blank", features))


def _close(machine: Machine, page: str) -> Any:
    if not page:
        raise Unknown("closing a window that no script opened")
    machine.effects.append(Closes(page))
    return UNSET


def _fragment(url: str) -> str:
    fragment = url.partition("#")[2]
    return f"#{fragment}" if fragment else ""


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
