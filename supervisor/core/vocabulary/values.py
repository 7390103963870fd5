"""The public values of a supervisor, all frozen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from .console_values import ConsoleMessage

DialogPolicy: TypeAlias = Literal["must_respond", "auto_dismiss", "auto_accept"]
"""`must_respond` waits for an answer until the watchdog dismisses; the other two answer at once."""

BridgeMode: TypeAlias = Literal["auto", "always", "never"]
"""`auto` uses the browser's dialogs, until two of them in a row were answered at once by another client."""

DialogAction: TypeAlias = Literal["accept", "dismiss"]

DialogType: TypeAlias = Literal["alert", "confirm", "prompt", "beforeunload"]

RuleAction: TypeAlias = Literal["accept", "dismiss", "must_respond"]
"""The action of a rule; `must_respond` leaves the dialog to the agent, whatever the policy says."""

ClosedBy: TypeAlias = Literal["agent", "person", "auto_policy", "watchdog", "remote"]
"""The origin of the answer that closed a dialog. `person` is one who answered in the live view; `remote` is a person at
the browser, another client, or the browser itself."""

ConnectionPhase: TypeAlias = Literal[
    "connecting", "waiting_for_person", "attaching", "ready", "reconnecting", "lost", "stopped"
]
"""`waiting_for_person`: the browser asks a person to allow the connection. `attaching`: connected, and sessions are
being attached to the pages. `reconnecting`: the connection ended and is being opened again. `lost` and `stopped` are
final."""

PageStatus: TypeAlias = Literal["attaching", "ok", "unresponsive", "partly_unresponsive", "unwatched", "crashed"]
"""`unresponsive`: the page did not answer when we attached. A dialog from before may be open on it, or a long
script may be running; from outside the two look the same.

`partly_unresponsive`: an out-of-process iframe of it did not answer, while the page itself does.

`unwatched`: an iframe was removed while it showed a dialog. Chromium 156 crashes when such a dialog ends while a client
has Page enabled in the page, so the supervisor disables it until it has ended the dialog: a moment, unless the page
resists. Scripts run as ever; a reload, a navigation or closing the page ends this status too."""

WayOut: TypeAlias = Literal["answer", "wait", "reload", "navigate", "close"]
"""A way to end a dialog: `respond_to_dialog`, waiting, `reload_page`, `navigate`, `close_page`."""


class PendingDialog(Struct, frozen=True, kw_only=True):
    """A JavaScript dialog that is open now (`Page.javascriptDialogOpening`)."""

    id: str
    """An id made by the supervisor, for example `d-3`. One supervisor never uses it twice."""
    type: str
    """`alert`, `confirm`, `prompt` or `beforeunload`."""
    message: str
    """The page's own text: untrusted. Chromium cuts it at 10,240 characters."""
    default_prompt: str
    """The default text of a prompt; empty for the other types."""
    url: str
    """The URL of the frame that opened the dialog."""
    frame_id: str | None
    """The frame that opened it; None where the browser does not say (see `SupervisorSnapshot.lacks`)."""
    target_id: str
    """The page (tab) that shows the dialog."""
    session_id: str
    """The session that can answer it: of the page, never of an iframe, except for a dialog of the bridge."""
    opened_at: float
    """Seconds since the epoch."""
    answerable: bool = True
    """False when the browser refuses all answers. Reload, navigate or close the page instead."""
    stale: bool = False
    """True for a dialog that was open when the connection ended, until the browser confirms or closes it."""
    bridged: bool = False
    """True when the page asked through the dialog bridge. The browser then shows no dialog."""
    note: str = ""
    """A remark, for example that the watchdog could not dismiss it."""

    @property
    def ways_out(self) -> tuple[WayOut, ...]:
        """The ways to end it, the gentlest first."""
        return ("answer",) if self.answerable else ("wait", "reload", "navigate", "close")


