"""The data of a report, as the HTML file has it: JSON of these values, compressed with gzip, written in base64.

Rules that hold everywhere:

- A time is in milliseconds since `Summary.started_at`, and never smaller than that of an input before: a clock
  that was set back is shown as one that stood still.
- An input is named by its index, 0 for the first. "The state at input 5" is the state after input 5 was taken in. In
  the state at index -1 nothing has been seen yet; it is `Timeline.keyframes[0]`.
- A page (tab) is named by its target id; an empty text means that it is about no page, or that the page is not known.
- Every text may come from a page. It is data, never markup: it is shown as text, and never run.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

FORMAT = 2
"""The version of this model; a viewer refuses another one."""

Severity: TypeAlias = Literal["info", "notice", "warning", "error"]
"""`notice`: worth a look (a dialog, a navigation, a caller's request). `warning`: something waits or was refused.
`error`: something failed, crashed or was lost."""

SEVERITIES: tuple[Severity, ...] = ("info", "notice", "warning", "error")


class SummaryItem(Struct, frozen=True, kw_only=True):
    """One cause of what went wrong, which leads to a moment."""

    kind: Literal["failed", "waited", "storm", "reconnect", "crash", "lost", "dialog", "busy"]
    severity: Severity
    input: int
    """The input at which it can be seen first."""
    time: float
    duration: float | None = None
    """Milliseconds; None for what has no length, or was not over at the end."""
    page: str = ""
    text: str
    """The incident in one sentence: `evaluate c-3 failed: ...`."""
    whom: str = ""
    """For `waited`: for whom or what, for example `an answer of the agent` or `dialog d-2`."""
    action: int | None = None
    """The number of the action that was under way, or that failed first because of it."""
    later: list[int] = []
    """The numbers of the actions that failed because of it, the one of `action` not among them."""


class Summary(Struct, frozen=True, kw_only=True):
    """The first lines of a report."""

    title: str
    """The name of the recording's file, or of the test that failed."""
    started_at: float
    """Seconds since the epoch."""
    duration: float
    """Milliseconds from the start to the last input."""
    ended: str
    """The last state of the connection: `stopped`, `lost`, `ready`, ... Other than `stopped` and `lost` means that the
    recording ends before the supervisor did."""
    ended_reason: str
    inputs: int
    """The number of inputs that are shown."""
    counts: dict[str, int]
    """How many: `actions`, `failed_actions`, `pages`, `frames`, `dialogs`, `calls`, `failed_calls`, `tools`, `console`,
    `console_errors`, `requests`, `failed_requests`, `reconnects`, `storms`, `crashes`, `pictures`, `left_out`."""
    versions: dict[str, str]
    """`recorder`, `browser`, `report`; one that is not known is not there."""
    settings: dict[str, str]
    """The settings of the supervisor, as text."""
    items: list[SummaryItem]
    """One for each cause: lost connections and crashes first, then in the order of time."""
    notes: list[str]
    """Remarks about the recording itself: it breaks off in a line, texts were cut, ..."""


class Inputs(Struct, frozen=True, kw_only=True):
    """Every input of the core, as columns of one length; the n-th entry of each is about input n."""

    time: list[float]
    kind: list[int]
    """Index in `kinds`."""
    page: list[int]
    """Index in `pages`."""
    severity: list[int]
    """Index in `SEVERITIES`: 0 `info`, 1 `notice`, 2 `warning`, 3 `error`."""
    text: list[int]
    """Index in `texts`: one line that says what it was, cut at 200 characters."""
    kinds: list[str]
    """`Page.frameNavigated`, ...: the method of an event; `command_succeeded`, `timer_fired`, `call_requested`, ...:
    the name of any other input."""
    pages: list[str]
    """Target ids; the first one is the empty text."""
    texts: list[str]


class Stay(Struct, frozen=True, kw_only=True):
    """The time that a frame spent in one process, as far as sessions show it."""

    input: int
    time: float
    end: float | None
    """None when it lasted until the end of the recording."""
    session_id: str
    is_oopif: bool


class Visit(Struct, frozen=True, kw_only=True):
    """A document that a frame showed."""

    input: int
    time: float
    url: str
    loader_id: str
    """The same as before for a navigation within the document."""


class FrameLane(Struct, frozen=True, kw_only=True):
    """The life of a frame."""

    frame_id: str
    parent_id: str | None
    """None for the top frame of a page."""
    page: str
    name: str
    input: int
    time: float
    end: float | None
    end_input: int | None
    stays: list[Stay]
    """More than one when it moved between processes, or when the connection was opened again."""
    visits: list[Visit]


class StatusSpan(Struct, frozen=True, kw_only=True):
    """A time in which a page had one status: `ok`, `attaching`, `unresponsive`, `crashed`, ..."""

    input: int
    time: float
    end: float | None
    status: str


class PageLane(Struct, frozen=True, kw_only=True):
    """The life of a page (tab)."""

    page: str
    number: int
    """1 for the first page of the recording; short enough to be shown."""
    title: str
    """Its last URL, cut at 200 characters."""
    opener_id: str | None
    is_ours: bool
    input: int
    time: float
    end: float | None
    end_input: int | None
    statuses: list[StatusSpan]
    frames: list[FrameLane]
    """The top frame first, then in the order in which they came."""


class DialogSpan(Struct, frozen=True, kw_only=True):
    """A JavaScript dialog, from its opening to the record that closed it."""

    id: str
    type: str
    message: str
    """Cut at 2,000 characters."""
    default_prompt: str
    url: str
    frame_id: str | None
    page: str
    input: int
    time: float
    end: float | None
    end_input: int | None
    """None for one that was open at the end of the recording."""
    closed_by: str
    """`agent`, `auto_policy`, `watchdog`, `remote`; empty for one that is open."""
    accepted: bool | None
    user_input: str
    """Left out of recordings: a mark in its place, or empty."""
    rule_id: str | None
    bridged: bool
    note: str
    """The reason, if neither an agent nor another client closed it."""
    call: str
    """The id of the call that answered it, where one did."""


class CallSpan(Struct, frozen=True, kw_only=True):
    """A request of a caller to the supervisor, from asking to its outcome."""

    id: str
    """`c-7`."""
    kind: str
    """`evaluate`, a method such as `Page.captureScreenshot`, `answer_dialog`, `navigate`, `reload_page`, `close_page`,
    `open_page`, `select_page`, `unblock`, `arm_rule`, `disarm_rule`, `remove_bridge`."""
    arguments: str
    """As JSON or as the text of the expression, cut at 2,000 characters; without secrets."""
    page: str
    frame_id: str | None
    input: int
    time: float
    sent_input: int | None
    """The input after which its first command had been sent; None where none was, or where that is not known."""
    end: float | None
    end_input: int | None
    """None for one that had not ended at the end of the recording."""
    outcome: Literal["succeeded", "failed", "abandoned", "pending"]
    error: str
    """The class of the error: `BlockedByDialog`; empty without one."""
    text: str
    """The value or the message of the error, cut at 2,000 characters."""
    blocked_by: list[str]
    """The obstacles that delayed or ended it: `d-3` (a dialog), `b-2` (a blocker), `reconnecting`, `frame moving`,
    `unresponsive`, ... in the order in which it was seen."""


class ToolSpan(Struct, frozen=True, kw_only=True):
    """A tool that a model called. Calls whose time lies within are those that it made."""

    name: str
    """`browser_click`."""
    arguments: str
    """As JSON, cut at 2,000 characters; without secrets."""
    page: str
    input: int
    """The last input before it began."""
    time: float
    end: float | None
    end_input: int | None
    is_error: bool
    text: str
    """The result, cut at 20,000 characters; without secrets."""


class ConsoleEntry(Struct, frozen=True, kw_only=True):
    """A console message."""

    seq: int
    input: int
    time: float
    level: str
    """`log`, `warning`, `error`, `exception`, ..."""
    text: str
    """Cut at 2,000 characters."""
    length: int
    """In characters, before the cut."""
    page: str
    frame_id: str | None
    url: str
    line: int | None
    """From 1."""
    stack: list[str]
    """`function (url:line:column)`, the innermost first."""


class RequestSpan(Struct, frozen=True, kw_only=True):
    """A request of a page, from the traffic in the recording; redirects are requests, too."""

    id: str
    method: str
    url: str
    type: str
    """`Document`, `Script`, `XHR`, ..."""
    initiator: str
    """The initiator: `parser https://shop.test/:12`, `script app.js:4`, `other`."""
    page: str
    frame_id: str | None
    input: int
    time: float
    end: float | None
    """When it finished or failed; None for one that had not ended."""
    end_input: int | None
    answered: float | None
    """When the head of the response was there."""
    status: int | None
    mime: str
    size: float | None
    """Bytes on the wire."""
    error: str
    origin: str
    """Where the response came from: `network`, `cache`, `service worker`; empty without one."""
    sent: dict[str, str]
    """The headers of the request, without secrets."""
    received: dict[str, str]
    """The headers of the response, without secrets."""
    timing: dict[str, float]
    """Milliseconds of each phase that Chromium tells: `dns`, `connect`, `tls`, `send`, `wait`."""


class NetworkFailure(Struct, frozen=True, kw_only=True):
    """A request that failed, was refused, or was slow."""

    input: int
    time: float
    """The time at which it ended."""
    duration: float
    method: str
    url: str
    type: str
    """`Document`, `Script`, `XHR`, ..."""
    status: int | None
    error: str
    page: str
    frame_id: str | None


class ConnectionSpan(Struct, frozen=True, kw_only=True):
    """A time in which the connection was in one state."""

    input: int
    time: float
    end: float | None
    state: str
    """`connecting`, `waiting_for_person`, `attaching`, `ready`, `reconnecting`, `lost`, `stopped`."""
    reason: str
    epoch: int
    """The number of connections so far."""


class BlockerSpan(Struct, frozen=True, kw_only=True):
    """A file chooser, download, login, breakpoint, crash or a page that does not respond."""

    id: str
    kind: str
    text: str
    url: str
    page: str
    input: int
    time: float
    end: float | None
    end_input: int | None


class StormSpan(Struct, frozen=True, kw_only=True):
    """A time in which a page opened dialogs faster than the settings allow."""

    page: str
    count: int
    """Dialogs that were dismissed because of it."""
    input: int
    time: float
    end: float | None
    end_input: int | None


class Picture(Struct, frozen=True, kw_only=True):
    """A small picture of a page."""

    input: int
    """The last input before it was there."""
    time: float
    page: str
    reason: str
    """`document` or `tool`."""
    mime: Literal["image/jpeg", "image/png", "image/webp"]
    data: str
    """Base64, checked: nothing but that alphabet."""
    view: list[float]
    """The part of the page that it shows, in CSS pixels: from the left, from the top, width, height."""


class Action(Struct, frozen=True, kw_only=True):
    """One action of the agent: a call of a tool, or a call that a program made without a tool."""

    number: int
    """1 for the first one."""
    name: str
    """`browser_click`, or the kind of a call: `evaluate`."""
    text: str
    """The action in words: `Click button "Save"`."""
    outcome: str
    """The first line of its result, or of its error."""
    status: Literal["succeeded", "failed", "abandoned", "pending"]
    page: str
    input: int
    time: float
    end: float | None
    end_input: int | None
    tool: int | None
    """Its index in `Report.tools`; None for a call that no tool made."""
    calls: list[int]
    """Indices in `Report.calls`: the calls that a tool made, or the call itself."""
    before: int | None
    """Index in `Report.pictures`: the last picture of its page from before it."""
    after: int | None
    """Index in `Report.pictures`: the first one after its end, if it was taken before the next action ended."""
    point: list[float]
    """Where it pressed the mouse, in CSS pixels from the left and the top of the page's viewport; empty where it did
    not."""
    dialog: int | None
    """Index in `Report.dialogs`: the newest dialog that was open at its end."""


Path: TypeAlias = list[str | int]
"""Names of fields and indices of lists, from the top of a state inwards."""

Patch: TypeAlias = list[list[Any]]
"""Operations on the state before, in order; each is one of

- `["set", path, value]`: the field or entry at the path is now this value;
- `["delete", path]`: the field at the path is there no more;
- `["splice", path, start, count, values]`: of the list at the path, `count` entries from `start` on are replaced by the
  values (as `Array.prototype.splice`).
"""


class Keyframe(Struct, frozen=True, kw_only=True):
    """A whole state."""

    input: int
    """The state is that after this input; -1 for the first keyframe."""
    state: dict[str, Any]
    """A `SupervisorSnapshot` as JSON (`supervisor/core/vocabulary/values.py`)."""


class Timeline(Struct, frozen=True, kw_only=True):
    """The state at every input: the newest keyframe at or before it, then every patch after that keyframe up to it.

    Inputs that changed nothing have no patch. Keyframes are so close together that few patches are ever applied.
    """

    keyframes: list[Keyframe]
    """In the order of their inputs; the first one is at -1."""
    changed: list[int]
    """The inputs that changed the state, in order."""
    patches: list[Patch]
    """For each of them the way from the state before; also where there is a keyframe at the same input."""


class Report(Struct, frozen=True, kw_only=True):
    """Everything in a report."""

    format: int
    """`FORMAT`."""
    summary: Summary
    actions: list[Action]
    inputs: Inputs
    timeline: Timeline
    connection: list[ConnectionSpan]
    pages: list[PageLane]
    dialogs: list[DialogSpan]
    calls: list[CallSpan]
    tools: list[ToolSpan]
    blockers: list[BlockerSpan]
    storms: list[StormSpan]
    console: list[ConsoleEntry]
    network: list[NetworkFailure]
    requests: list[RequestSpan]
    pictures: list[Picture]
