"""The whole browser as one frozen value.

Its mappings are replaced, never changed. A page's main frame has the id of its target, and so has the root frame of an
OOPIF, as in Chrome.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from cdp_typed.mock.js.syntax.syntax_tree import Program
from cdp_typed.mock.site import BLANK, Page, Site
from cdp_typed.mock.state.cookies import CookieJar
from cdp_typed.mock.state.dom_state import DomState
from cdp_typed.mock.state.http import HttpResponse
from cdp_typed.mock.state.network import DownloadSettings, FetchSettings, Initiator, NetworkRequest, ResponseBody
from cdp_typed.mock.state.suspended import DebuggerPause, PromiseState

Params = dict[str, Any]
TargetFilter = tuple[tuple[str, bool], ...]
"""Entries (type or "" for any, excluded?); the first that matches decides, and no match excludes."""


class CommandCall(Struct, frozen=True):
    """A call whose parameters are valid. `session` is the key of the session, not its wire id."""

    session: str
    id: int
    method: str
    params: Params
    params_kind: Literal["object", "array", "absent"] = "object"


class ReplyTo(Struct, frozen=True):
    """The session, id and options of a call that is answered later; a script that loops ends at its `deadline`.

    `source` is the text that a test can script in place of running it.
    """

    session: str
    id: int
    by_value: bool = False
    playwright: bool = False
    await_promise: bool = False
    user_gesture: bool = False
    deadline: float | None = None
    object_group: str = ""
    source: str = ""


class AutoAttachSettings(Struct, frozen=True):
    wait: bool
    filter: TargetFilter


class NewDocumentScript(Struct, frozen=True):
    """A script that a session runs in every new document, in an isolated world if `world` is set."""

    id: str
    source: str
    world: str = ""


class CDPSession(Struct, frozen=True):
    """A session. `session_id` is None for a connection's own session; `target` is None for the browser's."""

    key: str
    connection: int
    session_id: str | None
    target: str | None
    parent: str | None
    automatic: bool = False
    enabled: frozenset[str] = frozenset()
    auto_attach: AutoAttachSettings | None = None
    discover: TargetFilter | None = None
    lifecycle: bool = False
    new_document: tuple[NewDocumentScript, ...] = ()
    scripts_added: int = 0
    fetch: FetchSettings | None = None
    bindings: tuple[tuple[str, str], ...] = ()
    file_choosers: bool = False
    bypass_csp: bool = False
    cache_disabled: bool = False
    skips_pauses: bool = False
    emulated: Mapping[str, Params] = {}
    """The parameters of the commands that change what a page measures, until another one undoes them."""


DEFAULT_CONTEXT = "0" * 31 + "1"
"""The id of the default browser context."""


EXCLUDED_BY_FILTER = "left out"
"""In `Target.waiting`: all sessions whose filter excludes workers."""


class Target(Struct, frozen=True):
    """A page, the tab around it, an OOPIF or a worker.

    `page` is the id of the page it belongs to; `waiting` are the sessions that hold it (`waitForDebuggerOnStart`). A
    page that a script opened has an `opener`, and maybe a `window` name; a shared worker has the loaders of its
    documents as `clients`. `size` is what clients have set.
    """

    id: str
    type: Literal["page", "iframe", "tab", "worker", "shared_worker", "service_worker"]
    page: str
    url: str = ""
    title: str = ""
    parent: str | None = None
    parent_frame: str | None = None
    waiting: frozenset[str] = frozenset()
    crashed: bool = False
    context: str = DEFAULT_CONTEXT
    opener: str = ""
    opener_frame: str = ""
    can_access_opener: bool = False
    window: str = ""
    has_window_size: bool = False
    clients: frozenset[str] = frozenset()
    size: Mapping[str, Any] = {}


class ExecutionContext(Struct, frozen=True):
    id: int
    unique_id: str
    name: str = ""
    is_default: bool = True
    variables: Mapping[str, Any] = {}


LoadState = Literal["starting", "committing", "script", "frames", "settling", "on_load", "done", "closing"]


class FrameNode(Struct, frozen=True):
    """A frame and its document. `target` owns it: the page's or, from the root of an OOPIF down, the OOPIF's.

    `inherited_url` is the URL whose origin a document without one inherits. A worker is a frame on a separate
    `thread`.
    """

    id: str
    parent: str | None
    target: str
    page: str
    url: str = ""
    loader: str = ""
    name: str = ""
    title: str = ""
    document: Page = BLANK
    unreachable: str = ""
    contexts: tuple[ExecutionContext, ...] = ()
    loading: LoadState = "done"
    user_activated: bool = False
    """Its scripts may open popups: the mouse has pressed on it."""
    was_activated: bool = False
    """Its document, or one in it, has had a user gesture, after which it may ask before it is left."""
    resources_requested: bool = False
    bypasses_csp: bool = False
    backend_node_ids: Mapping[str, int] = {}
    files: Mapping[str, tuple[str, ...]] = {}
    dom: DomState = DomState()
    inherited_url: str = ""
    thread: str = ""


class LoadStage(Struct, frozen=True):
    """The next stage of loading a frame's document; void if the frame has another `loader` by then."""

    frame: str
    loader: str
    next: LoadState
    reply: ReplyTo | None = None


class DocumentLocation(Struct, frozen=True):
    """A document's URL and title when a script began, and its page's index and length of history."""

    url: str
    title: str
    history_position: tuple[int, int]


class ScriptRun(Struct, frozen=True):
    """A script that runs or has stopped: it is run again with `answers`, skipping the first `seen` effects.

    Its value `settles` a promise. With `gesture` it counts as a user gesture.
    """

    frame: str
    context: str
    program: Program
    answers: tuple[Any, ...] = ()
    seen: int = 0
    reply: ReplyTo | None = None
    stage: LoadStage | None = None
    url: str = ""
    settles: str = ""
    gesture: bool = False
    location: DocumentLocation | None = None