class DialogRecord(Struct, frozen=True, kw_only=True):
    """A dialog that is closed (`Page.javascriptDialogClosed`)."""

    id: str
    type: str
    message: str
    url: str
    frame_id: str | None
    target_id: str
    opened_at: float
    closed_at: float
    closed_by: ClosedBy
    accepted: bool
    user_input: str
    """The text that the page got back from a prompt; empty for one that was dismissed, which got `null`."""
    rule_id: str | None = None
    """The `DialogRule` that answered it, if one did."""
    bridged: bool = False
    """It came through the dialog bridge."""
    note: str = ""
    """The reason, if neither an agent nor another client closed it."""


class DialogRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answers dialogs of one kind by itself: a separate policy, or an answer given before the dialog opens.

    What is not given matches every dialog. Nothing that a rule does is silent: see `DialogRecord.rule_id`.
    """

    action: RuleAction
    prompt_text: str | None = None
    """The answer to a prompt that is accepted; None means the page's own default, as in `respond_to_dialog`."""
    type: DialogType | None = None
    message: str | None = None
    """A regular expression (of Python) that is found somewhere in the message."""
    origin: str | None = None
    """Scheme, host and port of the frame that opens the dialog, for example `https://example.com`."""
    count: Annotated[int, Meta(ge=1)] | None = None
    """The number of dialogs that it answers; None means any number."""
    expires_s: Annotated[float, Meta(gt=0)] | None = None
    """Seconds until it expires. They count from arming, or for a rule of the settings from connecting."""


class ArmedDialogRule(Struct, frozen=True, kw_only=True):
    """A rule that waits for dialogs."""

    id: str
    """An id made by the supervisor, for example `r-1`. One supervisor never uses it twice."""
    rule: DialogRule
    left: int | None
    """The number of dialogs that it will still answer; None means any number."""
    expires_at: float | None
    """Seconds since the epoch."""


class DialogStorm(Struct, frozen=True, kw_only=True):
    """A page that opens one dialog after the other, faster than the settings allow.

    Its dialogs are dismissed, never accepted, until it has been quiet for as long as the settings say. `navigate` and
    `close_page` work meanwhile.
    """

    target_id: str
    count: int
    """Dialogs that were dismissed because of it."""
    since: float
    """Seconds since the epoch."""


class BridgeInfo(Struct, frozen=True, kw_only=True):
    """The state of the dialog bridge, through which pages ask the supervisor instead of showing dialogs."""

    state: Literal["off", "armed"] = "off"
    reason: str = ""
    """The reason for the state."""
    native: tuple[str, ...] = ()
    """Origins (`null` for a document without one) in which a dialog came natively all the same, the first one first:
    a policy of the site, or the moment, forbids what the bridge needs."""


class DialogReceipt(Struct, frozen=True, kw_only=True):
    """The outcome of an answer that the browser confirmed for this dialog."""

    dialog_id: str
    accepted: bool
    closed_by: ClosedBy
    user_input: str
    prompt_text_ignored: bool = False
    """True when a text was given for a dialog that takes none, or with `dismiss`."""


class FrameInfo(Struct, frozen=True, kw_only=True):
    """One frame of a page."""

    frame_id: str
    parent_id: str | None
    url: str
    origin: str
    """Scheme, host and port; `null` for a document with an opaque origin. An `about:blank` may inherit one."""
    name: str
    is_oopif: bool
    """True for a frame with a separate target and session (an out-of-process iframe)."""
    session_id: str
    """The session in which the frame's document lives."""
    is_loading: bool
    is_network_idle: bool = False
    """True once its document has gone half a second without a request. The browser tells this only after
    `Page.setLifecycleEventsEnabled`."""
    loader_id: str = ""
    """Names the frame's document: another one after each navigation, but not after one within the document."""
    is_moving: bool = False
    """It is between two processes; calls wait for it. Its other fields are those of the old process."""
    stale: bool = False
    """True for what was known when the connection ended and has not been seen since."""


