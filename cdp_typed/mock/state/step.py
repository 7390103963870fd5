"""One step of the mock's browser: the state as it changes, and the messages that it has produced so far.

A `Step` exists during one call of the engine. The model's functions replace parts of its frozen state and add messages;
its result is `(state, messages)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from cdp_typed.mock.site import site_of
from cdp_typed.mock.state.browser_state import (
    BrowserState,
    CDPSession,
    CommandCall,
    Dialog,
    FrameNode,
    RendererProcess,
    ReplyTo,
    StepRefusal,
    Target,
    Work,
)
from cdp_typed.mock.state.error_texts import Refusal, Text, is_of_the_mock
from cdp_typed.mock.state.messages import Hangup, Message, SendMessage
from cdp_typed.mock.state.network import Initiator

Value = TypeVar("Value")
_ODD = 0x9E3779B97F4A7C15F39CC0605CEDC835  # spreads small numbers over 128 bits; any odd number would


def origin_url_of(frame: FrameNode) -> str:
    """Return the URL whose origin the frame's document has."""
    if frame.unreachable:
        return ""
    return frame.url if site_of(frame.url) else frame.inherited_url


def base_url_of(frame: FrameNode) -> str:
    """Return the base URL of the document."""
    return origin_url_of(frame) or frame.url


def initiator_of(frame: FrameNode, kind: str = "other", **more: Any) -> Initiator:
    """Return the initiator for what the frame's document causes; `more` are fields of its `Network.Initiator`."""
    url = origin_url_of(frame)
    return Initiator(url, url, gesture=frame.was_activated, typed=False, described={"type": kind, **more})


