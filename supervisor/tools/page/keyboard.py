"""Typing into elements, and pressing keys, as a person does."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed.errors import CommandError
from cdp_typed.protocol import dom, page
from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.untrusted_text import PageText

from .element_errors import NotEditable, StaleRef
from .input_effects import Aftermath
from .key_definitions import Key, parse
from .page_frames import find, ready, run_on, top_frame
from .refs import Element


class TypeArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_type`: the text and its field."""

    ref: str
    """The text field's ref. browser_snapshot gives it."""
    text: str
    """What to type."""
    clear: bool = True
    """Replace what is in the field; false adds to its end."""
    submit: bool = False
    """Press Enter afterwards."""
    keystrokes: bool = False
    """Press a key for each character, for a page that listens to keys; false puts the text in at once."""


class Typed(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
    """The text was typed."""

    ref: str
    frame_id: str
    value: PageText | None
    """What the field holds now, before Enter; null for a password."""


class PressArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_press`."""

    key: str
    """A character, or a name such as Enter, Tab, Escape, ArrowDown; with modifiers: Control+a, Shift+Tab."""
    ref: str | None = None
    """The ref of the element that gets the key; without it, whatever has the focus."""


class Pressed(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
    """The key was pressed and let go."""

    key: str
    """As the page sees it."""


_KIND = """function() {
    if (this.isContentEditable) return 'text';
    const plain = ['text', 'search', 'url', 'tel', 'email', 'number', 'password'];
    const isField = this instanceof HTMLTextAreaElement
        || (this instanceof HTMLInputElement && plain.includes(this.type));
    if (!isField) return 'other';
    if (this.matches(':disabled')) return 'disabled';
    return this.readOnly ? 'readonly' : this.type === 'password' ? 'password' : 'text';
}"""

_WHY_NOT = {
    "disabled": "it is disabled",
    "readonly": "it is read-only",
    "other": "it is no text field; click it, or press keys",
}
"""The values of `_KIND` for elements that take no text."""

_HAS_FOCUS = """async function() {
    const has = () => {
        const active = this.getRootNode().activeElement;
        return document.hasFocus() && (active === this || (this.isContentEditable && active?.contains(this) === true));
    };
    for (let look = 0; look < %d && !has(); look++) await new Promise(done => setTimeout(done, 50));
    return has();
}"""
"""A script: true once keys reach the element; the focus takes a moment to move between processes."""

_SELECT = """function() {
    if (this.isContentEditable) getSelection().selectAllChildren(this);
    else this.select();
    return this.isContentEditable ? this.textContent !== '' : this.value !== '';
}"""
"""Selects all that is in the field; whether there is anything."""

_TO_END = """function() {
    if (this.isContentEditable) {
        getSelection().selectAllChildren(this);
        getSelection().collapseToEnd();
        return true;
    }
    const hasCaret = this.selectionStart !== null;
    if (hasCaret) this.setSelectionRange(this.value.length, this.value.length);
    return hasCaret;
}"""
"""Puts the caret behind what is in the field; false for one whose caret cannot be put (`email`, `number`)."""

_VALUE = "function() { return this.isContentEditable ? this.innerText : this.value }"


async def type_text(supervisor: AsyncSupervisor, arguments: TypeArguments) -> Typed:
    """Type into a text field (`DOM.focus`, `Input.insertText`), in whatever frame and process it is.

    Raises an `ElementError` when nothing was typed, and `BlockedByDialog`, at once, when the typing opens a dialog.
    """
    await ready(supervisor)
    element = find(supervisor, arguments.ref)
    kind = str(await run_on(supervisor, element, _KIND))
    if kind in _WHY_NOT:
        raise NotEditable(arguments.ref, _WHY_NOT[kind])
    await focus(supervisor, element)
    if arguments.clear:
        if await run_on(supervisor, element, _SELECT) and not arguments.text:
            await _press(supervisor, parse("Delete"))
    elif not await run_on(supervisor, element, _TO_END):
        await _press(supervisor, parse("End"))
    await _put_in(supervisor, arguments.text, keystrokes=arguments.keystrokes)
    value = None if kind == "password" else str(await run_on(supervisor, element, _VALUE))
    if arguments.submit:
        await _press(supervisor, parse("Enter"))
    return Typed(ref=arguments.ref, frame_id=element.frame.frame_id, value=value)


async def press(supervisor: AsyncSupervisor, arguments: PressArguments) -> Pressed:
    """Press a key and let it go (`Input.dispatchKeyEvent`).

    Raises `UnknownKey` and, with a ref, an `ElementError` when nothing was pressed; `BlockedByDialog`, at once, when
    the key opens a dialog.
    """
    key = parse(arguments.key)
    await ready(supervisor)
    if arguments.ref is not None:
        await focus(supervisor, find(supervisor, arguments.ref))
    await _press(supervisor, key)
    return Pressed(key=key.key)


async def focus(supervisor: AsyncSupervisor, element: Element) -> None:
    """Give an element the focus (`DOM.focus`), so that keys reach it and nothing else. Raises `NotEditable`."""
    command = dom.Focus(backend_node_id=dom.BackendNodeId(element.backend_node_id))
    try:
        await supervisor.send(command, element.frame.frame_id)
    except CommandError:
        if not await run_on(supervisor, element, "function() { return this.isConnected }"):
            raise StaleRef(element.ref, "it was removed from its document") from None
        raise NotEditable(element.ref, "it cannot have the focus") from None
    if not await run_on(supervisor, element, _HAS_FOCUS % 0):
        await supervisor.send(page.BringToFront(), top_frame(supervisor).frame_id)  # only the foremost tab has a focus
        if not await run_on(supervisor, element, _HAS_FOCUS % 40):
            raise NotEditable(element.ref, "it does not keep the focus")
    find(supervisor, element.ref)  # in another document the same number may be another element


async def _put_in(supervisor: AsyncSupervisor, text: str, *, keystrokes: bool) -> None:
    if not keystrokes:
        if text:
            await supervisor.send(input_.InsertText(text=text), top_frame(supervisor).frame_id)
        return
    for character in text:
        await _press(supervisor, parse("Enter" if character == "\n" else "Tab" if character == "\t" else character))


async def _press(supervisor: AsyncSupervisor, key: Key) -> None:
    top = top_frame(supervisor)
    for event in key.events():
        await supervisor.send(event, top.frame_id)