class FrameTree(Struct, frozen=True, kw_only=True):
    """The frames of the current page: `top`, and its descendants depth first, each naming its parent."""

    top: FrameInfo | None
    children: tuple[FrameInfo, ...]
    truncated: bool
    """True when some frames are not in `children`: see the settings `frame_tree_limit` and `frame_tree_oopif_depth`."""
    total: int
    """The number of frames of the page, shown or not."""


class PageInfo(Struct, frozen=True, kw_only=True):
    """One page (tab)."""

    target_id: str
    session_id: str
    url: str
    """The URL of the page's document; of `view-source:http://a.test/` it is `http://a.test/`."""
    status: PageStatus
    is_current: bool
    """Calls that name no frame go there."""
    opener_id: str | None
    """The target id of the page whose script opened it, as long as the two can script each other."""
    is_ours: bool
    """The supervisor opened it, and closes it when it stops."""
    is_managed: bool = True
    """Policies, rules, the watchdog and the bridge are for this page, it behaves as if it were in front, and its file
    choosers are intercepted. A page that is not managed belongs to a person or to another client: it is only watched,
    until it is selected."""
    is_given: bool = False
    """A person gave it to the agent, and may take it back."""
    context: str | None = None
    """The name of the separate browser context that `open_page` made for it, or for the page that opened it."""
    stale: bool = False
    """True for what was known when the connection ended and has not been seen since."""


BlockerKind: TypeAlias = Literal[
    "file_chooser", "download", "debugger", "http_auth", "print", "account_chooser", "crash", "unresponsive"
]
"""The kind of a blocker."""


class Blocker(Struct, frozen=True, kw_only=True):
    """Something other than a dialog that blocks a page, or waits for a person or an agent."""

    id: str
    """An id made by the supervisor, for example `b-2`. One supervisor never uses it twice. The ids of
    `crash` and `unresponsive` contain the target id."""
    kind: BlockerKind
    target_id: str
    """The page (tab); empty for a download of a page that is not supervised."""
    frame_id: str | None
    session_id: str | None
    url: str
    """The URL of the frame or of the downloaded file: untrusted."""
    text: str
    """More about it, for example a file's name or how far a download has come: untrusted."""
    since: float
    """Seconds since the epoch."""
    ways_out: tuple[str, ...]
    """Methods of the supervisor, and commands for `send`, that end it."""


class EndedDownload(Struct, frozen=True, kw_only=True):
    """A download that has ended (`Page.downloadProgress`, `Browser.downloadProgress`), or whose tab has closed."""

    id: str
    """The id of the blocker that announced it."""
    target_id: str
    """The page (tab); empty for a page that is not supervised."""
    url: str
    name: str
    """The file's name, as the page or the server suggested it: untrusted."""
    is_complete: bool
    """False when it was canceled, or failed."""
    is_unknown: bool = False
    """Its tab closed before its end, which Chromium then reports only to a client that asked for the events of the
    browser (`Browser.setDownloadBehavior`). It may have gone on."""
    ended_at: float
    """Seconds since the epoch."""
    guid: str = ""
    """The browser's id for it."""
    path: str = ""
    """The file, on the browser's machine. Chromium reports it (`Browser.downloadProgress`) only to a client that has
    asked for the events of the browser with `Browser.setDownloadBehavior`."""


class FailedRequest(Struct, frozen=True, kw_only=True):
    """A request that failed, was refused, or was slow (`Network.loadingFailed`, `Network.responseReceived`, ...)."""

    url: str
    method: str
    type: str
    """`Document`, `Script`, `XHR`, ... as the protocol has it."""
    frame_id: str | None
    session_id: str
    status: int | None
    """The HTTP status, where there was a response."""
    error: str
    """`net::ERR_...`; empty when there was a response."""
    duration_s: float
    ended_at: float
    """Seconds since the epoch."""


