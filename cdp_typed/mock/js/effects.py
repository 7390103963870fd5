"""What a run of a program sees of its frame, and what comes out of it: values, told and not done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from cdp_typed.mock.js.values import Control, Func

__all__ = [
    "Answered",
    "Asked",
    "Asks",
    "Bakes",
    "Begins",
    "Calls",
    "Clicks",
    "Closes",
    "Effect",
    "Fetches",
    "Goes",
    "Logs",
    "Moves",
    "Navigates",
    "Opens",
    "Outcome",
    "Pauses",
    "Pushes",
    "Reacts",
    "Recalls",
    "Reloads",
    "Removes",
    "Returns",
    "Run",
    "Schedules",
    "Sends",
    "Settles",
    "Spins",
    "Steers",
    "Terminates",
    "Throws",
    "Titles",
    "Travels",
    "World",
]


class World(Struct, frozen=True):
    """What a program can see of its frame. `elements` are the names of the iframes in it, `script` its own address.

    `steps` are the page's place in its session history and the history's length. `windows` are the pages that belong
    together by their openers, and whether this one may touch them; `popup` is the page's own id if a script opened it.
    `base` is where relative addresses are seen from, in a document that has no address of its own.
    """

    title: str
    url: str
    variables: Mapping[str, Any]
    elements: Mapping[str, str]
    controls: Mapping[str, Control] = {}
    script: str = ""
    steps: tuple[int, int] = (0, 1)
    windows: Mapping[str, bool] = {}
    popup: str = ""
    worker: bool = False
    base: str = ""


class Logs(Struct, frozen=True):
    """`console.<level>(*arguments)`."""

    level: str
    arguments: tuple[Any, ...]
    column: int = 0


class Schedules(Struct, frozen=True):
    """`setTimeout(function, delay_ms)`."""

    function: Func
    delay_ms: float


class Removes(Struct, frozen=True):
    """An iframe element was removed."""

    frame: str


class Navigates(Struct, frozen=True):
    """An iframe element's `src` was set, or with `srcdoc` its document."""

    frame: str
    url: str
    srcdoc: str | None = None


class Titles(Struct, frozen=True):
    """`document.title` was set."""

    title: str


class Asked(Struct, frozen=True):
    """A request that a script makes; the address may be relative."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None


class Fetches(Struct, frozen=True):
    """`fetch(request)`, for the promise of that number."""

    promise: int
    request: Asked
    column: int


class Reacts(Struct, frozen=True):
    """`promise.then(fulfilled, rejected)`, which makes the promise `following`."""

    promise: int
    fulfilled: Func | None
    rejected: Func | None
    following: int


class Settles(Struct, frozen=True):
    """A promise that is settled from its start."""

    promise: int
    value: Any
    failed: bool = False


class Calls(Struct, frozen=True):
    """A binding was called."""

    name: str
    payload: str


class Clicks(Struct, frozen=True):
    """`element.click()` on a link or a file input."""

    name: str


class Goes(Struct, frozen=True):
    """`location.href = url` and its like."""

    url: str
    replaces: bool = False


class Reloads(Struct, frozen=True):
    """`location.reload()`."""


class Pushes(Struct, frozen=True):
    """`history.pushState(state, "", url)` or `replaceState`."""

    url: str
    replaces: bool = False


class Travels(Struct, frozen=True):
    """`history.go(delta)` and its like."""

    delta: int


class Steers(Struct, frozen=True):
    """A page is given another address by one that may touch it."""

    page: str
    url: str


class Closes(Struct, frozen=True):
    """A page that a script opened is closed."""

    page: str


class Terminates(Struct, frozen=True):
    """A worker is ended."""

    worker: str


Moves = Goes | Reloads | Pushes | Travels | Steers | Closes | Terminates
Effect = Logs | Schedules | Removes | Navigates | Titles | Fetches | Reacts | Settles | Calls | Clicks | Moves


class Returns(Struct, frozen=True):
    """The value of the last expression."""

    value: Any


class Throws(Struct, frozen=True):
    """An exception left the program; `column` is that of the throw."""

    value: Any
    column: int


class Asks(Struct, frozen=True):
    """A dialog opens here, or on another page, and no answer to it is known yet."""

    type: str
    message: str
    default: str
    page: str = ""


class Opens(Struct, frozen=True):
    """`window.open(url, name, features)`: the program goes on with the window, or with None."""

    url: str
    name: str
    features: str


class Begins(Struct, frozen=True):
    """A worker is made: the program goes on with it."""

    kind: Literal["worker", "shared_worker", "service_worker"]
    url: str


class Spins(Struct, frozen=True):
    """The program never ends."""


class Sends(Struct, frozen=True):
    """A synchronous request: the program goes on with an `Answered`."""

    request: Asked
    column: int


class Answered(Struct, frozen=True):
    """The answer to `Sends`: a response, or that there is none."""

    url: str
    status: int = 0
    status_text: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""


class Recalls(Struct, frozen=True):
    """`document.cookie` is read: the program goes on with the text, or with None where there can be no cookies."""


class Bakes(Struct, frozen=True):
    """`document.cookie = text`: the program goes on with whether there can be cookies."""

    text: str


class Pauses(Struct, frozen=True):
    """`debugger`: the program goes on with the variables that were changed meanwhile."""

    column: int


Outcome = Returns | Throws | Asks | Spins | Sends | Pauses | Opens | Begins | Recalls | Bakes


class Run(Struct, frozen=True):
    """One run: its end, the variables at its end, and what it did, in order."""

    outcome: Outcome
    variables: Mapping[str, Any]
    effects: tuple[Effect, ...]
