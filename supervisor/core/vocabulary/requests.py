"""`Request`: the calls of a supervisor's callers. A closed union of frozen values."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.helpers.shared.emulation import Emulation
from cdp_typed.helpers.shared.har.har_answers import HarAnswer
from cdp_typed.protocol import browser, fetch, network

from .values import DialogAction, DialogRule


class Evaluate(Struct, frozen=True, kw_only=True):
    """A caller's expression, to be run in a frame's own document."""

    expression: str
    await_promise: bool = True
    user_gesture: bool = False


class CallRequested(Struct, frozen=True, kw_only=True):
    """A caller wants an expression or a command run in a frame (None: the current page's top frame)."""

    call_id: str
    work: Evaluate | Command[Any]
    frame_id: str | None
    timeout_s: float


class AnswerRequested(Struct, frozen=True, kw_only=True):
    """A caller answers a dialog (None: the only one that is open)."""

    call_id: str
    action: DialogAction
    prompt_text: str | None
    dialog_id: str | None
    by: Literal["agent", "person"] = "agent"


class ChooseFiles(Struct, frozen=True):
    """Give a file chooser these files (absolute paths on the browser's machine)."""

    paths: tuple[str, ...]


class CancelDownload(Struct, frozen=True):
    """Stop a download."""


class ResumeScript(Struct, frozen=True):
    """Resume a script that is paused at a `debugger` statement or a breakpoint (`Debugger.resume`)."""


class LogIn(Struct, frozen=True):
    """Answer HTTP authentication with a name and a password."""

    username: str
    password: str

    def __repr__(self) -> str:
        return "<LogIn>"


class CancelLogIn(Struct, frozen=True):
    """Cancel HTTP authentication: the page shows the 401 or 407 response."""


class CancelPrint(Struct, frozen=True):
    """Close the print preview: `window.print()` returns."""


UnblockWork: TypeAlias = ChooseFiles | CancelDownload | ResumeScript | LogIn | CancelLogIn | CancelPrint


class UnblockRequested(Struct, frozen=True, kw_only=True):
    """A caller ends a blocker (None: the only one of the kind that the work is for)."""

    call_id: str
    blocker_id: str | None
    work: UnblockWork


class ReloadPage(Struct, frozen=True):
    """A caller's work: `Page.reload`."""

    ignore_cache: bool = False


class NavigatePage(Struct, frozen=True):
    """A caller's work: `Page.navigate`."""

    url: str


class ClosePage(Struct, frozen=True):
    """A caller's work: `Target.closeTarget`."""


class NavigationRequested(Struct, frozen=True, kw_only=True):
    """A caller navigates, reloads or closes a page (None: the current one)."""

    call_id: str
    page_id: str | None
    work: ReloadPage | NavigatePage | ClosePage
    timeout_s: float


class RuleArmed(Struct, frozen=True, kw_only=True):
    """A caller has dialogs answered before they open."""

    call_id: str
    rule: DialogRule


class RuleDisarmed(Struct, frozen=True, kw_only=True):
    """A caller takes a rule back."""

    call_id: str
    rule_id: str


RouteAction: TypeAlias = Literal["answer", "abort", "change", "change_response", "replay"]
"""`answer` in place of the server; `abort` as a network error; `change` the request, or its response, and let it go
on; `replay` recorded answers."""


class Route(Struct, frozen=True, kw_only=True):
    """The treatment of requests of managed pages that match (`Fetch`)."""

    pattern: str
    """Of the whole URL: `*` is any text, `?` one character."""
    method: str | None = None
    """Of HTTP; None: any."""
    types: tuple[network.ResourceType, ...] = ()
    """Of the resource, as the domain `Fetch` names them; empty: any."""
    action: RouteAction
    status: int | None = None
    """Of the answer (None: 200) or of the changed response (None: as it came)."""
    headers: tuple[fetch.HeaderEntry, ...] = ()
    """Of the answer. For a change: replace those of the request or response; an empty value removes one."""
    body_base64: str | None = None
    """Of the answer, or of the changed request or response."""
    answers: tuple[HarAnswer, ...] = ()
    """For `replay`. A request that matches the pattern and has no answer fails."""
    har: str | None = None
    """The name of the file of the answers."""
    delay_s: float = 0.0
    times: int | None = None
    """The number of requests that it takes; None: any number."""


class RouteAdded(Struct, frozen=True, kw_only=True):
    """A caller adds a route; its id is the result."""

    call_id: str
    route: Route


class RoutesRemoved(Struct, frozen=True, kw_only=True):
    """A caller removes a route (None: all of them). The ids of those removed are the result."""

    call_id: str
    route_id: str | None


class RequestsWatched(Struct, frozen=True):
    """A caller wants all requests kept from now on, not only those that fail."""

    call_id: str


class EmulationRequested(Struct, frozen=True, kw_only=True):
    """A caller wants managed pages to see this device and these surroundings from now on, in place of earlier ones."""

    call_id: str
    emulation: Emulation
    permissions: tuple[browser.SetPermission, ...] = ()


class InitScriptAdded(Struct, frozen=True):
    """A caller has a script run in each new document of managed pages; its id is the result."""

    call_id: str
    source: str


class InitScriptsRemoved(Struct, frozen=True):
    """A caller removes such a script (None: all of them). The ids of those removed are the result."""

    call_id: str
    script_id: str | None


class OpenRequested(Struct, frozen=True, kw_only=True):
    """A caller wants a new, empty page."""

    call_id: str
    background: bool
    select: bool
    context: str | None = None
    """The name of the browser context in which the page is to be; None: that of the supervisor's other pages."""


class SelectRequested(Struct, frozen=True):
    """A caller chooses the current page."""

    call_id: str
    target_id: str


class GiveRequested(Struct, frozen=True):
    """A person gives a page to the agent."""

    call_id: str
    target_id: str


class TakeBackRequested(Struct, frozen=True):
    """A person takes a given page back."""

    call_id: str
    target_id: str


class BridgeEnding(Struct, frozen=True):
    """The bridge is to be removed from all pages: by a caller, or before the supervisor stops."""

    call_id: str
    reason: str = "the supervisor stops"


class CallAbandoned(Struct, frozen=True):
    """The caller was cancelled; the browser may run the call all the same."""

    call_id: str


Request: TypeAlias = (
    CallRequested
    | AnswerRequested
    | UnblockRequested
    | NavigationRequested
    | RuleArmed
    | RuleDisarmed
    | RouteAdded
    | RoutesRemoved
    | RequestsWatched
    | EmulationRequested
    | InitScriptAdded
    | InitScriptsRemoved
    | OpenRequested
    | SelectRequested
    | GiveRequested
    | TakeBackRequested
    | BridgeEnding
)
"""A caller's request; `CompleteCall` ends it under its `call_id`."""