ChangeKind: TypeAlias = Literal[
    "link",
    "page_opened",
    "page_closed",
    "page_status",
    "page_managed",
    "frame_attached",
    "frame_navigated",
    "frame_detached",
    "navigation_refused",
    "dialog_opened",
    "dialog_closed",
    "bridge",
    "blocker_opened",
    "blocker_closed",
    "console",
    "request_failed",
]


class Change(Struct, frozen=True, kw_only=True):
    """Something that changed, in the order in which it did."""

    seq: int
    """1 for the first; never used twice by one supervisor."""
    at: float
    """Seconds since the epoch."""
    kind: ChangeKind
    subject: str
    """The id of what changed: a page's target id, a frame's, dialog's or blocker's id, a console message's `seq`."""
    text: str
    """A state, a URL, a type, a level, whatever says most, cut at 200 characters; from a page, untrusted."""


class ChangeSlice(Struct, frozen=True, kw_only=True):
    """The changes after a cursor, oldest first."""

    changes: tuple[Change, ...]
    missed: int
    """Changes after the cursor that are no longer held."""
    cursor: int
    """Ask with this one next time."""


class SupervisorSnapshot(Struct, frozen=True, kw_only=True):
    """Everything that the supervisor knows at one moment; consistent, immutable, safe to share between threads."""

    state: ConnectionPhase
    reason: str
    """The reason for the state `reconnecting`, `lost` or `stopped`; empty otherwise."""
    pages: tuple[PageInfo, ...]
    pending_dialogs: tuple[PendingDialog, ...]
    recent_dialogs: tuple[DialogRecord, ...]
    """The last 20 closed dialogs, oldest first."""
    dialog_rules: tuple[ArmedDialogRule, ...] = ()
    """The rules that wait for dialogs, in the order in which they are asked."""
    dialog_storms: tuple[DialogStorm, ...] = ()
    bridge: BridgeInfo = BridgeInfo()
    frame_tree: FrameTree
    console: tuple[ConsoleMessage, ...]
    """The last 50 console messages, oldest first."""
    console_dropped: int
    """The number of older console messages that are no longer held."""
    console_counts: Mapping[str, int]
    """Level -> number of messages, held or not."""
    blockers: tuple[Blocker, ...]
    """Blockers, oldest first."""
    recent_downloads: tuple[EndedDownload, ...] = ()
    """The last 20 downloads that ended, oldest first."""
    failed_requests: tuple[FailedRequest, ...]
    """The last 50, oldest first; empty unless the setting `watch_requests` is on."""
    cursor: int
    """The newest change that this snapshot shows; for `changes_since`."""
    lacks: tuple[str, ...] = ()
    """A sentence for each capability that this browser was seen to lack, and, where the setting `dialog_bridge` is
    `always`, for each page without the bridge."""
    epoch: int = 0
    """The number of connections so far: 1 until the first one is lost. Session ids are those of one epoch."""


class Evaluation(Struct, frozen=True, kw_only=True):
    """The result of an expression, and the frame in which it ran (`Runtime.evaluate`)."""

    value: Any
    """The JSON value; `None` for `undefined` and for what JSON cannot hold: `window`, a circle, a function."""
    type: str
    """`string`, `number`, `object`, `array`, `error`, ...: the object's subtype where it has one."""
    description: str
    """As a developer would read it."""
    frame_id: str
    target_id: str
    session_id: str
    url: str
    """The frame's URL when the expression was sent."""


class CallInfo(Struct, frozen=True, kw_only=True):
    """A pending call and its obstacle."""

    id: str
    """An id made by the supervisor, for example `c-7`. One supervisor never uses it twice."""
    what: str
    """The CDP method: `Runtime.evaluate` for an expression."""
    text: str
    """The expression or URL, cut to 200 characters. Empty for other commands, whose parameters may be secret."""
    frame_id: str | None
    """None for a command of the browser."""
    since: float
    """Seconds since the epoch."""
    waits_for: str
    """The obstacle or the next event, in a few words."""
