"""The tool `browser_wait`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Callable
from typing import Literal, TypeAlias, cast, get_args
from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed.helpers import network_idle
from cdp_typed.printable import visible
from cdp_typed.protocol import network
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog, CallError, FrameGone, NavigationInterrupted
from supervisor.core.vocabulary.values import PendingDialog, SupervisorSnapshot
from supervisor.tools.framework.coercion import not_one_of
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText, QuotedLines
from supervisor.tools.page.element_errors import AmbiguousLocator, ElementError, UnknownRef
from supervisor.tools.page.locators import frame_meant, refs_for
from supervisor.tools.page.outline import Outline, outline
from supervisor.tools.page.outline_parts import OutlineOptions
from supervisor.tools.page.page_frames import check_no_dialog, find, run_on
from supervisor.tools.page.scripts import unnamed_members
from supervisor.tools.page.scripts.second_session import second_session

from .evaluate import Timeout

_POLL_MS = 100
_WAIT = """new Promise(done => {
    const text = %s, wanted = %s;
    const isIn = root => (root.body || root).innerText?.includes(text)
        || [...root.querySelectorAll('input:not([type=password]), textarea')].some(field => field.value.includes(text));
    const look = () => document.body !== null && isIn(document) === wanted ? done(true) : setTimeout(look, %d);
    look();
})"""
_ANSWERED = """new Promise(done => {
    const since = performance.now() - %d, look = () => performance.getEntriesByType('resource').some(
        entry => entry.responseEnd > since && entry.name.includes(%s)) ? done(true) : setTimeout(look, %d);
    look();
})"""
_ATTACHED = "function() { return this.isConnected }"
_SHOWN = "function() { return this.isConnected && this.getClientRects().length > 0 }"
_VALUE = "function() { return this.isContentEditable ? this.innerText : this.value ?? '' }"
_WITH_VALUE = re.compile(r'((?:css|label)=[^=]+|(?:\w+ )?"(?:\\.|[^"\\])*"|[^=]+)=(.*)', re.DOTALL)
"""A ref or a locator, and a value."""

EARLIER_MS = 3000
"""A request may have ended so long before: the call that began it waited for it."""
FOR_EVER_S = 3600.0
"""The wait's own deadline comes before."""

Kind: TypeAlias = Literal[
    "loaded", "text", "text_gone", "url", "dialog", "file_chooser", "time", "ref", "ref_gone", "value", "request",
    "download", "networkidle", "attached", "detached",
]  # fmt: skip
_ALONE = ("loaded", "networkidle", "dialog", "file_chooser", "download")
"""Conditions without a value."""


_AWAITED: WeakKeyDictionary[AsyncSupervisor, frozenset[tuple[str, float]]] = WeakKeyDictionary()
"""The downloads that had ended when a wait for one did."""


class WaitArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_wait`: the condition to wait for."""

    until: str | tuple[str, ...]
    """loaded, networkidle, dialog, file_chooser, download, or with a value, as in text:Saved: text, text_gone, url,
    request, ref, ref_gone, attached, detached, value (e5=Ann), time."""
    value: str | None = None
    """Of a single `until`."""
    frame_id: str | None = None
    """For text: an iframe's ref, or an id."""
    timeout: Timeout = 30.0
    """Seconds."""
    snapshot: bool = False
    """Show changes."""


class Condition(Struct, frozen=True):
    """One of the things that are waited for."""

    kind: Kind
    value: str
    name: str
    """As the caller wrote it."""


class Waited(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """It has come."""

    url: PageText
    """The current page's."""
    came: str = ""
    """The condition of several that came first."""
    cursor: str | None = None
    """There is more: browser_snapshot shows it with this cursor."""
    page: QuotedLines = ""
    """The changes of the page, or the new page, if the call asked for it or gave several conditions."""


class NotYet(CallError):
    """It did not come in time."""

    def __init__(self, until: str, timeout_s: float) -> None:
        super().__init__(f"{until!r} did not come within {timeout_s:g} s", maybe_executed=False)


@tool(toolset="browser", reads_only=True, idempotent=True)
async def browser_wait(context: ToolContext, arguments: WaitArguments) -> Waited:
    """Wait for something, or the first of several. A dialog ends it at once."""
    several = not isinstance(arguments.until, str)
    conditions = _conditions(arguments)
    supervisor = context.supervisor
    try:
        async with asyncio.timeout(arguments.timeout):
            came = await _first(context, conditions, arguments)
    except TimeoutError:
        raise NotYet(", ".join(map(_told, conditions)), arguments.timeout) from None
    shows = arguments.snapshot or (several and not _dialog(supervisor.snapshot()))
    seen = await outline(supervisor, OutlineOptions(changed_only=True)) if shows else Outline(page="")
    url = next((page.url for page in supervisor.snapshot().pages if page.is_current), "")
    return Waited(url=url, came=came.name if several else "", page=seen.page, cursor=seen.cursor)


def _conditions(arguments: WaitArguments) -> tuple[Condition, ...]:
    """Read the conditions. Raises `InvalidArgument`."""
    if isinstance(arguments.until, str):
        return (_condition(arguments.until, arguments.value),)
    if arguments.value is not None:
        raise InvalidArgument("value", "with a list, write it into the conditions, as in text:Saved")
    if not arguments.until:
        raise InvalidArgument("until", "expected at least one condition")
    return tuple(_condition(name, None) for name in arguments.until)


def _told(condition: Condition) -> str:
    return f"{condition.kind}:{visible(condition.value, 60)}" if condition.value else condition.kind


def _condition(name: str, value: str | None) -> Condition:
    kind, colon, rest = name.partition(":")
    if kind not in get_args(Kind):
        raise not_one_of("until", kind, sorted(get_args(Kind)))
    given = rest if colon else value
    if given is None and kind not in _ALONE:
        raise InvalidArgument("value", f"missing; needed for {kind}")
    if kind == "value" and _WITH_VALUE.fullmatch(given or "") is None:
        raise InvalidArgument("value", "expected a ref and its value, as in e5=Ann")
    return Condition(cast("Kind", kind), given or "", name)


async def _first(context: ToolContext, conditions: tuple[Condition, ...], arguments: WaitArguments) -> Condition:
    """The condition that comes first. Raises what the first one that fails raises."""
    supervisor = context.supervisor
    waits = {asyncio.ensure_future(_wait(context, each, arguments)): each for each in conditions}
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        come = [wait for wait in waits if wait in done and wait.exception() is None]
        if not come and any(each.kind == "dialog" for each in conditions) and supervisor.snapshot().pending_dialogs:
            return next(each for each in conditions if each.kind == "dialog")
        first = come[0] if come else done.pop()
        first.result()
        return waits[first]
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


async def _wait(context: ToolContext, condition: Condition, arguments: WaitArguments) -> None:
    supervisor, value = context.supervisor, condition.value
    match condition.kind:
        case "text" | "text_gone":
            script = _WAIT % (json.dumps(value), json.dumps(condition.kind == "text"), _POLL_MS)
            await _wait_for_script(supervisor, script, arguments.frame_id)
        case "request":
            script = _ANSWERED % (EARLIER_MS, json.dumps(value), _POLL_MS)
            await _wait_for_script(supervisor, script, arguments.frame_id)
        case "ref" | "ref_gone" | "attached" | "detached" | "value":
            await _wait_for_element(supervisor, condition)
        case "time":
            await _wait_for_time(supervisor, value)
        case "dialog":
            await supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=arguments.timeout)
        case "file_chooser":
            await _wait_for(supervisor, lambda now: any(blocker.kind == "file_chooser" for blocker in now.blockers))
        case "download":
            known = context.earlier_downloads | _AWAITED.get(supervisor, frozenset())
            await _wait_for(supervisor, lambda now: not _ended(now) <= known)
            _AWAITED[supervisor] = _ended(supervisor.snapshot())
        case "url":
            await _wait_for(supervisor, lambda now: any(page.is_current and value in page.url for page in now.pages))
        case "loaded":
            await _wait_for(supervisor, _is_loaded)
        case "networkidle":
            context.policy.check_method(network.Enable.METHOD)
            await _wait_for_requests(supervisor)


async def _wait_for_element(supervisor: AsyncSupervisor, condition: Condition) -> None:
    """Until the element is shown, or in the document, or neither, or has a value; one that is gone has none."""
    with_value = _WITH_VALUE.fullmatch(condition.value) if condition.kind == "value" else None
    text, wanted = with_value.groups() if with_value is not None else (condition.value, "")
    script = {"value": _VALUE, "attached": _ATTACHED, "detached": _ATTACHED}.get(condition.kind, _SHOWN)
    while True:
        try:
            (ref,) = await refs_for(supervisor, [text])
            element = find(supervisor, ref)
            seen = await run_on(supervisor, element, script)
        except (UnknownRef, AmbiguousLocator):
            raise
        except (ElementError, NavigationInterrupted, FrameGone):
            seen = None
        if (seen == wanted) if condition.kind == "value" else (bool(seen) is (condition.kind in ("ref", "attached"))):
            return
        await asyncio.sleep(_POLL_MS / 1000)


async def _wait_for_requests(supervisor: AsyncSupervisor) -> None:
    """Until the page has had no pending request for half a second. Raises as `_wait_for` does."""
    await check_no_dialog(supervisor)
    async with second_session(supervisor) as tab:
        idle = asyncio.ensure_future(network_idle(tab, timeout=FOR_EVER_S))
        blocked = asyncio.ensure_future(_wait_for(supervisor, lambda _: False))
        try:
            done, _ = await asyncio.wait({idle, blocked}, return_when=asyncio.FIRST_COMPLETED)
            done.pop().result()
        finally:
            for wait in (idle, blocked):
                wait.cancel()
            await asyncio.gather(idle, blocked, return_exceptions=True)


async def _wait_for(supervisor: AsyncSupervisor, holds: Callable[[SupervisorSnapshot], bool]) -> None:
    """Until `holds` is true. Raises `BlockedByDialog` as soon as the current page shows a dialog."""
    now = await supervisor.wait_for(lambda now: holds(now) or _dialog(now) is not None, timeout_s=FOR_EVER_S)
    dialog = _dialog(now)
    if dialog is not None:
        raise BlockedByDialog(dialog, maybe_executed=False)


async def _wait_for_time(supervisor: AsyncSupervisor, value: str) -> None:
    try:
        seconds = float(value)
    except ValueError:
        raise InvalidArgument("value", "expected a number of seconds") from None
    if not 0 < seconds < FOR_EVER_S:
        raise InvalidArgument("value", "expected a positive number of seconds")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _wait_for(supervisor, lambda _: False)


async def _wait_for_script(supervisor: AsyncSupervisor, expression: str, frame: str | None) -> None:
    """In the page itself, in each of the documents that it shows meanwhile."""
    frame_id = await frame_meant(supervisor, frame)
    while True:
        try:
            await supervisor.evaluate(unnamed_members.expression(expression), frame_id, timeout_s=FOR_EVER_S)
        except NavigationInterrupted:
            continue
        return


def _is_loaded(now: SupervisorSnapshot) -> bool:
    top = now.frame_tree.top
    return top is not None and not any(frame.is_loading for frame in (top, *now.frame_tree.children))


def _ended(now: SupervisorSnapshot) -> frozenset[tuple[str, float]]:
    return frozenset((download.id, download.ended_at) for download in now.recent_downloads)


def _dialog(now: SupervisorSnapshot) -> PendingDialog | None:
    current = {page.target_id for page in now.pages if page.is_current}
    return next((dialog for dialog in now.pending_dialogs if dialog.target_id in current), None)
