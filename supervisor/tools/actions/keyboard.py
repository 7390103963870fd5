"""The keyboard, and the focus that it needs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from cdp_typed import Command
from cdp_typed.errors import CDPError, CommandError
from cdp_typed.helpers.shared.key_definitions import MODIFIERS, Key
from cdp_typed.protocol import dom, page
from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog
from supervisor.tools.framework.redaction import TypedKey
from supervisor.tools.framework.tool_errors import InvalidArgument, OpenedDialog, delivering, sending
from supervisor.tools.page.element_errors import NotEditable, StaleRef
from supervisor.tools.page.page_frames import find, in_order, ready, run_on, top_frame
from supervisor.tools.page.refs import Element
from supervisor.tools.page.resolving import resolve_ref

from .input_effects import ActionResult, send_input
from .positions import held_keys, held_modifiers, parse


class PressArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_press`."""

    key: TypedKey | tuple[TypedKey, ...]
    """A character, Tab, Control+a; or a list."""
    count: Annotated[int, Meta(ge=1, le=100)] = 1
    """How often."""
    ref: str | None = None
    """Else whatever has the focus."""
    snapshot: bool = False
    """Show changes."""


class Pressed(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The keys were pressed and let go."""

    key: str
    """The last one, as the page sees it."""


_FOCUS_EDITOR = """function() {
    if (!this.isContentEditable) return false;
    let editor = this;
    while (editor.parentElement?.isContentEditable) editor = editor.parentElement;
    editor.focus();
    getSelection().selectAllChildren(this);
    getSelection().collapseToEnd();
    return true;
}"""
"""A function: gives the focus to the editor that a paragraph is in, with the caret at the end of that."""

_HAS_FOCUS = """async function() {
    const has = () => {
        const active = the(this.getRootNode()).activeElement;
        return document.hasFocus() && (active === this || (this.isContentEditable && active?.contains(this) === true));
    };
    await new Promise(done => setTimeout(done));
    for (let look = 0; look < %d && !has(); look++) await new Promise(done => setTimeout(done, 50));
    return has() ? [(%s).call(this)] : null;
}"""
"""A script: what a function of the element returns, called once keys reach the element; null where they do not. The
focus takes a moment to move between processes, and a page may move it on as soon as it has handled the event."""


async def press(supervisor: AsyncSupervisor, arguments: PressArguments) -> Pressed:
    """Press keys and let each go (`Input.dispatchKeyEvent`).

    Raises `UnknownKey`, `BlockedByDialog` and, with a ref, an `ElementError` when nothing was pressed; `OpenedDialog`,
    at once, when a key opens a dialog.
    """
    names = (arguments.key,) if isinstance(arguments.key, str) else arguments.key
    keys = [parse(name) for name in names] * arguments.count
    if not keys:
        raise InvalidArgument("key", "expected at least one key")
    await ready(supervisor)
    if arguments.ref is not None:
        await focus(supervisor, await resolve_ref(supervisor, arguments.ref))
    await _press_all(supervisor, keys, "keys were not pressed")
    return Pressed(key=keys[-1].key)


async def focus(supervisor: AsyncSupervisor, element: Element, then: str = "() => null") -> Any:
    """Give an element the focus (`DOM.focus`), so that keys reach it and nothing else, and return what the function
    `then` of it returns after that. Raises `NotEditable`."""
    focusing = dom.Focus(backend_node_id=dom.BackendNodeId(element.backend_node_id))

    async def focused() -> Any:
        asking = run_on(supervisor, element, _HAS_FOCUS % (0, then))
        return (await in_order(supervisor.send(focusing, element.frame.frame_id), asking))[1]

    try:
        told = await focused()
    except CommandError:
        if not await run_on(supervisor, element, "function() { return this.isConnected }"):
            raise StaleRef(element.ref, "it was removed from its document") from None
        if not await run_on(supervisor, element, _FOCUS_EDITOR):
            raise NotEditable(element.ref, "it cannot have the focus") from None
        told = await run_on(supervisor, element, _HAS_FOCUS % (0, then))
    if told is None:
        await supervisor.send(page.BringToFront(), top_frame(supervisor).frame_id)  # only the foremost tab has a focus
        told = await run_on(supervisor, element, _HAS_FOCUS % (40, then))
        if told is None:  # a calendar that the focus opened has taken it, and takes it no more
            with suppress(CommandError):
                told = await focused()
        if told is None:
            raise NotEditable(element.ref, "it does not keep the focus")
    find(supervisor, element.ref)  # in another document the same number may be another element
    return told[0]


async def insert(supervisor: AsyncSupervisor, text: str) -> None:
    """Put text in where the caret is, at once (`Input.insertText`)."""
    if text:
        with delivering(), sending():
            await supervisor.send(input_.InsertText(text=text), top_frame(supervisor).frame_id)


async def write(supervisor: AsyncSupervisor, text: str) -> None:
    """Put text in at once, and let go of the key of its last character: many fields look at their text when a key comes
    up."""
    if not text:
        return
    events: list[Command[Any]] = [input_.InsertText(text=text)]
    if text[-1].isprintable():
        _, key_up = parse(text[-1]).events()
        events.append(key_up)
    with delivering(), sending():
        await in_order(*(supervisor.send(event, top_frame(supervisor).frame_id) for event in events))


async def release_paste(supervisor: AsyncSupervisor) -> None:
    """Let go of the key of a paste (`Input.dispatchKeyEvent`); pressing it would paste from the machine's clipboard."""
    with delivering(began=True):
        event = input_.DispatchKeyEvent(type="keyUp", key="v", code="KeyV", windows_virtual_key_code=86, modifiers=2)
        await supervisor.send(event, top_frame(supervisor).frame_id)


async def press_keys(supervisor: AsyncSupervisor, text: str, pause_s: float = 0) -> None:
    """Press a key for each character, with a pause after each.

    Raises `OpenedDialog`, with what is left, when one of them opens a dialog.
    """
    names = ("Enter" if character == "\n" else "Tab" if character == "\t" else character for character in text)
    await _press_all(supervisor, [parse(name) for name in names], "characters were not typed", pause_s)


async def _press_all(supervisor: AsyncSupervisor, keys: list[Key], unfinished: str, pause_s: float = 0) -> None:
    for number, key in enumerate(keys):
        try:
            await press_key(supervisor, key)
            if pause_s:
                await asyncio.sleep(pause_s)
        except BlockedByDialog as blocked:
            left = len(keys) - number - isinstance(blocked, OpenedDialog)
            if left == len(keys):
                raise
            told = f"{left} of {len(keys)} {unfinished}" if left else ""
            raise OpenedDialog(blocked.dialog, told) from None


async def press_key(supervisor: AsyncSupervisor, key: Key) -> None:
    """Press a key and let it go (`Input.dispatchKeyEvent`), with the modifier keys that are held."""
    top = top_frame(supervisor)
    for number, event in enumerate(_as_held(supervisor, top.frame_id, key).events()):
        with delivering(began=number > 0):
            await send_input(supervisor, event, top.frame_id)


async def press_silent_enter(supervisor: AsyncSupervisor) -> None:
    """Press Enter without its text, so that it submits no form by itself."""
    frame_id = top_frame(supervisor).frame_id
    for kind in ("rawKeyDown", "keyUp"):
        event = input_.DispatchKeyEvent(type=kind, key="Enter", code="Enter", windows_virtual_key_code=13)
        with delivering(began=kind == "keyUp"):
            await supervisor.send(event, frame_id)


async def hold_key(supervisor: AsyncSupervisor, name: str) -> None:
    """Press a key and hold it (`Input.dispatchKeyEvent`); one that is held already repeats.

    Raises `UnknownKey`, and `InvalidArgument` for several keys.
    """
    top, key = top_frame(supervisor), _single(name)
    held = held_keys(supervisor, top.frame_id)
    is_repeated = key in held
    if not is_repeated:
        held.append(key)
    down, _ = _as_held(supervisor, top.frame_id, key).events()
    try:
        with delivering():
            await send_input(supervisor, replace(down, auto_repeat=is_repeated or None), top.frame_id)
    except CDPError as error:
        if not (is_repeated or getattr(error, "maybe_executed", True)):
            held.remove(key)
        raise


async def let_go_key(supervisor: AsyncSupervisor, name: str) -> None:
    """Let go of a key that is held. Raises `InvalidArgument` if it is not."""
    top, key = top_frame(supervisor), _single(name)
    held = held_keys(supervisor, top.frame_id)
    if key not in held:
        names = ", ".join(each.key for each in held)
        raise InvalidArgument("text", f"this key is not held; {f'held: {names}' if held else 'no key is'}")
    *_, up = _as_held(supervisor, top.frame_id, key).events()
    held.remove(key)
    try:
        with delivering():
            await send_input(supervisor, replace(up, modifiers=0), top.frame_id)
    except CDPError as error:
        if not getattr(error, "maybe_executed", True):
            held.append(key)
        raise


def _single(name: str) -> Key:
    key = parse(name)
    if key.modifiers & ~MODIFIERS.get(key.key, MODIFIERS["Shift"]) or (len(name) > 1 and "+" in name):
        raise InvalidArgument("text", "expected one key, such as Shift or w")
    return key


def _as_held(supervisor: AsyncSupervisor, page_id: str, key: Key) -> Key:
    """The key as it acts while the held modifier keys are down: with Control it types no text."""
    held = held_modifiers(supervisor, page_id)
    names = [name for name, bit in MODIFIERS.items() if (held | key.modifiers) & bit and name != key.key]
    return parse("+".join([*names, key.key])) if held else key