class Step:
    """A state that changes. `now` is in seconds, on the caller's clock."""

    def __init__(self, state: BrowserState, now: float) -> None:
        self.state: BrowserState = state
        self.now = now
        self.out: list[Message] = []
        self.todo: list[Work] = []

    def enqueue(self, work: Work) -> None:
        """Queue work behind the other work of this step; it is delayed while its renderer is blocked."""
        self.todo.append(work)

    def enqueue_first(self, work: Work) -> None:
        """Queue work before the other work of this step."""
        self.todo.insert(0, work)

    # -- ids ---------------------------------------------------------------------------------------------------

    def number(self) -> int:
        """Return the next unused number."""
        self.state = replace(self.state, serial=self.state.serial + 1)
        return self.state.serial

    def new_id(self) -> str:
        """Return an id in the form of Chrome's targets, sessions, frames and loaders."""
        return f"{self.number() * _ODD % 2**128:032X}"

    # -- parts of the state --------------------------------------------------------------------------------------

    def put_session(self, session: CDPSession) -> None:
        self.state = replace(self.state, sessions=_with(self.state.sessions, session.key, session))

    def put_target(self, target: Target) -> None:
        self.state = replace(self.state, targets=_with(self.state.targets, target.id, target))

    def put_frame(self, frame: FrameNode) -> None:
        self.state = replace(self.state, frames=_with(self.state.frames, frame.id, frame))

    def put_process(self, key: str, process: RendererProcess) -> None:
        self.state = replace(self.state, processes=_with(self.state.processes, key, process))

    def drop_session(self, key: str) -> None:
        """Remove a session."""
        self.leave_dialogs(key)
        self.state = replace(self.state, sessions=_without(self.state.sessions, key))

    def leave_dialogs(self, key: str) -> None:
        """Remove the session from those that may handle dialogs."""
        dialogs = tuple(replace(dialog, answerable=dialog.answerable - {key}) for dialog in self.state.dialogs)
        self.state = replace(self.state, dialogs=dialogs)

    def drop_target(self, target: str) -> None:
        self.state = replace(self.state, targets=_without(self.state.targets, target))

    def drop_frame(self, frame: str) -> None:
        self.state = replace(self.state, frames=_without(self.state.frames, frame))

    def put_dialog(self, dialog: Dialog) -> None:
        """Replace the dialog of that number."""
        dialogs = tuple(dialog if old.number == dialog.number else old for old in self.state.dialogs)
        self.state = replace(self.state, dialogs=dialogs)

    def drop_dialog(self, dialog: Dialog) -> None:
        dialogs = tuple(old for old in self.state.dialogs if old.number != dialog.number)
        self.state = replace(self.state, dialogs=dialogs)

    def process(self, key: str) -> RendererProcess:
        return self.state.processes.get(key) or RendererProcess()

    def group(self, page: str) -> str:
        """Return the group in which pages share renderers: the page's own id, or that of its opener."""
        return self.state.groups.get(page, page)

    def renderer_key(self, page: str, url: str) -> str:
        """Return the key of the renderer of a document at `url` inside `page`."""
        return f"{self.group(page)}|{site_of(url)}"

    def process_key(self, frame: FrameNode) -> str:
        return f"{frame.page}|{frame.thread}" if frame.thread else self.renderer_key(frame.page, origin_url_of(frame))

    def windows(self, page: str) -> list[Target]:
        """Return the pages that are related as openers and popups, this one included."""
        pages = [target for target in self.state.targets.values() if target.type == "page"]
        return [target for target in pages if self.group(target.id) == self.group(page)]

    def children(self, frame: str) -> list[FrameNode]:
        return [child for child in self.state.frames.values() if child.parent == frame]

    def subtree(self, frame: str) -> list[FrameNode]:
        """Return the frame's descendants, parents before their children."""
        descendants: list[FrameNode] = []
        for child in self.children(frame):
            descendants += [child, *self.subtree(child.id)]
        return descendants

    # -- sessions ------------------------------------------------------------------------------------------------

    def sessions_of(self, target: str | None) -> Iterator[CDPSession]:
        """Return the sessions attached to a target; to the browser for None."""
        return (session for session in tuple(self.state.sessions.values()) if session.target == target)

    def enabled(self, target: str, domain: str) -> list[CDPSession]:
        return [session for session in self.sessions_of(target) if domain in session.enabled]

    # -- messages ------------------------------------------------------------------------------------------------

    def emit(self, sessions: Iterable[CDPSession], method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send an event to each of `sessions`."""
        for session in sessions:
            payload: dict[str, Any] = {"method": method, "params": dict(params or {})}
            self._send(session, payload, "")

    def emit_if_enabled(self, target: str, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send an event to every session of `target` that has enabled the event's domain."""
        self.emit(self.enabled(target, method.partition(".")[0]), method, params)

    def reply(self, to: CommandCall | ReplyTo, result: Mapping[str, Any] | None = None, *, method: str = "") -> None:
        """Reply to a call; without effect if its session is gone, as in Chrome."""
        session = self.state.sessions.get(to.session)
        if session is not None:
            name = to.method if isinstance(to, CommandCall) else method
            self._send(session, {"id": to.id, "result": dict(result or {})}, name)

    def refuse(self, to: CommandCall | ReplyTo, refusal: Refusal | Text) -> None:
        """Reply to a call with an error."""
        session = self.state.sessions.get(to.session)
        if session is None:
            return
        words = refusal.value if isinstance(refusal, Text) else refusal
        error: dict[str, Any] = {"code": words.code, "message": words.message}
        if words.data is not None:
            error["data"] = words.data
        self._send(session, {"id": to.id, "error": error}, "")
        if is_of_the_mock(words):
            self.note_refusal(words.message if words.data is None else f"{words.message} ({words.data})", to)

    def note_refusal(self, text: str, call: CommandCall | ReplyTo | None) -> None:
        """Note that the mock refused a call, or without one a script of a page, because it does not model it."""
        refusal = StepRefusal(text) if call is None else StepRefusal(text, call.session, call.id)
        self.state = replace(self.state, refusals=(*self.state.refusals, refusal))

    def hang_up(self, connection: int) -> None:
        """End a connection without a close frame."""
        self.out.append(Hangup(connection))

    def crash(self) -> None:
        """Crash the whole browser: every connection ends without a close frame."""
        connections = dict.fromkeys(session.connection for session in self.state.sessions.values())
        self.out += [Hangup(connection) for connection in connections]
        self.state = replace(self.state, dead=True, sessions={})

    def _send(self, session: CDPSession, payload: dict[str, Any], reply_to: str) -> None:
        if session.session_id is not None:
            payload["sessionId"] = session.session_id
        self.out.append(SendMessage(session.connection, payload, reply_to))


def _with(old: Mapping[str, Value], key: str, value: Value) -> dict[str, Value]:
    return {**old, key: value}


def _without(old: Mapping[str, Value], key: str) -> dict[str, Value]:
    return {name: value for name, value in old.items() if name != key}
