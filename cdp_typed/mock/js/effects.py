"""The environment of a script run, its effects and its outcome, as values; `flows.scripts` performs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from cdp_typed.mock.js.values import ClickableElement, FunctionValue, HostObject, PromiseSettler


class ScriptEnvironment(Struct, frozen=True):
    """The frame as a script sees it. `iframes` are frame ids by element name, `script` is the script's own URL.

    `history_position` is the page's index in its session history, and the history's length. `windows` are the related
    pages, each with whether it is same-origin; `popup` is the page's own id if a script opened it. `base` is the base
    URL of a document without its own URL.
    """

    title: str
    url: str
    variables: Mapping[str, Any]
    iframes: Mapping[str, str]
    clickables: Mapping[str, ClickableElement] = {}
    script: str = ""
    history_position: tuple[int, int] = (0, 1)
    windows: Mapping[str, bool] = {}
    popup: str = ""
    worker: bool = False
    base: str = ""
    opener: str | None = None
    """The page that opened this one; `None` in a page that no other one opened, or may not reach."""
    depth: int = 0
    """How many frames are around this one."""
    ready_state: str = "complete"
    is_in_front: bool = False
    """The page is the only one of its browser context: no other can cover it."""


class ConsoleCall(Struct, frozen=True):
    """`console.<level>(*arguments)`."""

    level: str
    arguments: tuple[Any, ...]
    column: int = 0


class SetTimeout(Struct, frozen=True):
    """`setTimeout(function, delay_ms)`, or `requestAnimationFrame(function)`, whose function gets the time."""

    function: FunctionValue | PromiseSettler
    delay_ms: float
    gets_time: bool = False


class RemoveIframe(Struct, frozen=True):
    """Remove an iframe element."""

    frame: str


class NavigateIframe(Struct, frozen=True):
    """Set the `src` of an iframe element, or with `srcdoc` its document."""

    frame: str
    url: str
    srcdoc: str | None = None


class SetTitle(Struct, frozen=True):
    """`document.title = title`."""

    title: str


class ScriptRequest(Struct, frozen=True):
    """A request that a script sends; the URL may be relative."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None


class StartFetch(Struct, frozen=True):
    """`fetch(request)`, for the promise of that number."""

    promise: int
    request: ScriptRequest
    column: int


class AddReaction(Struct, frozen=True):
    """`promise.then(fulfilled, rejected)`, which returns the promise `following`."""

    promise: int
    fulfilled: FunctionValue | PromiseSettler | None
    rejected: FunctionValue | PromiseSettler | None
    following: int


class SettlePromise(Struct, frozen=True):
    """Settle a promise."""

    promise: int
    value: Any
    failed: bool = False


class CallBinding(Struct, frozen=True):
    """Call a function of `Runtime.addBinding`."""

    name: str
    payload: str


class ClickElement(Struct, frozen=True):
    """`element.click()` on a link or a file input."""

    name: str


class AssignLocation(Struct, frozen=True):
    """`location.href = url`, `location.assign` and `location.replace`."""

    url: str
    replaces: bool = False


class ReloadLocation(Struct, frozen=True):
    """`location.reload()`."""


class PushState(Struct, frozen=True):
    """`history.pushState(state, "", url)` or `replaceState`."""

    url: str
    replaces: bool = False


class TraverseHistory(Struct, frozen=True):
    """`history.go(delta)`, `back` and `forward`."""

    delta: int


class NavigateWindow(Struct, frozen=True):
    """`window.location = url` on a related page."""

    page: str
    url: str


class CloseWindow(Struct, frozen=True):
    """`window.close()` on a page that a script opened."""

    page: str


class TerminateWorker(Struct, frozen=True):
    """`worker.terminate()`."""

    worker: str


NavigationEffect = (
    AssignLocation | ReloadLocation | PushState | TraverseHistory | NavigateWindow | CloseWindow | TerminateWorker
)
Effect = (
    ConsoleCall
    | SetTimeout
    | RemoveIframe
    | NavigateIframe
    | SetTitle
    | StartFetch
    | AddReaction
    | SettlePromise
    | CallBinding
    | ClickElement
    | NavigationEffect
)


class Returned(Struct, frozen=True):
    """The script has ended, with the value of its last expression."""

    value: Any


class Threw(Struct, frozen=True):
    """An uncaught exception; `column` is that of the throw."""

    value: Any
    column: int


class OpenDialog(Struct, frozen=True):
    """Stop at a dialog of this page or of `page` whose answer is not known yet."""

    type: str
    message: str
    default: str
    page: str = ""


class OpenWindow(Struct, frozen=True):
    """Stop at `window.open(url, name, features)`; the answer is the window or None."""

    url: str
    name: str
    features: str


class StartWorker(Struct, frozen=True):
    """Stop at the creation of a worker; the answer is the worker."""

    kind: Literal["worker", "shared_worker", "service_worker"]
    url: str


class LoopForever(Struct, frozen=True):
    """The script never ends."""


class SendSyncRequest(Struct, frozen=True):
    """Stop at a synchronous request; the answer is a `SyncResponse`."""

    request: ScriptRequest
    column: int


class SyncResponse(Struct, frozen=True):
    """The response to `SendSyncRequest`; with status 0 the request failed."""

    url: str
    status: int = 0
    status_text: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""


class ReadCookies(Struct, frozen=True):
    """Stop at reading `document.cookie`; the answer is the text, or None in a document without an origin."""


class WriteCookie(Struct, frozen=True):
    """Stop at `document.cookie = text`; the answer is False in a document without an origin."""

    text: str


class ReadClock(Struct, frozen=True):
    """Stop at `Date.now()`; the answer are milliseconds. So a script that runs again after a stop reads the same."""


HostAccess = Literal["read", "call", "assign", "in"]


class AskHost(Struct, frozen=True):
    """Stop at a member of an object of the browser.

    The answer is its value, a `HostPromise`, what it `Threw`, or an `Unsupported`.
    """

    holder: HostObject
    name: str
    how: HostAccess
    arguments: tuple[Any, ...] = ()


class HostPromise(Struct, frozen=True):
    """A promise of the `value`, or one that is rejected with what it `Threw`. With a `name` it is always the same."""

    value: Any
    name: str = ""


class PauseInDebugger(Struct, frozen=True):
    """Stop at `debugger`; the answer are the variables that were changed meanwhile."""

    column: int


Outcome = (
    Returned
    | Threw
    | OpenDialog
    | LoopForever
    | SendSyncRequest
    | PauseInDebugger
    | OpenWindow
    | StartWorker
    | AskHost
    | ReadClock
    | ReadCookies
    | WriteCookie
)


class RunResult(Struct, frozen=True):
    """The outcome of a run, its variables at the end, and its effects in order."""

    outcome: Outcome
    variables: Mapping[str, Any]
    effects: tuple[Effect, ...]