class Navigation(Struct, frozen=True):
    """A navigation that has started. `reply` is still to be sent; `response` is its document.

    `entry` is the history entry that it traverses to; without one it adds an entry, or `replaces` the current one, as
    it does for the same URL unless it `pushes`. `original_url` is the URL before redirects, `cache` the
    `Cache-Control` of a reload.
    """

    frame: str
    url: str
    loader: str
    reload: bool = False
    reply: ReplyTo | None = None
    error: str = ""
    entry: int | None = None
    replaces: bool = False
    same_document: bool = False
    pushes: bool = False
    transition: str = "typed"
    response: HttpResponse | None = None
    original_url: str = ""
    initiator: Initiator = Initiator()
    cache: str = ""


class ScriptNavigation(Struct, frozen=True):
    """A navigation that a script requested; it begins when the script has ended."""

    frame: str
    url: str
    initiator: Initiator
    reload: bool = False
    replaces: bool = False


class PendingPopup(Struct, frozen=True):
    """A popup before its first document; `script_run` is the script that waits for `window.open`."""

    navigation: Navigation
    script_run: ScriptRun | None = None


class NavigationEntry(Struct, frozen=True):
    """An entry of a page's session history. Entries with the same `loader` are of one document."""

    id: int
    url: str
    typed_url: str
    title: str
    transition: str
    loader: str


class NavigationHistory(Struct, frozen=True):
    """A page's session history, oldest first."""

    entries: tuple[NavigationEntry, ...]
    index: int


class Dialog(Struct, frozen=True):
    """An open dialog. `answerable` are the sessions that may handle it: those with Page enabled when it opened.

    `frame_detached`: its frame was removed while it was open.
    """

    number: int
    frame: str
    page: str
    process: str
    type: str
    message: str
    default: str
    url: str
    answerable: frozenset[str]
    script_run: ScriptRun | None = None
    navigation: Navigation | None = None
    closes: bool = False
    frame_detached: bool = False


Work = CommandCall | ScriptRun | LoadStage | Navigation | ScriptNavigation


class RendererProcess(Struct, frozen=True):
    """A renderer: the frames of one site within one page. Work is queued while it is `blocked`.

    `then` is the stage after a script that loops, if the loop is terminated.
    """

    blocked: Literal["", "dialog", "busy", "crashed", "request", "paused", "starting"] = ""
    next_context: int = 1
    queue: tuple[Work, ...] = ()
    then: LoadStage | None = None


class Timer(Struct, frozen=True):
    due: float
    script_run: ScriptRun


class AwaitingCall(Struct, frozen=True):
    """A call that awaits the promise of a key, or one that never settles, such as that of a loop."""

    frame: str
    reply: ReplyTo
    promise: str = ""
    loops: bool = False


class RemoteObject(Struct, frozen=True):
    """A value that a client knows by an object id."""

    target: str
    frame: str
    context: str
    value: Any
    owner: str | None = None
    group: str = ""


class IncognitoContext(Struct, frozen=True):
    """A browser context besides the default one. With an `owner` it ends with the session of that key."""

    id: str
    owner: str | None = None


class StoredConsoleEvent(Struct, frozen=True):
    """A console message, exception or log entry, for sessions that enable its domain later."""

    target: str
    method: str
    params: Params


class BFCacheEntry(Struct, frozen=True):
    """A document in the back/forward cache, with its iframes, their targets, and its frozen timers."""

    page: str
    frames: tuple[FrameNode, ...]
    targets: tuple[Target, ...]
    timers: tuple[Timer, ...] = ()


class StepRefusal(Struct, frozen=True):
    """What the mock refused because it does not model it: a call on a session, or a script of a page."""

    text: str
    session: str = ""
    id: int = 0


class BrowserState(Struct, frozen=True):
    """The whole browser. `serial` is the last number that was used for an id.

    `groups` maps a popup to the page with which it shares its renderers. With `samples` a command that the mock does
    not model is answered with a sample of the schema. `storage` has the items of each `localStorage`, by browser
    context and origin, and of each `sessionStorage`, by page and origin.
    """

    site: Site
    sessions: Mapping[str, CDPSession] = {}
    targets: Mapping[str, Target] = {}
    frames: Mapping[str, FrameNode] = {}
    processes: Mapping[str, RendererProcess] = {}
    dialogs: tuple[Dialog, ...] = ()
    timers: tuple[Timer, ...] = ()
    awaiting_calls: tuple[AwaitingCall, ...] = ()
    console_entries: tuple[StoredConsoleEvent, ...] = ()
    remote_objects: Mapping[str, RemoteObject] = {}
    browser_contexts: tuple[IncognitoContext, ...] = ()
    groups: Mapping[str, str] = {}
    pending_popups: Mapping[str, PendingPopup] = {}
    histories: Mapping[str, NavigationHistory] = {}
    bfcache: Mapping[str, BFCacheEntry] = {}
    expressions: Mapping[str, Any] = {}
    network_requests: tuple[NetworkRequest, ...] = ()
    suspended: Mapping[str, tuple[Work, ...]] = {}
    response_bodies: Mapping[str, ResponseBody] = {}
    logins: frozenset[tuple[str, str]] = frozenset()
    promises: Mapping[str, PromiseState] = {}
    pauses: tuple[DebuggerPause, ...] = ()
    downloads: DownloadSettings = DownloadSettings()
    cookies: CookieJar = ()
    storage: Mapping[tuple[str, str], Mapping[str, str]] = {}
    refusals: tuple[StepRefusal, ...] = ()
    samples: bool = False
    serial: int = 0
    dead: bool = False
