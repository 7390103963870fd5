"""What a run of a program sees of its frame, and what comes out of it: values, told and not done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from cdp_typed.mock.js.values import ClickableElement, FunctionValue

__all__ = [
    "AddReaction",
    "AssignLocation",
    "CallBinding",
    "ClickElement",
    "CloseWindow",
    "ConsoleCall",
    "Effect",
    "LoopForever",
    "NavigateIframe",
    "NavigateWindow",
    "NavigationEffect",
    "OpenDialog",
    "OpenWindow",
    "Outcome",
    "PauseInDebugger",
    "PushState",
    "ReadCookies",
    "ReloadPage",
    "RemoveIframe",
    "Returned",
    "RunResult",
    "ScriptEnvironment",
    "ScriptRequest",
    "SendSyncRequest",
    "SetTimeout",
    "SetTitle",
    "SettlePromise",
    "StartFetch",
    "StartWorker",
    "SyncResponse",
    "TerminateWorker",
    "Threw",
    "TraverseHistory",
    "WriteCookie",
]


class ScriptEnvironment(Struct, frozen=True):
    """What a program can see of its frame. `elements` are the names of the iframes in it, `script` its own address.

    `steps` are the page's place in its session history and the history's length. `windows` are the pages that belong
    together by their openers, and whether this one may touch them; `popup` is the page's own id if a script opened it.
    `base` is where relative addresses are seen from, in a document that has no address of its own.
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


class ConsoleCall(Struct, frozen=True):
    """`console.<level>(*arguments)`."""

    level: str
    arguments: tuple[Any, ...]
    column: int = 0


class SetTimeout(Struct, frozen=True):
    """`setTimeout(function, delay_ms)`."""

    function: FunctionValue
    delay_ms: float


class RemoveIframe(Struct, frozen=True):
    """An iframe element was removed."""

    frame: str


class NavigateIframe(Struct, frozen=True):
    """An iframe element's `src` was set, or with `srcdoc` its document."""

    frame: str
    url: str
    srcdoc: str | None = None


class SetTitle(Struct, frozen=True):
    """`document.title` was set."""

    title: str


class ScriptRequest(Struct, frozen=True):
    """A request that a script makes; the address may be relative."""

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
    """`promise.then(fulfilled, rejected)`, which makes the promise `following`."""

    promise: int
    fulfilled: FunctionValue | None
    rejected: FunctionValue | None
    following: int


class SettlePromise(Struct, frozen=True):
    """A promise that is settled from its start."""

    promise: int
    value: Any
    failed: bool = False


class CallBinding(Struct, frozen=True):
    """A binding was called."""

    name: str
    payload: str


class ClickElement(Struct, frozen=True):
    """`element.click()` on a link or a file input."""

    name: str


class AssignLocation(Struct, frozen=True):
    """`location.href = url` and its like."""

    url: str
    replaces: bool = False


class ReloadPage(Struct, frozen=True):
    """`location.reload()`."""


class PushState(Struct, frozen=True):
    """`history.pushState(state, "", url)` or `replaceState`."""

    url: str
    replaces: bool = False


class TraverseHistory(Struct, frozen=True):
    """`history.go(delta)` and its like."""

    delta: int


class NavigateWindow(Struct, frozen=True):
    """A page is given another address by one that may touch it."""

    page: str
    url: str


class CloseWindow(Struct, frozen=True):
    """A page that a script opened is closed."""

    page: str


class TerminateWorker(Struct, frozen=True):
    """A worker is ended."""

    worker: str


NavigationEffect = (
    AssignLocation | ReloadPage | PushState | TraverseHistory | NavigateWindow | CloseWindow | TerminateWorker
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
    """The value of the last expression."""

    value: Any


class Threw(Struct, frozen=True):
    """An exception left the program; `column` is that of the throw."""

    value: Any
    column: int


class OpenDialog(Struct, frozen=True):
    """A dialog opens here, or on another page, and no answer to it is known yet."""

    type: str
    message: str
    default: str
    page: str = ""


class OpenWindow(Struct, frozen=True):
    """`window.open(url, name, features)`: the program goes on with the window, or with None."""

    url: str
    name: str
    features: str


class StartWorker(Struct, frozen=True):
    """A worker is made: the program goes on with it."""

    kind: Literal["worker", "shared_worker", "service_worker"]
    url: str


class LoopForever(Struct, frozen=True):
    """The program never ends."""


class SendSyncRequest(Struct, frozen=True):
    """A synchronous request: the program goes on with an `SyncResponse`."""

    request: ScriptRequest
    column: int


class SyncResponse(Struct, frozen=True):
    """The answer to `SendSyncRequest`: a response, or that there is none."""

    url: str
    status: int = 0
    status_text: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""


class ReadCookies(Struct, frozen=True):
    """`document.cookie` is read: the program goes on with the text, or with None where there can be no cookies."""


class WriteCookie(Struct, frozen=True):
    """`document.cookie = text`: the program goes on with whether there can be cookies."""

    text: str


class PauseInDebugger(Struct, frozen=True):
    """`debugger`: the program goes on with the variables that were changed meanwhile."""

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
    | ReadCookies
    | WriteCookie
)


class RunResult(Struct, frozen=True):
    """One run: its end, the variables at its end, and what it did, in order."""

    outcome: Outcome
    variables: Mapping[str, Any]
    effects: tuple[Effect, ...]
