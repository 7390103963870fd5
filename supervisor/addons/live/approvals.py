"""A person approves the agent's tool calls in the live view, changes their arguments, or refuses them."""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.conversions import convert
from cdp_typed.errors import CDPError
from cdp_typed.printable import is_hidden, visible
from cdp_typed.wire.json_text import is_array, is_object
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import CallError
from supervisor.driver.takeover import allowed
from supervisor.tools import ToolCall
from supervisor.tools.framework.base_toolbox import CallNext, Result
from supervisor.tools.framework.policy import approved, is_approved
from supervisor.tools.page.boxes import seen_of
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.page_frames import find, run, run_on

WAIT_S = 120.0
"""Seconds that a call waits for a person."""
LOOK_S = 3.0
"""Seconds for a page to tell what a call is about."""
MOST_QUESTIONS = 5
"""How often a person is asked about one call, because the page changes each time."""

_DESCRIBE: Final = """
const read = (node, name) => {  // not by name: a field of a form may have the name of a member of it
    for (let at = node && Object.getPrototypeOf(node); at; at = Object.getPrototypeOf(at)) {
        const found = Object.getOwnPropertyDescriptor(at, name);
        if (found) return found.get?.call(node);
    }
};
const describe = node => {
    if (!node) return null;
    const numbered = globalThis.numbered ??= {nodes: new WeakMap(), count: 0};
    if (!numbered.nodes.has(node)) numbered.nodes.set(node, ++numbered.count);
    const value = ['password', 'text'].includes(read(node, 'type')) ? null : read(node, 'value'), names = ['localName',
        'type', 'ariaLabel', 'alt', 'title', 'textContent', 'href', 'formAction', 'src', 'action'];
    return [numbered.nodes.get(node), value, read(read(node, 'form'), 'action'), ...names.map(name => read(node, name))]
        .map(part => String(part ?? '').slice(0, 5000));
};"""
_REFERRED: Final = f"function() {{ {_DESCRIBE} return describe(this); }}"
_FOCUSED: Final = f"""(() => {{ {_DESCRIBE}
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return document.hasFocus() && !(node instanceof HTMLIFrameElement) ? describe(node) : null; }})()"""
_AT_POINT: Final = f"""(() => {{ {_DESCRIBE} return describe(document.elementFromPoint(%r, %r)); }})()"""
_USES_FOCUS: Final = ("browser_press", "browser_type", "browser_mouse")


class NotApproved(CallError):
    """A person refused a tool call, nobody answered, or the page changed before each answer. Nothing was done."""

    def __init__(self, words: str | None, waited_s: float = WAIT_S, *, questions: int = 0) -> None:
        if questions:
            reason = f"a person approved it {questions} times, and each time what it is about had changed meanwhile"
        elif words is None:
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
    is_again: bool = False
    """The tab, its document or the element changed after the person approved it."""


class Subject(Struct, frozen=True):
    """What a call is about at a moment: another tab, document or element makes another question of it."""

    page: tuple[object, ...] = ()
    """The current tab, its document and address, and the dialogs that are open."""
    nodes: tuple[object, ...] = ()
    """What the elements are that the call names, or that have the focus."""


class Approvals:
    """A hook for a `Toolbox`: calls of the tools in its policy's `approve` wait until a person approves them in the
    `LiveView` that has this.

    A batch that is approved is approved as a whole. A call that is refused, or that nobody approves within `wait_s`
    seconds, fails with `NotApproved`. Where the tab, its document or the element is another one by the time of the
    answer, the person is asked anew.
    """

    def __init__(self, *, wait_s: float = WAIT_S) -> None:
        self._wait_s = wait_s
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._waiting: dict[str, tuple[Approval, ToolCall, Future[ToolCall]]] = {}
        self._running: Callable[[], AsyncSupervisor | None] = lambda: None

    def follow(self, running: Callable[[], AsyncSupervisor | None]) -> None:
        """Have the supervisor of the pages that the calls are about. `LiveView` does this."""
        self._running = running

    async def __call__(self, call: ToolCall, call_next: CallNext) -> Result:
        """Wait for the person, and carry out the call as it was approved."""
        if not call.needs_approval or is_approved():
            return await call_next(call)
        call = asked = replace(call, arguments=copy.deepcopy(call.arguments))  # the caller may change its own
        for number in range(MOST_QUESTIONS):
            before = await subject_of(self._running(), asked)
            answered = await self._ask(asked, is_again=number > 0)
            now = await subject_of(self._running(), asked)
            # The person has not seen the element that arguments of their own name.
            if now.page == before.page and (answered is not asked or now.nodes == before.nodes):
                break
            asked = answered
        else:
            raise NotApproved(None, questions=MOST_QUESTIONS)
        with approved():
            result = await call_next(answered)
        return result if answered is call else {**result, "changed_by_person": _json(answered.arguments)}

    async def _ask(self, call: ToolCall, *, is_again: bool) -> ToolCall:
        """Ask a person, and return the call as it was approved. Raises `NotApproved`."""
        given = _arguments(call)
        approval = Approval(f"a-{next(self._numbers)}", call.name, _json(given), _ref(given), time.time(), is_again)
        answer: Future[ToolCall] = Future()
        with self._lock:
            self._waiting[approval.id] = (approval, call, answer)
        try:
            async with asyncio.timeout(self._wait_s):
                return await asyncio.wrap_future(answer)
        except TimeoutError:
            raise NotApproved(None, self._wait_s) from None
        finally:
            with self._lock:
                self._waiting.pop(approval.id, None)

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
        return convert(arguments, _Named).ref
    except msgspec.ValidationError:
        return None


