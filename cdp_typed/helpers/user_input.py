"""`click`, `type_text`, `press` and the clipboard: real input events, as from a person."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

from msgspec import structs

from cdp_typed.client.blocks import async_block
from cdp_typed.client.channel import Channel
from cdp_typed.client.connection import Connection
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError, CommandError, ElementError
from cdp_typed.helpers.evaluation import js
from cdp_typed.helpers.shared.clipboard_field import COPY, MAKE, PASTE, READ, SELECT_ALL, insert
from cdp_typed.helpers.shared.javascript_values import raise_thrown
from cdp_typed.helpers.shared.key_definitions import Key, parse_key, typed_keys
from cdp_typed.protocol import dom, emulation, runtime, target
from cdp_typed.protocol import input as input_

_POINT = """element => {
    if (element.matches(":disabled")) return {problem: "the element is disabled"};
    const box = [...element.getClientRects()].find(box => box.width > 0 && box.height > 0);
    if (!box) return {problem: "the element has no box, so it cannot be seen"};
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const hit = element.getRootNode().elementFromPoint(x, y);
    if (!hit) return {problem: "the element is outside of the window"};
    if (!element.contains(hit) && !hit.contains(element)) {
        return {problem: `the element is covered by <${hit.localName}${hit.id ? ` id="${hit.id}"` : ""}>`};
    }
    return {x, y};
}"""

_CLOSE_TIMEOUT = 5.0
_FOCUS = (
    "element => [element.getRootNode().activeElement === element || element.isContentEditable, document.hasFocus()]"
)


async def click(tab: Channel, selector: str, *, clicks: int = 1, timeout: Timeout = DEFAULT) -> None:
    """Click the middle of the first element that matches, with the left button (`Input.dispatchMouseEvent`).

    The element is first scrolled into view. `clicks=2` is a double click. A click that opens a dialog returns when the
    dialog has been answered. Raises `ElementError` without clicking if no element of the main frame matches, or if the
    element is disabled, has no box or is covered by another one; otherwise as `js` does. For an element
    of a cross-process iframe, pass the iframe's session (`tab.auto_attach()`). Elements of other iframes are not
    found.
    """
    element = await _element(tab, selector, timeout)
    try:
        await _act(tab, selector, dom.ScrollIntoViewIfNeeded(object_id=_id(element)), timeout)
        point: dict[str, Any] = await js(tab, _POINT, element, timeout=timeout)
    finally:
        _release(tab, element)
    if "problem" in point:
        raise ElementError(selector, point["problem"])
    x, y = point["x"], point["y"]
    events = [input_.DispatchMouseEvent(type="mouseMoved", x=x, y=y)]
    for count in range(1, clicks + 1):
        button = input_.DispatchMouseEvent(type="mousePressed", x=x, y=y, button="left", buttons=1, click_count=count)
        events += [button, structs.replace(button, type="mouseReleased", buttons=0)]
    await tab.send_many(events, timeout=timeout)


async def type_text(tab: Session, selector: str, text: str, *, timeout: Timeout = DEFAULT) -> None:
    """Focus the first element that matches, and press a key for each character (`Input.dispatchKeyEvent`).

    The field keeps its text: press `Control+a` first to replace it. A line end is the key Enter. Raises `ElementError`
    without typing if no element of the main frame matches or it cannot have the focus; otherwise as `js`
    does. For an iframe see `click`.
    """
    element = await _element(tab, selector, timeout)
    try:
        await _act(tab, selector, dom.Focus(object_id=_id(element)), timeout)
        has_focus, is_foremost = await js(tab, _FOCUS, element, timeout=timeout)
    finally:
        _release(tab, element)
    if not has_focus:
        raise ElementError(selector, "the element does not keep the focus")
    if not is_foremost:
        # Not `Page.bringToFront`, which the session of an iframe refuses.
        await tab.send(target.ActivateTarget(target_id=tab.target_id), timeout=timeout)
    await _press(tab, [*typed_keys(text)], timeout)


async def press(tab: Channel, key: str, *, timeout: Timeout = DEFAULT) -> None:
    """Press and release a key (`Input.dispatchKeyEvent`). The focused element receives it.

    A key is a character or a name such as Enter, Tab, Escape, ArrowDown; with modifiers: `Control+a`, `Shift+Tab`.
    Raises `ValueError` for an unknown key name; otherwise as `Session.send` does.
    """
    await _press(tab, [parse_key(key)], timeout)


async def read_clipboard(browser: Connection) -> str:
    """Return the text on the clipboard, or "" if it has no text.

    The text is pasted into a field of an empty background tab, which is then closed (`Input.dispatchKeyEvent`). So no
    page needs a permission or a secure origin, and no page notices. All browser contexts share one clipboard. A browser
    with a window uses the clipboard of the desktop. Raises as `Session.send` does.
    """
    async with _field(browser) as tab:
        return await _pasted(tab)


async def write_clipboard(browser: Connection, text: str) -> str:
    """Put a text on the clipboard, and return the text that the clipboard then has.

    The text is copied from a field of an empty tab: see `read_clipboard`. A field turns each line break into a line
    feed. Raises as `Session.send` does.
    """
    async with _field(browser) as tab:
        for command in (insert(text), SELECT_ALL, COPY, SELECT_ALL):
            await tab.send(command)
        return await _pasted(tab)


@async_block
async def _field(browser: Connection) -> AsyncGenerator[Session]:
    created = await browser.send(target.CreateTarget(url="about:blank", background=True))
    try:
        tab = await browser.attach(created.target_id)
        await tab.send(emulation.SetFocusEmulationEnabled(enabled=True))
        await tab.send(MAKE)
        yield tab
    finally:
        with suppress(CDPError):  # the browser may be gone already
            await browser.send(target.CloseTarget(target_id=created.target_id), timeout=_CLOSE_TIMEOUT)


async def _pasted(tab: Session) -> str:
    await tab.send(PASTE)
    return str((await tab.send(READ)).result.value)


async def _press(tab: Channel, keys: list[Key], timeout: Timeout) -> None:
    await tab.send_many([event for key in keys for event in key.events()], timeout=timeout)


async def _element(tab: Channel, selector: str, timeout: Timeout) -> runtime.RemoteObject:
    query = runtime.Evaluate(expression=f"document.querySelector({json.dumps(selector)})")
    found = await tab.send(query, timeout=timeout)
    thrown = None if found.exception_details is None else found.exception_details.exception
    if thrown is not None and thrown.class_name == "DOMException":
        raise ElementError(selector, "this is no CSS selector")
    raise_thrown(found.exception_details)
    if found.result.object_id is None:
        raise ElementError(selector, "no element matches")
    return found.result


async def _act(tab: Channel, selector: str, command: dom.ScrollIntoViewIfNeeded | dom.Focus, timeout: Timeout) -> None:
    try:
        await tab.send(command, timeout=timeout)
    except CommandError as error:
        problem = {
            "Node does not have a layout object": "the element has no box, so it cannot be seen",
            "Element is not focusable": "the element cannot have the focus",
        }
        raise ElementError(selector, problem.get(error.message, error.message)) from None


def _release(tab: Channel, element: runtime.RemoteObject) -> None:
    _ = tab.send_nowait(runtime.ReleaseObject(object_id=_id(element)))


def _id(element: runtime.RemoteObject) -> runtime.RemoteObjectId:
    assert element.object_id is not None
    return element.object_id
