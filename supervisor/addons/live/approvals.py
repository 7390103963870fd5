"""A person approves the agent's tool calls in the live view, changes their arguments, or refuses them."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from concurrent.futures import Future
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import CDPError
from cdp_typed.printable import is_hidden, visible
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import CallError
from supervisor.driver.takeover import allowed
from supervisor.tools import ToolCall
from supervisor.tools.framework.policy import approved, is_approved
from supervisor.tools.framework.tool_caller import CallNext, Result
from supervisor.tools.page.boxes import seen_of
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.page_frames import find

WAIT_S = 120.0
"""Seconds that a call waits for a person."""


class NotApproved(CallError):
    """A person refused a tool call, or nobody answered. Nothing was done."""

    def __init__(self, words: str | None, waited_s: float = WAIT_S) -> None:
        if words is None:
            reason = f"no person approved it within {waited_s:g} s"
        else:
            reason = f"a person refused it: {words}" if words else "a person refused it"
        super().__init__(reason, maybe_executed=False)
        self.words = words
        """The person's words; None when nobody answered."""
        self.waited_s = waited_s


class Approval(Struct, frozen=True):
    """A tool call that waits for a person."""

    id: str
    tool: str
    arguments: str
    """As JSON."""
    ref: str | None
    """The element that the call names."""
    since: float
    """Seconds since the epoch."""


class Approvals:
    """A hook for a `Toolbox`: calls of the tools in its policy's `approve` wait until a person approves them in the
    `LiveView` that has this.

    A batch that is approved is approved as a whole. A call that is refused, or that nobody approves within `wait_s`
    seconds, fails with `NotApproved`.
    """

    def __init__(self, *, wait_s: float = WAIT_S) -> None:
        self._wait_s = wait_s
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._waiting: dict[str, tuple[Approval, ToolCall, Future[ToolCall]]] = {}

    async def __call__(self, call: ToolCall, call_next: CallNext) -> Result:
        """Wait for the person, and carry out the call as it was approved."""
        if not call.needs_approval or is_approved():
            return await call_next(call)
        given = _arguments(call)
        approval = Approval(f"a-{next(self._numbers)}", call.name, _json(given), _ref(given), time.time())
        answer: Future[ToolCall] = Future()
        with self._lock:
            self._waiting[approval.id] = (approval, call, answer)
        try:
            async with asyncio.timeout(self._wait_s):
                allowed = await asyncio.wrap_future(answer)
        except TimeoutError:
            raise NotApproved(None, self._wait_s) from None
        finally:
            with self._lock:
                self._waiting.pop(approval.id, None)
        with approved():
            result = await call_next(allowed)
        return result if allowed is call else {**result, "changed_by_person": _json(allowed.arguments)}

    @property
    def waiting(self) -> tuple[Approval, ...]:
        """The calls that wait, the oldest first. From any thread."""
        with self._lock:
            return tuple(approval for approval, _, _ in self._waiting.values())

    def approve(self, approval_id: str, arguments: str | None = None) -> None:
        """Let a call go on, with other arguments (JSON) if given. Does nothing for one that waits no more.

        Raises `ValueError` for arguments that are no JSON object.
        """
        changed = None if arguments is None else json.loads(arguments)
        if arguments is not None and not isinstance(changed, dict):
            raise ValueError("arguments are a JSON object")
        with self._lock:
            waiting = self._waiting.pop(approval_id, None)
        if waiting is not None:
            _, call, answer = waiting
            is_same = changed is None or changed == _arguments(call)
            _end(answer, call if is_same else replace(call, arguments=changed))

    def refuse(self, approval_id: str, words: str = "") -> None:
        """Refuse a call, with words for the agent. Does nothing for one that waits no more."""
        with self._lock:
            waiting = self._waiting.pop(approval_id, None)
        if waiting is not None:
            _end(waiting[2], NotApproved(words.strip()))


def _end(answer: Future[ToolCall], outcome: ToolCall | NotApproved) -> None:
    if answer.set_running_or_notify_cancel():
        if isinstance(outcome, NotApproved):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)


def _arguments(call: ToolCall) -> Any:
    """The arguments of a call as an object; as they are when they are no JSON."""
    if not isinstance(call.arguments, str):
        return call.arguments or {}
    try:
        return json.loads(call.arguments)
    except ValueError:
        return call.arguments


class _Named(Struct):
    ref: str | None = None


def _ref(arguments: Any) -> str | None:
    try:
        return msgspec.convert(arguments, _Named).ref
    except msgspec.ValidationError:
        return None


def _json(arguments: object) -> str:
    """JSON in which nothing is hidden from a reader: control, bidi and invisible characters are escapes."""
    text = json.dumps(arguments, ensure_ascii=False, indent=1, default=str)
    return "".join(
        json.dumps(character)[1:-1] if character != "\n" and is_hidden(character) else character for character in text
    )


class Aim(Struct, frozen=True):
    """The element that a call is about to touch."""

    tab: str
    left: float
    top: float
    width: float
    height: float


async def aim_of(supervisor: AsyncSupervisor, approval: Approval) -> Aim | None:
    """The place of the element that a call names, in CSS pixels of its tab's window; None when it cannot be seen."""
    if approval.ref is None or not supervisor.is_running:
        return None
    tab = next((page.target_id for page in supervisor.snapshot().pages if page.is_current), "")
    try:
        with allowed():
            (ref,) = await refs_for(supervisor, [approval.ref])
            box, _ = await seen_of(supervisor, find(supervisor, ref))
    except (CDPError, TimeoutError):
        return None
    return Aim(tab, box.left, box.top, box.right - box.left, box.bottom - box.top)


def shown_approval(approval: Approval, aim: Aim | None) -> dict[str, Any]:
    """The approval for the page, with all of its arguments: nobody approves a part."""
    return {
        "id": approval.id,
        "tool": visible(approval.tool, 100),
        "arguments": approval.arguments,
        "since": approval.since,
        "aim": aim,
    }