def _json(arguments: object) -> str:
    """JSON in which nothing is hidden from a reader: control, bidi and invisible characters are escapes."""
    text = json.dumps(arguments, ensure_ascii=False, indent=1, default=str)
    return "".join(
        json.dumps(character)[1:-1] if character != "\n" and is_hidden(character) else character for character in text
    )


async def subject_of(supervisor: AsyncSupervisor | None, call: ToolCall) -> Subject:
    """What a call is about now; empty without a running supervisor."""
    if supervisor is None or not supervisor.is_running:
        return Subject()
    now = supervisor.snapshot()
    tab, top = next((page.target_id for page in now.pages if page.is_current), ""), now.frame_tree.top
    document = (top.loader_id, top.url.partition("#")[0]) if top is not None else ()
    open_ones = (*(dialog.id for dialog in now.pending_dialogs), *(blocker.id for blocker in now.blockers))
    return Subject((tab, document, open_ones), await _nodes(supervisor, call))


async def _nodes(supervisor: AsyncSupervisor, call: ToolCall) -> tuple[object, ...]:
    """What a call's elements are; in place of what cannot be told, why not."""
    arguments = json.loads(_json(_arguments(call)))
    asked = [_named(supervisor, each) for each in _refs(arguments)]
    if not asked and call.name in _USES_FOCUS:
        asked = [run(supervisor, frame_id, script) for frame_id, script in _places(supervisor, arguments)]
    told = list[object]()
    for each in asked:
        try:
            with allowed():
                async with asyncio.timeout(LOOK_S):
                    told.append(await each)
        except TimeoutError:
            told.append(object())  # what is not known is never the same
        except CDPError as error:
            told.append(str(error))
    return tuple(told)


async def _named(supervisor: AsyncSupervisor, locator: str) -> object:
    (ref,) = await refs_for(supervisor, [locator])
    element = find(supervisor, ref)
    return element.frame.loader_id, await run_on(supervisor, element, _REFERRED)


def _places(supervisor: AsyncSupervisor, arguments: object) -> Iterator[tuple[str, str]]:
    """By frame, the script that tells what a call without a ref acts on: at its point, or what has the focus."""
    tree = supervisor.snapshot().frame_tree
    x, y = (arguments.get("x"), arguments.get("y")) if is_object(arguments) else (None, None)
    if tree.top is not None and isinstance(x, int | float) and isinstance(y, int | float):
        yield tree.top.frame_id, _AT_POINT % (x, y)
        return
    for frame in (tree.top, *tree.children):
        if frame is not None:
            yield frame.frame_id, _FOCUSED


def _refs(arguments: object) -> Iterator[str]:
    """The refs and locators among arguments, also in the steps of a batch and the fields of a form."""
    if is_object(arguments):
        for name, value in arguments.items():
            if isinstance(value, str) and (name == "ref" or name.endswith("_ref")):
                yield value
            else:
                yield from _refs(value)
    elif is_array(arguments):
        for value in arguments:
            yield from _refs(value)


class Highlight(Struct, frozen=True):
    """The element that a call is about to touch."""

    tab: str
    left: float
    top: float
    width: float
    height: float


async def highlight_of(supervisor: AsyncSupervisor, approval: Approval) -> Highlight | None:
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
    return Highlight(tab, box.left, box.top, box.right - box.left, box.bottom - box.top)


def shown_approval(approval: Approval, aim: Highlight | None) -> dict[str, Any]:
    """The approval for the page, with all of its arguments: nobody approves a part."""
    return {
        "id": approval.id,
        "tool": visible(approval.tool, 100),
        "arguments": approval.arguments,
        "since": approval.since,
        "again": approval.is_again,
        "aim": aim,
    }
