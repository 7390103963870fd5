"""A person's mouse, keyboard and fingers as commands of CDP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from cdp_typed._base import Command
from cdp_typed.protocol import input as cdp_input

from .messages import Compose, Input, KeyEvent, MouseEvent, TouchEvent, TypeText

_ALT, _CTRL, _META = 1, 2, 4
_TEXTS = {"Enter": "\r"}
"""The text of keys that have one besides those whose name is their text."""
_KEYPAD = 3
"""`KeyboardEvent.DOM_KEY_LOCATION_NUMPAD`."""


def commands_of(done: Input) -> Iterator[Command[Any]]:
    """Yield the CDP commands for an input message."""
    match done:
        case MouseEvent():
            is_wheel = done.type == "mouseWheel"
            yield cdp_input.DispatchMouseEvent(
                type=done.type,
                x=done.x,
                y=done.y,
                button=done.button,
                buttons=done.buttons,
                click_count=done.clicks,
                modifiers=done.modifiers,
                delta_x=done.delta_x if is_wheel else None,
                delta_y=done.delta_y if is_wheel else None,
            )
        case KeyEvent():
            yield _key(done)
        case TypeText(text=text):
            yield cdp_input.InsertText(text=text)
        case Compose(text=text):
            end = len(text.encode("utf-16-le")) // 2  # as scripts count characters
            yield cdp_input.ImeSetComposition(text=text, selection_start=end, selection_end=end)
        case TouchEvent():
            points = [cdp_input.TouchPoint(x=finger.x, y=finger.y, id=finger.id) for finger in done.fingers]
            yield cdp_input.DispatchTouchEvent(type=done.type, touch_points=points, modifiers=done.modifiers)
        case _:
            assert_never(done)


def _key(done: KeyEvent) -> cdp_input.DispatchKeyEvent:
    text = "" if done.type == "keyUp" else _text(done)
    return cdp_input.DispatchKeyEvent(
        type="keyUp" if done.type == "keyUp" else "keyDown" if text else "rawKeyDown",
        key=done.key,
        code=done.code,
        windows_virtual_key_code=done.key_code,
        location=done.location if done.location != _KEYPAD else None,
        is_keypad=done.location == _KEYPAD,
        modifiers=done.modifiers,
        auto_repeat=done.repeat,
        text=text or None,
        unmodified_text=text or None,
    )


def _text(done: KeyEvent) -> str:
    """Return what the key types: nothing with Ctrl or Meta, except with AltGr, which is Ctrl and Alt on Windows."""
    held = done.modifiers & (_CTRL | _ALT | _META)
    if held and held != _CTRL | _ALT and held != _ALT:
        return ""
    return done.key if len(done.key) == 1 else _TEXTS.get(done.key, "")
