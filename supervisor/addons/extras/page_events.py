"""Waits for a JavaScript condition, changes a page's address without loading it, and drops data from outside."""

from __future__ import annotations

import asyncio
import json
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any
from urllib.parse import urldefrag, urljoin

from cdp_typed.printable import visible
from cdp_typed.protocol import runtime
from cdp_typed.wire.json_text import is_array, is_object
from supervisor.core.vocabulary.errors import CallTimeout, EvaluationFailed, NavigationInterrupted
from supervisor.tools.actions.drag import drop_data
from supervisor.tools.browser.navigate import Navigated
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument, PageTextError, delivering
from supervisor.tools.page.locators import frame_meant, refs_for
from supervisor.tools.page.page_frames import ready, top_frame

from .document_scripts import check_syntax

POLL_S = 0.1
_SHOWN = 500
_LOOK = """(async () => {
    let found = (%s\n);
    if (typeof found === 'function') found = found();
    found = await found;
    let shown;
    try { shown = JSON.stringify(found) } catch {}
    return [Boolean(found), String(shown ?? found).slice(0, %d)];
})()"""


class NotTrue(PageTextError):
    """The expression was not true in time; `page_text` is its last value."""

    def __init__(self, timeout_s: float, last: str) -> None:
        super().__init__(f"the expression did not become true within {timeout_s:g} s", maybe_executed=True)
        self.page_text = last


async def wait_until_true(context: ToolContext, expression: str, frame: str | None, timeout_s: float) -> str:
    """Evaluate an expression in a frame, in each of its documents, until it is true; return its value as text.

    A function is called, and a promise awaited. One that throws counts as not true. Raises `NotTrue`, `PolicyRefused`,
    `InvalidArgument` for an expression that does not parse, `FrameGone`, and `BlockedByDialog`.
    """
    context.policy.check_method(runtime.Evaluate.METHOD)
    script = _LOOK % (expression.strip().rstrip(";"), _SHOWN)
    await check_syntax(context, script)
    supervisor, last = context.supervisor, "not evaluated"
    frame_id = await frame_meant(supervisor, frame) or top_frame(supervisor).frame_id
    end = asyncio.get_running_loop().time() + timeout_s
    while (left := end - asyncio.get_running_loop().time()) > 0:
        try:
            is_true, last = (await supervisor.evaluate(script, frame_id, timeout_s=left)).value
        except EvaluationFailed as error:
            is_true, last = False, visible(error.text, _SHOWN)
        except NavigationInterrupted:
            is_true, last = False, "the document was being replaced"
        except CallTimeout as error:
            is_true, last = False, f"{last}; then {error}"
        if is_true:
            return last
        await asyncio.sleep(POLL_S)
    raise NotTrue(timeout_s, last)


_PUSH = """(async () => {
    const url = %s, router = globalThis.next?.router;
    if (router?.push) await router.push(url);
    else {
        history.pushState(null, '', url);
        dispatchEvent(new PopStateEvent('popstate', {state: null}));
    }
    await new Promise(done => setTimeout(done));
    return [location.href, document.title];
})()"""
"""A script for the page's own world: the router of Next.js, or what other routers listen to."""


async def push_state(context: ToolContext, url: str, timeout_s: float) -> Navigated:
    """Add an address to the history, and tell the page's router. Return the address that the page then has.

    Raises `InvalidArgument` for another origin, `PolicyRefused`, and what `evaluate` raises.
    """
    top = await ready(context.supervisor)
    address = urljoin(top.url, url)
    if not url or urldefrag(address)[0].split("/")[:3] != top.url.split("/")[:3]:
        raise InvalidArgument("text", "expected an address of the page's origin; open others with browser_navigate")
    context.check_url(address)
    with delivering():
        try:
            done = await context.supervisor.evaluate(_PUSH % json.dumps(address), top.frame_id, timeout_s=timeout_s)
        except EvaluationFailed as error:
            raise InvalidArgument("text", "the browser or the page's router refused the address") from error
    href, title = done.value
    return Navigated(url=href, title=title)


_FILES = "files"
_FORM = 'expected JSON such as {"text/plain": "x"}, with "files" for absolute paths on the browser\'s machine'


async def drop_on(context: ToolContext, named: str | None, text: str) -> str:
    """Drop what the JSON names on an element, and return the element's ref.

    Raises `InvalidArgument`, `PolicyRefused` for a file that no page may be given, and what `drop_data` raises.
    """
    if named is None:
        raise InvalidArgument("ref", "drop needs the element that gets the data")
    data = _parsed(text)
    files = data.pop(_FILES, [])
    if not (is_array(files) and all(isinstance(path, str) and _is_absolute(path) for path in files)):
        raise InvalidArgument("text", _FORM)
    if not all(isinstance(value, str) and "/" in kind for kind, value in data.items()) or not (data or files):
        raise InvalidArgument("text", _FORM)
    for path in files:
        context.policy.check_file(path)
    (ref,) = await refs_for(context.supervisor, [named])
    await drop_data(context.supervisor, ref, data, files)
    return ref


def _parsed(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        raise InvalidArgument("text", _FORM) from None
    if not is_object(data):
        raise InvalidArgument("text", _FORM)
    return dict(data)


def _is_absolute(path: str) -> bool:
    return PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()
